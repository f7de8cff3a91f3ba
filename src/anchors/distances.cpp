#include "gir/anchors/distances.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/parallel.h"
#include "gir/core/text.h"

namespace gir {
namespace {

constexpr std::int64_t kWords = 4;            ///< of 64 bits per node, one bit per source
constexpr std::int64_t kLanes = 64 * kWords;  ///< number of sources of one search
constexpr std::int64_t kNodesPerBlock = 1 << 9;

/// One bit per source of a search.
struct Lanes {
  std::array<std::uint64_t, kWords> words{};

  bool any() const { return (words[0] | words[1] | words[2] | words[3]) != 0; }
  void add(const Lanes& other) {
    for (std::size_t i = 0; i < kWords; ++i) words[i] |= other.words[i];
  }
  void remove(const Lanes& other) {
    for (std::size_t i = 0; i < kWords; ++i) words[i] &= ~other.words[i];
  }
  friend bool operator==(const Lanes&, const Lanes&) = default;
};

/// Breadth-first search from up to kLanes sets of sources at once (MS-BFS; Then et al., "The more the merrier:
/// efficient multi-source graph traversal", 2014): at level l + 1, a node receives the bits that its in-neighbours
/// received at level l and that it has not received before.
class ManySourceSearch {
 public:
  ManySourceSearch(const Graph& graph, DistanceTable& table)
      : graph_(graph),
        table_(table),
        seen_(graph.num_nodes()),
        frontier_(graph.num_nodes()),
        next_(graph.num_nodes()) {}

  /// Searches from `lanes` sets, beginning with set `first_column`, and writes the same columns of the table.
  void run(std::int64_t first_column, std::int64_t lanes, Hops max_hops, const NodeSets& sources) {
    first_column_ = first_column;
    clear();
    for (std::int64_t lane = 0; lane < lanes; ++lane) begin(lane, sources[first_column + lane]);
    for (Hops level = 1; level <= max_hops && advance(level); ++level) {
      std::swap(frontier_, next_);
      if (level == kMaxHops) break;  // ++level would overflow
    }
  }

 private:
  void clear() {
    parallel_for(graph_.num_nodes(), kNodesPerBlock, [&](std::int64_t begin, std::int64_t end) {
      std::fill(seen_.begin() + begin, seen_.begin() + end, Lanes());
      std::fill(frontier_.begin() + begin, frontier_.begin() + end, Lanes());
    });
    all_ = Lanes();
  }

  void begin(std::int64_t lane, std::span<const NodeId> sources) {
    const auto word = static_cast<std::size_t>(lane / 64);
    const std::uint64_t bit = std::uint64_t{1} << (lane % 64);
    all_.words[word] |= bit;
    for (const NodeId source : sources) {
      seen_[source].words[word] |= bit;
      frontier_[source].words[word] |= bit;
      table_.hops[source * table_.sources + first_column_ + lane] = 0;
    }
  }

  /// Computes one level; returns whether any node received a new bit.
  bool advance(Hops level) {
    std::atomic<bool> any_new{false};
    parallel_for(graph_.num_nodes(), kNodesPerBlock, [&](std::int64_t begin, std::int64_t end) {
      bool found = false;
      for (std::int64_t i = begin; i < end; ++i) {
        const auto node = static_cast<NodeId>(i);
        const Lanes fresh = receive(node);
        next_[node] = fresh;
        if (!fresh.any()) continue;
        found = true;
        seen_[node].add(fresh);
        record(node, fresh, level);
      }
      if (found) any_new.store(true, std::memory_order_relaxed);
    });
    return any_new;
  }

  /// The new bits of a node.
  Lanes receive(NodeId node) const {
    Lanes received;
    if (seen_[node] == all_) return received;  // nothing can be new
    for (const NodeId neighbor : graph_.in_neighbors(node)) received.add(frontier_[neighbor]);
    received.remove(seen_[node]);
    return received;
  }

  /// Writes `level` to the columns of the new bits.
  void record(NodeId node, const Lanes& fresh, Hops level) {
    Hops* row = table_.hops.data() + node * table_.sources + first_column_;
    for (std::size_t word = 0; word < kWords; ++word) {
      for (std::uint64_t bits = fresh.words[word]; bits != 0; bits &= bits - 1) {
        row[word * 64 + static_cast<std::size_t>(std::countr_zero(bits))] = level;
      }
    }
  }

  const Graph& graph_;
  DistanceTable& table_;
  std::int64_t first_column_ = 0;
  Lanes all_;              ///< the bits of all sources
  Array<Lanes> seen_;      ///< bits that a node has received
  Array<Lanes> frontier_;  ///< those of the last level
  Array<Lanes> next_;
};

/// A table of `columns` distances per node, all kNotReached. UserError where it does not fit in memory.
DistanceTable empty_table(std::int64_t nodes, std::int64_t columns) {
  DistanceTable table{.nodes = nodes, .sources = columns, .hops = {}};
  const double bytes = static_cast<double>(nodes) * static_cast<double>(columns) * sizeof(Hops);
  if (bytes > static_cast<double>(memory_limit())) {
    throw UserError("distances from {} sources to {} nodes take {}, more than fits in memory [use fewer sources]",
                    with_thousands(columns), with_thousands(nodes), human_bytes(static_cast<std::int64_t>(bytes)));
  }
  table.hops = Array<Hops>(nodes * columns);
  parallel_for(table.hops.size(), 1 << 18, [&](std::int64_t begin, std::int64_t end) {
    std::fill(table.hops.begin() + begin, table.hops.begin() + end, kNotReached);
  });
  return table;
}

void search_on_cpu(const Graph& graph, const NodeSets& sources, Hops max_hops, DistanceTable& table) {
  ManySourceSearch search(graph, table);
  for (std::int64_t first = 0; first < sources.size(); first += kLanes) {
    search.run(first, std::min(kLanes, sources.size() - first), max_hops, sources);
  }
}

}  // namespace

DistanceTable source_distances(const Graph& graph, std::span<const NodeId> sources, const DistanceOptions& options) {
  return set_distances(graph, singletons(sources), options);
}

DistanceTable set_distances(const Graph& graph, const NodeSets& sets, const DistanceOptions& options) {
  ensure(options.max_hops >= 0, "the limit of hops must not be negative");
  DistanceTable table = empty_table(graph.num_nodes(), sets.size());
  if (!options.search || !options.search(graph, sets, options.max_hops, table)) {
    search_on_cpu(graph, sets, options.max_hops, table);
  }
  return table;
}

}  // namespace gir
