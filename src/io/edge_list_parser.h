#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "gir/graph/graph.h"
#include "gir/io/format.h"

namespace gir {

// Lines that gir writes into edge lists; to other programs they are comments.
inline constexpr std::string_view kEdgeListNodeMark = "# gir node ";  ///< followed by the id of a node without edges
inline constexpr std::string_view kEdgeListTextMark = "# gir text ids";

/// The layout of an edge list, as detected from its first lines.
struct EdgeListLayout {
  bool text_ids = false;
  bool weighted = false;
  bool directed = false;
  char separator = ' ';          ///< between text ids: tab, comma, or ' ' for any run of blanks
  std::int64_t header_line = 0;  ///< line number of the header, which is skipped; 0 for none
};

EdgeListLayout detect_edge_list_layout(const std::filesystem::path& path, std::string_view text,
                                       const ReadOptions& options);

/// Parses all lines. Nodes are numbered in the order of their ids (numeric or bytewise), whatever the order of the
/// lines. UserError with path and line for the first line that does not parse.
EdgeInput parse_edge_list(const std::filesystem::path& path, std::string_view text, const EdgeListLayout& layout,
                          const ReadOptions& options);

}  // namespace gir
