#include "assembly.h"

#include <unordered_set>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/text.h"
#include "gir/graph/graph.h"

namespace gir::generators {
namespace {

/// A set of unordered pairs of nodes.
class EdgeSet {
 public:
  explicit EdgeSet(const Array<Arc>& edges) {
    keys_.reserve(static_cast<std::size_t>(edges.size()));
    for (const Arc edge : edges) keys_.insert(key(edge));
  }

  /// False where the set already has the edge.
  bool add(Arc edge) { return keys_.insert(key(edge)).second; }
  void remove(Arc edge) { keys_.erase(key(edge)); }

 private:
  static std::uint64_t key(Arc edge) {
    const auto [low, high] = std::minmax(edge.source, edge.target);
    return static_cast<std::uint64_t>(high) << 32 | static_cast<std::uint64_t>(low);
  }

  std::unordered_set<std::uint64_t> keys_;
};

}  // namespace

GeneratorParameter nodes_parameter(std::int64_t default_value, std::int64_t minimum) {
  return {.name = "nodes",
          .default_value = default_value,
          .minimum = static_cast<double>(minimum),
          .maximum = static_cast<double>(kMaxNodes),
          .meaning = "number of nodes"};
}

void check_size(std::string_view kind, double nodes, double edges, double bytes_per_edge) {
  if (nodes > static_cast<double>(kMaxNodes)) {
    throw UserError("{}: {:.4g} nodes are too many [a graph has at most {}]", kind, nodes, with_thousands(kMaxNodes));
  }
  // build_graph() holds every edge once as an arc and twice, with 4 bytes per end, while it sorts them into rows.
  constexpr double kBuildBytesPerEdge = sizeof(Arc) + 4 * sizeof(NodeId);
  const double bytes = edges * std::max(bytes_per_edge, kBuildBytesPerEdge) + nodes * 2 * sizeof(EdgeId);
  const std::int64_t limit = memory_limit();
  if (bytes > static_cast<double>(limit)) {
    throw UserError("{}: {:.4g} nodes and {:.4g} edges need {:.4g} GiB, more than {} [choose a smaller graph]", kind,
                    nodes, edges, bytes / (1 << 30), human_bytes(limit));
  }
}

AttributedGraph undirected_graph(std::int64_t nodes, Array<Arc> edges) {
  AttributedGraph result;
  result.graph =
      build_graph({.arcs = std::move(edges), .weights = {}, .directed = false, .names = NodeNames::positions(nodes)});
  return result;
}

Labels group_labels(std::int64_t nodes, std::int64_t groups) {
  Labels labels;
  labels.classes = Array<std::int32_t>(nodes);
  for (std::int64_t group = 0; group < groups; ++group) {
    labels.names.push_back(std::to_string(group));
    std::fill(labels.classes.begin() + group_begin(nodes, groups, group),
              labels.classes.begin() + group_begin(nodes, groups, group + 1), static_cast<std::int32_t>(group));
  }
  return labels;
}

Arc* fill_clique(NodeId first, std::int64_t count, Arc* next) {
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = i + 1; j < count; ++j) {
      *next++ = {static_cast<NodeId>(first + i), static_cast<NodeId>(first + j)};
    }
  }
  return next;
}

// Serial, because every move depends on the edges that earlier ones left.
void rewire(Array<Arc>& edges, std::int64_t nodes, double probability, Rng rng) {
  constexpr int kMaxDraws = 100;
  if (probability <= 0) return;
  EdgeSet taken(edges);
  for (Arc& edge : edges) {
    if (rng.uniform() >= probability) continue;
    for (int draw = 0; draw < kMaxDraws; ++draw) {
      const Arc moved{edge.source, static_cast<NodeId>(rng.below(static_cast<std::uint64_t>(nodes)))};
      if (moved.target == moved.source || !taken.add(moved)) continue;
      taken.remove(edge);
      edge = moved;
      break;
    }
  }
}

}  // namespace gir::generators
