#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/graph/node_names.h"

namespace gir {

/// The node with that id in the user's files. UserError where there is none.
GIR_API NodeId find_node(const NodeNames& names, std::string_view id);

/// Items of a text file, and the line of each.
template <typename Item>
struct FileLines {
  std::vector<Item> items;
  std::vector<std::int64_t> lines;
};

/// Reads a file of node ids, one per line, in the file's order; # comments and blank lines are skipped. UserError with
/// file and line for unknown and repeated ids, and for a file without ids.
GIR_API std::vector<NodeId> read_node_list(const std::filesystem::path& path, const NodeNames& names);

/// The same with line numbers.
GIR_API FileLines<NodeId> read_node_lines(const std::filesystem::path& path, const NodeNames& names);

/// The same for text that has been read from `source`.
GIR_API FileLines<NodeId> parse_node_lines(std::string_view text, const std::filesystem::path& source,
                                           const NodeNames& names);

/// Reads a file of pairs of node ids, one pair per line, separated by a tab, comma or blanks, in the file's order;
/// comments as above. A first line of two words that are no nodes is a header where the nodes are numbers, or where the
/// words name the ends of an edge (source,target). A pair may occur twice, and a node may be paired with itself.
/// UserError with file and line for anything else.
GIR_API std::vector<std::pair<NodeId, NodeId>> read_node_pairs(const std::filesystem::path& path,
                                                               const NodeNames& names);

/// The same with line numbers.
GIR_API FileLines<std::pair<NodeId, NodeId>> read_node_pair_lines(const std::filesystem::path& path,
                                                                  const NodeNames& names);

/// The same for text that has been read from `source`.
GIR_API FileLines<std::pair<NodeId, NodeId>> parse_node_pair_lines(std::string_view text,
                                                                   const std::filesystem::path& source,
                                                                   const NodeNames& names);

/// The ids of such files of pairs, before their nodes are known: each once, in the order of the files. A first line is
/// a header where its words name the ends of an edge (source,target) and occur on no other line, or where two words
/// that are not numbers stand above numbers only.
GIR_API std::vector<std::string> read_pair_ids(const std::vector<std::filesystem::path>& paths);

}  // namespace gir
