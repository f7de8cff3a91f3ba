#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gir/graph/node_names.h"
#include "gir/io/gzip.h"

namespace gir {

/// Node ids in a MatrixMarket file. The format numbers nodes from 1 to n; other ids travel in comment lines,
/// which other programs pass over: "%node-ids positions" for 0 .. n-1, else a "%node <number> <id>" for every
/// node, after "%node-ids text" where the ids are texts even if they look like numbers.
class MatrixMarketIds {
 public:
  /// Takes note of the comment `line`, whose text must outlive this object.
  void read_comment(std::string_view line, std::int64_t line_number);

  /// Names for `nodes` nodes. UserError for ids that are repeated, out of range or not one a node.
  NodeNames names(const std::filesystem::path& path, std::int64_t nodes) const;

 private:
  struct Id {
    std::int64_t node;  ///< from 1
    std::string_view text;
    std::int64_t line;
  };

  std::vector<std::string> by_node(const std::filesystem::path& path, std::int64_t nodes) const;

  bool positions_ = false;
  bool text_ = false;
  std::vector<Id> ids_;
};

/// Writes the comment lines that `names` need: none for 1 .. n.
void write_matrix_market_ids(const std::filesystem::path& path, const NodeNames& names, TextFileWriter& out);

}  // namespace gir
