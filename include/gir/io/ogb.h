#pragma once

#include <filesystem>

#include "gir/io/format.h"

namespace gir {

/// Whether `folder` has the layout of a node property prediction dataset of the Open Graph Benchmark.
bool is_ogb_folder(const std::filesystem::path& folder);

/// Reads such a folder:
///
///     raw/num-node-list.csv.gz    one number
///     raw/num-edge-list.csv.gz    one number
///     raw/edge.csv.gz             'source,target' per line, nodes 0 .. n-1
///     raw/node-label.csv.gz       one integer per node, nan for no label (optional)
///     raw/node-feat.csv.gz        one row per node (optional; a note says when it is missing)
///     split/NAME/{train,valid,test}.csv.gz   one node per line (optional)
///
/// Directed unless the options say otherwise. UserError with file and line for invalid and inconsistent files.
AttributedGraph read_ogb(const std::filesystem::path& folder, const ReadOptions& options = {});

}  // namespace gir
