#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "edge_list_comments.h"
#include "gir/graph/graph.h"
#include "gir/io/format.h"
#include "number_style.h"
#include "text_table.h"

namespace gir {

/// Which columns of a table of edges are read, and how.
struct EdgeTableLayout {
  std::size_t width = 2;  ///< cells of every row
  std::size_t source = 0;
  std::size_t target = 1;
  std::optional<std::size_t> weight = {};
  bool header = false;
  bool may_be_header = false;  ///< whether the first row is a header depends on the other rows, see parse_edge_table()
  bool text_ids = false;
  bool directed = false;
  bool bipartite = false;                     ///< ids of the two columns are separate sets
  std::optional<std::size_t> direction = {};  ///< holds Directed or Undirected, the same in all rows
  bool dictionaries = false;                  ///< rows end with a Python dictionary, as networkx writes them
  bool weights_in_dictionaries = false;       ///< see find_attributes()
  std::string weight_key = "weight";          ///< in a dictionary
  NumberStyle weight_style = {};
  std::vector<std::string> notes = {};
};

/// The layout, from the first rows. UserError where it is unclear which columns are the ends of an edge.
EdgeTableLayout detect_edge_table_layout(const TextTable& table, const EdgeListComments& comments,
                                         const ReadOptions& options);

/// Edges of a table, and what a user should know about how they were read.
struct EdgeTable {
  EdgeInput input;
  std::vector<std::string> notes;
};

/// Reads the edges of a text file that is not a plain list of numbers: text ids, quotes, any separator, a header,
/// further columns. Nodes are numbered in the order of their ids, whatever the order of the rows.
EdgeTable read_edge_table(const std::filesystem::path& path, std::unique_ptr<const TextFile> file,
                          const EdgeListComments& comments, const ReadOptions& options);

}  // namespace gir
