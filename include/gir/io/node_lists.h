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
#include "gir/io/format.h"

namespace gir {

/// The node with that id in the user's files. UserError where there is none.
GIR_API NodeId find_node(const NodeNames& names, std::string_view id);

/// Items of a text file, the line of each, and what a user should know about how they were read.
template <typename Item>
struct FileLines {
  std::vector<Item> items;
  std::vector<std::int64_t> lines;
  std::vector<std::string> notes = {};
};

/// Reads a file of node ids, one per line, in the file's order; # comments and blank lines are skipped. Ids may be
/// quoted as id_cell() does it, and hold tabs and line breaks then. UserError with file and line for unknown and
/// repeated ids, and for a file without ids.
GIR_API std::vector<NodeId> read_node_list(const std::filesystem::path& path, const NodeNames& names);

/// The same with line numbers.
GIR_API FileLines<NodeId> read_node_lines(const std::filesystem::path& path, const NodeNames& names);

/// The same for text that has been read from `source`.
GIR_API FileLines<NodeId> parse_node_lines(std::string_view text, const std::filesystem::path& source,
                                           const NodeNames& names);

/// How the first line of a file of pairs is read.
struct PairHeader {
  HeaderLine line = HeaderLine::kAuto;
  bool own_nodes = false;  ///< the nodes were found in the files themselves: two words that are no nodes are a header
};

/// Reads a file of pairs of node ids, one pair per line, separated by a tab, comma or blanks, in the file's order;
/// comments and quotes as above. A first line of two words that are no nodes is a header where the nodes are numbers,
/// or where the words name the ends of an edge (source,target). A pair may occur twice, and a node may be paired with
/// itself. UserError with file and line for anything else.
GIR_API std::vector<std::pair<NodeId, NodeId>> read_node_pairs(const std::filesystem::path& path,
                                                               const NodeNames& names);

/// The same with line numbers.
GIR_API FileLines<std::pair<NodeId, NodeId>> read_node_pair_lines(const std::filesystem::path& path,
                                                                  const NodeNames& names,
                                                                  const PairHeader& header = {});

/// The same for text that has been read from `source`.
GIR_API FileLines<std::pair<NodeId, NodeId>> parse_node_pair_lines(std::string_view text,
                                                                   const std::filesystem::path& source,
                                                                   const NodeNames& names,
                                                                   const PairHeader& header = {});

/// An id in a file of pairs, and where it occurs first.
struct GIR_API PlacedId {
  std::string id;
  std::filesystem::path path;
  std::int64_t line = 0;
};

/// The ids of such files of pairs, before their nodes are known: each once, in the order of the files. A first line is
/// a header where two words that are not numbers stand above numbers only, and where two words occur on no other line
/// of all files but are the first line of several files, name the ends of an edge (source,target), or differ by that
/// from nearly all other pairs.
GIR_API std::vector<PlacedId> read_pair_ids(const std::vector<std::filesystem::path>& paths,
                                            HeaderLine header = HeaderLine::kAuto);

}  // namespace gir
