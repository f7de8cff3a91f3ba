#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gir/graph/node_names.h"
#include "gir/io/gzip.h"

namespace gir {

/// Node ids in a MatrixMarket file. The format numbers nodes from 1 to n; other ids are stored in comment lines, which
/// other programs ignore: "%node-ids positions" for 0 .. n-1, else "%node <number> <id>" for every node, after
/// "%node-ids text" where the ids are strings even if they look like numbers.
class MatrixMarketIds {
 public:
  /// Stores what the comment `line` says about ids. Its text must outlive this object.
  void read_comment(std::string_view line, std::int64_t line_number);

  /// Names for `nodes` nodes. UserError for ids that are repeated, out of range or not one per node.
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

/// Writes the comment lines for `names`; none for 1 .. n.
void write_matrix_market_ids(const std::filesystem::path& path, const NodeNames& names, TextFileWriter& out);

}  // namespace gir
