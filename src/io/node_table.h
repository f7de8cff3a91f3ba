#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gir/core/types.h"
#include "gir/graph/node_names.h"
#include "gir/io/tables.h"
#include "text_table.h"

namespace gir {

/// A text file with a row per node: a TextTable whose header is skipped, and which columns hold ids and labels.
struct NodeTable {
  TextTable rows;
  std::vector<std::string> header = {};  ///< names of the columns; empty where the file has none
  std::int64_t first_line = 1;           ///< line number of the first row
  std::size_t width = 0;                 ///< cells of every row
  std::optional<std::size_t> ids = {};   ///< column of the node ids; unset: rows are in node order
  std::size_t label = 0;                 ///< column of the labels, in a table of labels
  std::vector<std::string> notes = {};
};

NodeTable open_feature_table(const std::filesystem::path& path, const NodeNames& names);
NodeTable open_label_table(const std::filesystem::path& path, const NodeNames& names, const LabelTableOptions& options);

}  // namespace gir
