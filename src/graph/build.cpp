#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/graph/graph.h"

namespace gir {
namespace {

constexpr std::int64_t kArcsPerBlock = 1 << 16;
constexpr std::int64_t kRowsPerBlock = 1 << 12;

/// Adds one and returns what was there before. The order in which threads come does not show in the result:
/// counts commute, and rows are sorted after they were filled.
EdgeId take(EdgeId& counter) {
  return std::atomic_ref<EdgeId>(counter).fetch_add(1, std::memory_order_relaxed);
}

/// Turns row lengths in counts[1 ..] into row starts, so that filling row v advances counts[v] to its end.
void lengths_to_starts(Array<EdgeId>& counts) {
  EdgeId start = 0;
  for (EdgeId& count : counts) start += std::exchange(count, start);
}

/// After filling, counts[v] is the end of row v: moves every value one place up.
void ends_to_offsets(Array<EdgeId>& ends) {
  std::memmove(ends.data() + 1, ends.data(), static_cast<std::size_t>(ends.size() - 1) * sizeof(EdgeId));
  ends[0] = 0;
}

/// Rows as scattered: unsorted, with repetitions. An entry that came from running an arc backwards is
/// stored as ~neighbour where weights must tell the two directions apart.
Adjacency scatter(const EdgeInput& input) {
  const std::int64_t nodes = input.names.size();
  const bool both_ways = !input.directed;
  const bool weighted = !input.weights.empty();
  Adjacency rows;
  rows.offsets = Array<EdgeId>(nodes + 1, 0);
  parallel_for(input.arcs.size(), kArcsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Arc arc = input.arcs[i];
      ensure(arc.source >= 0 && arc.source < nodes && arc.target >= 0 && arc.target < nodes, "arc out of range");
      if (arc.source == arc.target) continue;
      take(rows.offsets[arc.source]);
      if (both_ways) take(rows.offsets[arc.target]);
    }
  });
  lengths_to_starts(rows.offsets);
  rows.neighbors = Array<NodeId>(rows.offsets[nodes]);
  if (weighted) rows.weights = Array<float>(rows.offsets[nodes]);
  parallel_for(input.arcs.size(), kArcsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Arc arc = input.arcs[i];
      if (arc.source == arc.target) continue;
      const EdgeId forward = take(rows.offsets[arc.source]);
      rows.neighbors[forward] = arc.target;
      if (weighted) rows.weights[forward] = input.weights[i];
      if (!both_ways) continue;
      const EdgeId backward = take(rows.offsets[arc.target]);
      rows.neighbors[backward] = weighted ? ~arc.source : arc.source;
      if (weighted) rows.weights[backward] = input.weights[i];
    }
  });
  ends_to_offsets(rows.offsets);
  return rows;
}

/// Sorts a row and drops repetitions; returns how many are left.
EdgeId merge_row(NodeId* first, NodeId* last) {
  std::sort(first, last);
  return std::unique(first, last) - first;
}

struct WeightedEntry {
  NodeId neighbor;
  bool backward;
  float weight;

  friend auto operator<=>(const WeightedEntry&, const WeightedEntry&) = default;
};

/// The same with weights. `scratch` is reused from row to row.
EdgeId merge_row(NodeId* neighbors, float* weights, EdgeId length, std::vector<WeightedEntry>& scratch) {
  scratch.clear();
  for (EdgeId i = 0; i < length; ++i) {
    const bool backward = neighbors[i] < 0;
    scratch.push_back({backward ? ~neighbors[i] : neighbors[i], backward, weights[i]});
  }
  std::sort(scratch.begin(), scratch.end());
  EdgeId kept = 0;
  for (auto entry = scratch.begin(); entry != scratch.end();) {
    const NodeId neighbor = entry->neighbor;
    double sums[2] = {0, 0};
    bool given[2] = {false, false};
    for (; entry != scratch.end() && entry->neighbor == neighbor; ++entry) {
      sums[entry->backward] += entry->weight;
      given[entry->backward] = true;
    }
    const double weight = given[0] && given[1] ? std::max(sums[0], sums[1]) : given[0] ? sums[0] : sums[1];
    neighbors[kept] = neighbor;
    weights[kept] = static_cast<float>(weight);
    ++kept;
  }
  return kept;
}

/// Sorts all rows, merges repetitions and closes the gaps they leave.
void merge_rows(Adjacency& rows) {
  const std::int64_t nodes = rows.offsets.size() - 1;
  const bool weighted = !rows.weights.empty();
  Array<EdgeId> lengths(nodes);
  parallel_for(nodes, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    std::vector<WeightedEntry> scratch;
    for (std::int64_t v = begin; v < end; ++v) {
      const EdgeId start = rows.offsets[v];
      const EdgeId length = rows.offsets[v + 1] - start;
      NodeId* first = rows.neighbors.data() + start;
      lengths[v] = weighted ? merge_row(first, rows.weights.data() + start, length, scratch)
                            : merge_row(first, first + length);
    }
  });
  EdgeId place = 0;
  for (std::int64_t v = 0; v < nodes; ++v) {
    const EdgeId start = rows.offsets[v];
    if (place != start) {
      std::copy_n(rows.neighbors.data() + start, lengths[v], rows.neighbors.data() + place);
      if (weighted) std::copy_n(rows.weights.data() + start, lengths[v], rows.weights.data() + place);
    }
    rows.offsets[v] = place;
    place += lengths[v];
  }
  rows.offsets[nodes] = place;
  rows.neighbors.shrink(place);
  if (weighted) rows.weights.shrink(place);
}

struct SelfLoops {
  Array<NodeId> nodes;
  Array<float> weights;
};

SelfLoops find_self_loops(const EdgeInput& input) {
  const bool weighted = !input.weights.empty();
  std::vector<std::vector<std::pair<NodeId, float>>> found(
      static_cast<std::size_t>(num_blocks(input.arcs.size(), kArcsPerBlock)));
  parallel_for(input.arcs.size(), kArcsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    auto& mine = found[static_cast<std::size_t>(begin / kArcsPerBlock)];
    for (std::int64_t i = begin; i < end; ++i) {
      const Arc arc = input.arcs[i];
      if (arc.source == arc.target) mine.emplace_back(arc.source, weighted ? input.weights[i] : 1.0f);
    }
  });
  std::vector<std::pair<NodeId, float>> loops;
  for (const auto& some : found) loops.insert(loops.end(), some.begin(), some.end());
  std::sort(loops.begin(), loops.end());
  std::vector<NodeId> nodes;
  std::vector<float> weights;
  for (const auto& [node, weight] : loops) {
    if (nodes.empty() || nodes.back() != node) {
      nodes.push_back(node);
      weights.push_back(0);
    }
    weights.back() += weight;
  }
  if (!weighted) weights.clear();
  return {Array<NodeId>(std::span<const NodeId>(nodes)), Array<float>(std::span<const float>(weights))};
}

}  // namespace

Graph build_graph(EdgeInput input) {
  ensure(input.names.size() <= kMaxNodes, "too many nodes");
  ensure(input.weights.empty() || input.weights.size() == input.arcs.size(), "one weight an arc");
  Graph graph;
  graph.directed_ = input.directed;
  graph.weighted_ = !input.weights.empty();
  SelfLoops loops = find_self_loops(input);
  graph.self_loops_ = std::move(loops.nodes);
  graph.self_loop_weights_ = std::move(loops.weights);
  graph.out_ = scatter(input);
  input.arcs = Array<Arc>();
  input.weights = Array<float>();
  merge_rows(graph.out_);
  if (input.directed) graph.in_ = transpose(graph.out_);
  graph.names_ = std::move(input.names);
  return graph;
}

Adjacency transpose(const Adjacency& adjacency) {
  const std::int64_t nodes = adjacency.offsets.size() - 1;
  const bool weighted = !adjacency.weights.empty();
  Adjacency result;
  result.offsets = Array<EdgeId>(nodes + 1, 0);
  for (const NodeId target : adjacency.neighbors) ++result.offsets[target];
  lengths_to_starts(result.offsets);
  result.neighbors = Array<NodeId>(adjacency.neighbors.size());
  if (weighted) result.weights = Array<float>(adjacency.weights.size());
  // Sources come in ascending order, so every row is filled in ascending order.
  for (std::int64_t v = 0; v < nodes; ++v) {
    for (EdgeId i = adjacency.offsets[v]; i < adjacency.offsets[v + 1]; ++i) {
      const EdgeId place = result.offsets[adjacency.neighbors[i]]++;
      result.neighbors[place] = static_cast<NodeId>(v);
      if (weighted) result.weights[place] = adjacency.weights[i];
    }
  }
  ends_to_offsets(result.offsets);
  return result;
}

}  // namespace gir
