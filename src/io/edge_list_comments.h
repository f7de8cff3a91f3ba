#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace gir {

// Lines that gir writes into edge lists; to other programs they are comments.
inline constexpr std::string_view kEdgeListNodeMark = "# gir node ";  ///< followed by the id of a node without edges
inline constexpr std::string_view kEdgeListTextMark = "# gir text ids";

/// What all lines begin with that gir writes as comments.
inline constexpr std::string_view kEdgeListOwnComments = "# gir ";

/// Characters that comment lines of an edge list begin with.
inline constexpr std::string_view kEdgeListComments = "#%";

/// The first line of KONECT's files: "% asym posweighted".
struct KonectHeader {
  bool directed = false;
  bool bipartite = false;  ///< the ids of the first and of the second column are two separate sets
  bool weighted = false;   ///< the third column holds weights, or how often an edge occurs
};

/// What the comments before the first edge declare.
struct EdgeListComments {
  bool directed = false;
  bool text_ids = false;
  std::optional<KonectHeader> konect = {};
};

/// UserError for a file of KONECT that is no graph: one of additions and removals.
EdgeListComments read_edge_list_comments(const std::filesystem::path& path, std::string_view text);

}  // namespace gir
