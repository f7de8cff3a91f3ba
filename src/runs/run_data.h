#pragma once

#include <string>

#include "gir/runs/open_run.h"

namespace gir {

/// Whether the graph is the one that a run was trained on.
bool is_graph_of(const RunRecord& record, const Dataset& dataset);

/// Whether the data is what a run was trained on, as far as it uses it: without features, pair tasks need only the
/// edges.
bool is_data_of(const RunRecord& record, const Dataset& dataset);

/// UserError if the data is not what the run was trained on.
void check_data(const RunDirectory& directory, const RunRecord& record, const Dataset& dataset);

}  // namespace gir
