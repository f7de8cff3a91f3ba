#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/registry.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"

namespace gir {

struct AnchorOptions {
  std::int64_t count = 64;
  std::string strategy = "ga-mpca";
  std::string fill = {};  ///< a strategy that tops up to `count` when the first one ends before; or none
  std::uint64_t seed = 0;
  std::filesystem::path file = {};  ///< for the strategy `file`: ids, one a line
  std::int64_t samples = 256;       ///< for `betweenness`: nodes that shortest paths are counted from
};

struct AnchorSelection {
  std::vector<NodeId> anchors;     ///< distinct, in the order in which they were chosen
  bool restricted = false;         ///< the strategy ended before `count`: it found no use for more
  std::vector<std::string> notes;  ///< what a user should know about how they were chosen
};

/// A way to choose anchors. Strategies register themselves; adding one is one file.
struct AnchorStrategy {
  static constexpr std::string_view kKind = "strategy";

  std::string name;
  std::string summary;

  /// At most `options.count` nodes; fewer where the strategy has no use for more.
  AnchorSelection (*select)(const Graph& graph, const AnchorOptions& options) = nullptr;
};

/// Chooses anchors by a registered strategy: the same ones for the same graph and options on any number of
/// threads. UserError for a graph without nodes, a count below 1 or above the number of nodes, and unknown
/// strategies.
AnchorSelection select_anchors(const Graph& graph, const AnchorOptions& options = {});

/// Reads anchors by their original ids, one a line; # comments and blank lines are passed over. UserError with
/// file and line for ids that are not in the graph or occur twice, and for a file without any.
std::vector<NodeId> read_anchors(const std::filesystem::path& path, const Graph& graph);

/// Writes the anchors' original ids, one a line.
void write_anchors(const std::filesystem::path& path, const Graph& graph, std::span<const NodeId> anchors);

/// How well anchors cover a graph, along the edges' direction.
struct AnchorCoverage {
  std::vector<std::int64_t> by_hop;  ///< nodes at most i hops from the nearest anchor; [0] counts the anchors
  std::int64_t unreached = 0;        ///< nodes that no path from an anchor leads to
  std::int64_t eccentricity = 0;     ///< hops to the farthest node that is reached
};

/// O(nodes + edges).
AnchorCoverage anchor_coverage(const Graph& graph, std::span<const NodeId> anchors);

}  // namespace gir
