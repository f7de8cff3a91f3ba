#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/export.h"
#include "gir/core/registry.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"

namespace gir {

struct GIR_API AnchorOptions {
  std::int64_t count = 64;  ///< number of anchors, at most
  std::string strategy = "ga-mpca";
  std::string fill = {};  ///< strategy that adds anchors up to `count` where the first one selects fewer; empty: none
  std::uint64_t seed = 0;
  std::filesystem::path file = {};  ///< for the strategy "file": a file of node ids, one per line (setting `anchors`)
  std::int64_t samples = 256;       ///< for "betweenness": number of sources of shortest paths
};

struct GIR_API AnchorSelection {
  std::vector<NodeId> anchors;  ///< distinct, in the order of selection
  bool restricted = false;      ///< the strategy selected fewer than `count`, because more would not improve coverage
  std::vector<std::string> notes;  ///< what a user should know about the selection
};

/// A strategy for selecting anchors. Strategies register themselves; adding one is one file.
struct GIR_API AnchorStrategy {
  static constexpr std::string_view kKind = "strategy";

  std::string name;
  std::string summary;

  /// Selects at most `options.count` nodes.
  AnchorSelection (*select)(const Graph& graph, const AnchorOptions& options) = nullptr;
};

/// Selects anchors by a registered strategy: the same anchors for the same graph and options on any number of threads.
/// UserError for a graph without nodes, a count below 1 or above the number of nodes, and unknown strategies.
GIR_API AnchorSelection select_anchors(const Graph& graph, const AnchorOptions& options = {});

/// Number of anchors for a graph about which nothing else is known: about the square root of the number of nodes (16 to
/// 128), or two per component of at least three nodes where that is more. O(edges).
GIR_API std::int64_t automatic_anchor_count(const Graph& graph);

/// Reads a file of node ids, one per line; # comments and blank lines are skipped. UserError with file and line for
/// unknown and repeated ids, and for a file without ids.
GIR_API std::vector<NodeId> read_anchors(const std::filesystem::path& path, const Graph& graph);

/// Writes the ids of the anchors in the user's files, one per line.
GIR_API void write_anchors(const std::filesystem::path& path, const Graph& graph, std::span<const NodeId> anchors);

/// How well anchors cover a graph, following the edges' direction.
struct GIR_API AnchorCoverage {
  std::vector<std::int64_t> by_hop;  ///< [i]: number of nodes within i hops of the nearest anchor
  std::int64_t unreached = 0;        ///< number of nodes that cannot be reached from an anchor
  std::int64_t eccentricity = 0;     ///< hops to the farthest node that is reached
};

/// O(nodes + edges).
GIR_API AnchorCoverage anchor_coverage(const Graph& graph, std::span<const NodeId> anchors);

}  // namespace gir
