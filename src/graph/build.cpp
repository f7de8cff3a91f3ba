#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/graph/graph.h"

// Arcs are sorted into rows in two passes, because writing each to its row directly would miss the cache every time.
// The first pass partitions them into buckets of consecutive rows, the second sorts every bucket within the cache.

namespace gir {
namespace {

/// One neighbour and the row it belongs to.
struct Entry {
  NodeId row;
  NodeId neighbor;
};

/// The same with a weight. `backward` marks the second direction of an undirected edge, which was given once.
struct WeightedEntry {
  NodeId row;
  NodeId neighbor;
  float weight;
  bool backward;
};

/// Sizes of the first pass. They depend on the graph alone, so that the result is the same on any number of threads.
struct Partition {
  int row_bits;  ///< 2^row_bits rows per bucket
  std::int64_t buckets;
  std::int64_t arcs_per_block;
  std::int64_t blocks;  ///< of arcs that are partitioned in parallel

  Partition(std::int64_t nodes, std::int64_t arcs) {
    constexpr std::int64_t kEntriesPerBucket = 1 << 16;  // 512 KiB without weights, to stay within the cache
    const std::int64_t wanted = std::clamp<std::int64_t>(2 * arcs / kEntriesPerBucket, 1, 1024);
    row_bits = std::bit_width(static_cast<std::uint64_t>(num_blocks(nodes, wanted)));
    buckets = num_blocks(nodes, std::int64_t{1} << row_bits);
    arcs_per_block = std::max<std::int64_t>(1 << 16, num_blocks(arcs, 64));
    blocks = num_blocks(arcs, arcs_per_block);
  }

  std::int64_t bucket(NodeId row) const { return row >> row_bits; }
};

/// Calls `use(row, neighbor, arc_index, backward)` for every entry of the arcs [begin, end): one for a directed arc,
/// two for an undirected edge, none for a self loop.
template <typename Use>
void for_each_entry(const EdgeInput& input, std::int64_t begin, std::int64_t end, const Use& use) {
  for (std::int64_t i = begin; i < end; ++i) {
    const Arc arc = input.arcs[i];
    if (arc.source == arc.target) continue;
    use(arc.source, arc.target, i, false);
    if (!input.directed) use(arc.target, arc.source, i, true);
  }
}

/// Entries in bucket order; bucket b is entries[starts[b] .. starts[b+1]).
template <typename E>
struct Buckets {
  Array<E> entries;
  std::vector<EdgeId> starts;
};

/// The first pass: counts the entries of every (block, bucket), turns the counts into positions, then writes.
template <typename E>
Buckets<E> partition_arcs(const EdgeInput& input, const Partition& partition) {
  const std::int64_t nodes = input.names.size();
  // place[block * buckets + bucket]: first the number of entries, then the position of the block's next entry.
  std::vector<EdgeId> place(static_cast<std::size_t>(partition.blocks * partition.buckets), 0);
  parallel_for(input.arcs.size(), partition.arcs_per_block, [&](std::int64_t begin, std::int64_t end) {
    EdgeId* counts = place.data() + begin / partition.arcs_per_block * partition.buckets;
    bool in_range = true;
    for (std::int64_t i = begin; i < end; ++i) {
      const Arc arc = input.arcs[i];
      in_range &= arc.source >= 0 && arc.source < nodes && arc.target >= 0 && arc.target < nodes;
    }
    ensure(in_range, "arc out of range");
    for_each_entry(input, begin, end, [&](NodeId row, NodeId, std::int64_t, bool) { ++counts[partition.bucket(row)]; });
  });
  Buckets<E> result;
  EdgeId total = 0;
  for (std::int64_t bucket = 0; bucket < partition.buckets; ++bucket) {
    result.starts.push_back(total);
    for (std::int64_t block = 0; block < partition.blocks; ++block) {
      total += std::exchange(place[static_cast<std::size_t>(block * partition.buckets + bucket)], total);
    }
  }
  result.starts.push_back(total);
  result.entries = Array<E>(total);
  parallel_for(input.arcs.size(), partition.arcs_per_block, [&](std::int64_t begin, std::int64_t end) {
    EdgeId* next = place.data() + begin / partition.arcs_per_block * partition.buckets;
    for_each_entry(input, begin, end, [&](NodeId row, NodeId neighbor, std::int64_t arc, bool backward) {
      E& entry = result.entries[next[partition.bucket(row)]++];
      if constexpr (std::is_same_v<E, WeightedEntry>) {
        entry = {row, neighbor, input.weights[arc], backward};
      } else {
        entry = {row, neighbor};
      }
    });
  });
  return result;
}

/// Stable counting sort of `from` into `to` by `key(entry)` in [0, keys).
template <typename E, typename Key>
void sort_by(std::span<const E> from, std::span<E> to, std::size_t keys, const Key& key,
             std::vector<std::size_t>& starts) {
  starts.assign(keys, 0);
  for (const E& entry : from) ++starts[key(entry)];
  std::exclusive_scan(starts.begin(), starts.end(), starts.begin(), std::size_t{0});
  for (const E& entry : from) to[starts[key(entry)]++] = entry;
}

/// Radix sort by neighbour, then a stable counting sort by row. The result is in `entries`.
template <typename E>
void sort_bucket(std::span<E> entries, NodeId first_row, std::size_t rows, std::int64_t nodes) {
  constexpr int kDigitBits = 11;
  Array<E> scratch(static_cast<std::int64_t>(entries.size()));
  std::vector<std::size_t> starts;
  std::span<E> from = entries;
  std::span<E> to = scratch.span();
  for (int shift = 0; ((nodes - 1) >> shift) > 0; shift += kDigitBits) {
    const auto digit = [&](const E& entry) {
      return static_cast<std::size_t>(entry.neighbor >> shift) % (1 << kDigitBits);
    };
    sort_by<E>(from, to, std::size_t{1} << kDigitBits, digit, starts);
    std::swap(from, to);
  }
  const auto row = [&](const E& entry) { return static_cast<std::size_t>(entry.row - first_row); };
  sort_by<E>(from, to, rows, row, starts);
  if (to.data() != entries.data()) std::copy(to.begin(), to.end(), entries.begin());
}

/// The weight of an edge that these entries give, see build_graph(). They are sorted before they are added up, so that
/// the rounding of the sum does not depend on the order of the input.
float merged_weight(std::span<WeightedEntry> repetitions) {
  if (repetitions.size() == 1) return repetitions.front().weight;
  std::sort(repetitions.begin(), repetitions.end(),
            [](const WeightedEntry& a, const WeightedEntry& b) { return a.weight < b.weight; });
  double sums[2] = {0, 0};
  bool given[2] = {false, false};
  for (const WeightedEntry& entry : repetitions) {
    sums[entry.backward] += entry.weight;
    given[entry.backward] = true;
  }
  return static_cast<float>(given[0] && given[1] ? std::max(sums[0], sums[1]) : sums[given[1]]);
}

/// The second pass for one bucket: writes its rows to `rows` from `start` on, sorted and without repetitions, and their
/// lengths to `lengths`.
template <typename E>
void fill_bucket(std::span<E> entries, NodeId first_row, EdgeId start, std::span<EdgeId> lengths, Adjacency& rows) {
  sort_bucket(entries, first_row, lengths.size(), rows.offsets.size() - 1);
  std::fill(lengths.begin(), lengths.end(), 0);
  for (std::size_t i = 0; i < entries.size();) {
    const NodeId row = entries[i].row;
    const NodeId neighbor = entries[i].neighbor;
    std::size_t end = i + 1;
    while (end < entries.size() && entries[end].row == row && entries[end].neighbor == neighbor) ++end;
    rows.neighbors[start] = neighbor;
    if constexpr (std::is_same_v<E, WeightedEntry>) rows.weights[start] = merged_weight(entries.subspan(i, end - i));
    ++start;
    ++lengths[static_cast<std::size_t>(row - first_row)];
    i = end;
  }
}

/// Turns row lengths into row offsets, in place.
void lengths_to_starts(Array<EdgeId>& lengths) {
  std::exclusive_scan(lengths.begin(), lengths.end(), lengths.begin(), EdgeId{0});
}

template <typename E>
Adjacency build_rows(EdgeInput& input) {
  const std::int64_t nodes = input.names.size();
  const Partition partition(nodes, input.arcs.size());
  Buckets<E> buckets = partition_arcs<E>(input, partition);
  input.arcs = Array<Arc>();  // frees them: they are in the buckets now
  input.weights = Array<float>();

  Adjacency rows;
  rows.offsets = Array<EdgeId>(nodes + 1);
  rows.neighbors = Array<NodeId>(buckets.entries.size());
  if constexpr (std::is_same_v<E, WeightedEntry>) rows.weights = Array<float>(buckets.entries.size());
  std::vector<EdgeId> sizes(static_cast<std::size_t>(partition.buckets));
  parallel_blocks(partition.buckets, [&](std::int64_t b) {
    const std::int64_t first_row = b << partition.row_bits;
    const std::int64_t end_row = std::min(nodes, (b + 1) << partition.row_bits);
    const EdgeId start = buckets.starts[static_cast<std::size_t>(b)];
    const EdgeId end = buckets.starts[static_cast<std::size_t>(b) + 1];
    const auto lengths =
        rows.offsets.span().subspan(static_cast<std::size_t>(first_row), static_cast<std::size_t>(end_row - first_row));
    fill_bucket(std::span<E>(buckets.entries.data() + start, static_cast<std::size_t>(end - start)),
                static_cast<NodeId>(first_row), start, lengths, rows);
    sizes[static_cast<std::size_t>(b)] = std::accumulate(lengths.begin(), lengths.end(), EdgeId{0});
  });
  buckets.entries = Array<E>();
  // Every bucket was written at its position before repeated entries were merged.
  rows.neighbors.close_gaps(buckets.starts, sizes);
  if (!rows.weights.empty()) rows.weights.close_gaps(buckets.starts, sizes);
  rows.offsets[nodes] = 0;
  lengths_to_starts(rows.offsets);
  return rows;
}

struct SelfLoops {
  Array<NodeId> nodes;
  Array<float> weights;
};

SelfLoops find_self_loops(const EdgeInput& input) {
  constexpr std::int64_t kArcsPerBlock = 1 << 16;
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
  ensure(input.weights.empty() || input.weights.size() == input.arcs.size(), "expected one weight per arc");
  Graph graph;
  graph.directed_ = input.directed;
  graph.weighted_ = !input.weights.empty();
  SelfLoops loops = find_self_loops(input);
  graph.self_loops_ = std::move(loops.nodes);
  graph.self_loop_weights_ = std::move(loops.weights);
  graph.out_ = graph.weighted_ ? build_rows<WeightedEntry>(input) : build_rows<Entry>(input);
  if (input.directed) graph.in_ = transpose(graph.out_);
  graph.names_ = std::move(input.names);
  return graph;
}

Adjacency transpose(const Adjacency& adjacency) {
  constexpr std::int64_t kRowsPerBlock = 1 << 12;
  const std::int64_t nodes = adjacency.offsets.size() - 1;
  EdgeInput reversed;
  reversed.directed = true;
  reversed.arcs = Array<Arc>(adjacency.neighbors.size());
  reversed.weights = adjacency.weights.clone();
  reversed.names = NodeNames::positions(nodes);
  parallel_for(nodes, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      for (EdgeId i = adjacency.offsets[v]; i < adjacency.offsets[v + 1]; ++i) {
        reversed.arcs[i] = {adjacency.neighbors[i], static_cast<NodeId>(v)};
      }
    }
  });
  return reversed.weights.empty() ? build_rows<Entry>(reversed) : build_rows<WeightedEntry>(reversed);
}

}  // namespace gir
