#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gir/graph/node_names.h"

namespace gir {

/// Notes on text ids that stand for a missing value in a database: as a node they join all edges that lack an end.
void note_missing_ids(const std::filesystem::path& path, const NodeNames& names, std::vector<std::string>& notes);

}  // namespace gir
