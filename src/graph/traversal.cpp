#include "gir/graph/traversal.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/parallel.h"

namespace gir {
namespace {

constexpr std::int64_t kFrontierPerBlock = 256;
constexpr std::int64_t kNodesPerBlock = 1 << 12;

/// Nodes in the order in which they were reached. Threads append to it in batches.
class Queue {
 public:
  explicit Queue(std::int64_t nodes) : nodes_(nodes) {}

  void push(const NodeId* first, std::int64_t count) {
    std::copy_n(first, count, nodes_.data() + end_.fetch_add(count, std::memory_order_relaxed));
  }
  NodeId operator[](std::int64_t i) const { return nodes_[i]; }
  std::int64_t end() const { return end_.load(std::memory_order_relaxed); }

 private:
  Array<NodeId> nodes_;
  std::atomic<std::int64_t> end_{0};
};

/// One breadth-first search, level by level. The order of the nodes within a level depends on the threads; the
/// distances do not.
class BreadthFirstSearch {
 public:
  BreadthFirstSearch(const Graph& graph, bool undirected)
      : nodes_(graph.num_nodes()), forward_{&graph.out()}, backward_{&graph.in()}, found_(nodes_), distances_(nodes_) {
    if (undirected && graph.directed()) {
      forward_.push_back(&graph.in());
      backward_.push_back(&graph.out());
    }
    unexplored_arcs_ = graph.num_arcs() * static_cast<EdgeId>(forward_.size());
    parallel_for(nodes_, kNodesPerBlock, [&](std::int64_t begin, std::int64_t end) {
      std::fill(distances_.begin() + begin, distances_.begin() + end, kUnreachable);
    });
  }

  Array<std::int32_t> run(std::span<const NodeId> sources) && {
    {
      Batch batch(*this);
      for (const NodeId source : sources) {
        ensure(source >= 0 && source < nodes_ && distances_[source] == kUnreachable, "sources are distinct nodes");
        distances_[source] = 0;
        batch.add(source);
      }
    }
    for (std::int64_t begin = 0; begin < found_.end(); ++level_) {
      const std::int64_t end = found_.end();
      const EdgeId frontier_arcs = found_arcs_.exchange(0);
      unexplored_arcs_ -= frontier_arcs;
      // Direction-optimising search (Beamer, Asanovic and Patterson, 2012): a node that has not been reached looks for
      // a neighbour in the frontier and stops at the first, which is soon where the frontier is a large part of the
      // graph.
      if (frontier_arcs > nodes_ + unexplored_arcs_ / 16) {
        search_backward();
      } else {
        search_forward(begin, end);
      }
      begin = end;
    }
    return std::move(distances_);
  }

 private:
  /// Nodes reached by one thread, collected before they are appended to the queue.
  class Batch {
   public:
    explicit Batch(BreadthFirstSearch& search) : search_(search) {}
    ~Batch() {
      flush();
      search_.found_arcs_.fetch_add(arcs_, std::memory_order_relaxed);
    }
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    void add(NodeId node) {
      if (size_ == nodes_.size()) flush();
      nodes_[size_++] = node;
      for (const Adjacency* rows : search_.forward_) arcs_ += rows->offsets[node + 1] - rows->offsets[node];
    }

   private:
    void flush() { search_.found_.push(nodes_.data(), static_cast<std::int64_t>(std::exchange(size_, 0))); }

    BreadthFirstSearch& search_;
    std::array<NodeId, 512> nodes_;
    std::size_t size_ = 0;
    EdgeId arcs_ = 0;
  };

  std::atomic_ref<std::int32_t> distance(NodeId node) { return std::atomic_ref(distances_[node]); }

  /// Whether this thread is the first to reach the node. The plain load avoids most atomic exchanges.
  bool claim(NodeId node) {
    std::int32_t unreached = kUnreachable;
    return distance(node).load(std::memory_order_relaxed) == kUnreachable &&
           distance(node).compare_exchange_strong(unreached, level_ + 1, std::memory_order_relaxed);
  }

  void search_forward(std::int64_t begin, std::int64_t end) {
    // Graphs of a large diameter have many levels of few nodes: too little work for a parallel loop.
    if (end - begin <= kFrontierPerBlock) return expand(begin, end);
    parallel_for(end - begin, kFrontierPerBlock,
                 [&](std::int64_t from, std::int64_t to) { expand(begin + from, begin + to); });
  }

  void expand(std::int64_t begin, std::int64_t end) {
    Batch batch(*this);
    for (std::int64_t i = begin; i < end; ++i) {
      for (const Adjacency* rows : forward_) {
        for (const NodeId v : rows->row(found_[i])) {
          if (claim(v)) batch.add(v);
        }
      }
    }
  }

  bool has_neighbor_in_frontier(NodeId node) {
    return std::any_of(backward_.begin(), backward_.end(), [&](const Adjacency* rows) {
      const auto row = rows->row(node);
      return std::any_of(row.begin(), row.end(),
                         [&](NodeId u) { return distance(u).load(std::memory_order_relaxed) == level_; });
    });
  }

  void search_backward() {
    parallel_for(nodes_, kNodesPerBlock, [&](std::int64_t begin, std::int64_t end) {
      Batch batch(*this);
      for (std::int64_t i = begin; i < end; ++i) {
        const auto v = static_cast<NodeId>(i);
        if (distance(v).load(std::memory_order_relaxed) != kUnreachable || !has_neighbor_in_frontier(v)) continue;
        distance(v).store(level_ + 1, std::memory_order_relaxed);
        batch.add(v);
      }
    });
  }

  std::int64_t nodes_;
  std::vector<const Adjacency*> forward_;
  std::vector<const Adjacency*> backward_;
  Queue found_;
  Array<std::int32_t> distances_;
  std::int32_t level_ = 0;             ///< distance of the frontier
  std::atomic<EdgeId> found_arcs_{0};  ///< out-arcs of the nodes reached in this level
  EdgeId unexplored_arcs_ = 0;         ///< out-arcs of the nodes that have not been expanded
};

}  // namespace

Array<std::int32_t> hop_distances(const Graph& graph, NodeId source, const TraversalOptions& options) {
  return hop_distances(graph, std::span<const NodeId>(&source, 1), options);
}

Array<std::int32_t> hop_distances(const Graph& graph, std::span<const NodeId> sources,
                                  const TraversalOptions& options) {
  return BreadthFirstSearch(graph, options.undirected).run(sources);
}

std::int32_t eccentricity(const Graph& graph, NodeId source, const TraversalOptions& options) {
  const auto distances = hop_distances(graph, source, options);
  return *std::max_element(distances.begin(), distances.end());
}

}  // namespace gir
