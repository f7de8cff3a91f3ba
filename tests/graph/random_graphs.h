#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gir/core/random.h"
#include "gir/graph/graph.h"

namespace gir::testing {

/// Edges as a file lists them.
struct EdgeLines {
  std::int64_t nodes = 0;
  bool directed = false;
  std::vector<Arc> arcs;
  std::vector<float> weights;  ///< one per arc, or empty
};

inline Graph build(const EdgeLines& lines) {
  return build_graph({.arcs = Array<Arc>(std::span<const Arc>(lines.arcs)),
                      .weights = Array<float>(std::span<const float>(lines.weights)),
                      .directed = lines.directed,
                      .names = NodeNames::positions(lines.nodes)});
}

inline Graph undirected(std::int64_t nodes, std::vector<Arc> arcs) {
  return build({.nodes = nodes, .directed = false, .arcs = std::move(arcs), .weights = {}});
}

inline Graph directed(std::int64_t nodes, std::vector<Arc> arcs) {
  return build({.nodes = nodes, .directed = true, .arcs = std::move(arcs), .weights = {}});
}

/// Up to 40 nodes and 120 edges, with repetitions, edges in both directions, self loops and isolated nodes.
/// Bits of `seed` choose directed and weighted; weights are quarters, so that sums are exact.
inline EdgeLines random_lines(std::uint64_t seed) {
  Rng rng(seed, "random lines");
  EdgeLines lines;
  lines.nodes = 1 + static_cast<std::int64_t>(rng.below(40));
  lines.directed = seed % 2 == 1;
  const bool weighted = seed / 2 % 2 == 1;
  const std::uint64_t count = rng.below(120);
  const std::uint64_t used_nodes = 1 + rng.below(static_cast<std::uint64_t>(lines.nodes));
  for (std::uint64_t i = 0; i < count; ++i) {
    Arc arc{static_cast<NodeId>(rng.below(used_nodes)), static_cast<NodeId>(rng.below(used_nodes))};
    if (!lines.arcs.empty() && rng.below(4) == 0) arc = lines.arcs[rng.below(lines.arcs.size())];
    if (rng.below(4) == 0) std::swap(arc.source, arc.target);
    lines.arcs.push_back(arc);
    if (weighted) lines.weights.push_back(0.25f * (static_cast<float>(rng.below(41)) - 20));
  }
  return lines;
}

/// A larger random graph of about `edges` edges, enough for several blocks of a parallel loop.
inline EdgeLines random_large_lines(std::int64_t nodes, std::int64_t edges, bool directed, std::uint64_t seed) {
  Rng rng(seed, "random large lines");
  EdgeLines lines{.nodes = nodes, .directed = directed, .arcs = {}, .weights = {}};
  const auto draw = [&] { return static_cast<NodeId>(rng.below(static_cast<std::uint64_t>(nodes))); };
  for (std::int64_t i = 0; i < edges; ++i) {
    const NodeId source = draw();
    lines.arcs.push_back({source, draw()});
  }
  return lines;
}

}  // namespace gir::testing
