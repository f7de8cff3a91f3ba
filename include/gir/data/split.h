#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gir/data/pairs.h"
#include "gir/data/task.h"
#include "gir/graph/attributes.h"

namespace gir {

/// Shares of what is split; they add up to 1.
struct SplitShares {
  double train = 0.8;
  double valid = 0.1;
  double test = 0.1;
};

/// 60/20/20 for node classification, 80/10/10 for pairs.
SplitShares default_shares(Task task);

/// Pairs with a known answer, fixed by the split's seed.
struct JudgedPairs {
  std::vector<NodePair> positives;
  std::vector<NodePair> negatives;  ///< as many as positives; never a positive of any part
};

/// How many of `count` things each part gets: the shares rounded down, what is left over to the largest
/// remainders, ties to training first.
struct PartSizes {
  std::size_t train;
  std::size_t valid;
  std::size_t test;
};
PartSizes part_sizes(std::size_t count, const SplitShares& shares);

/// Labelled nodes at random into the three parts, each in ascending order. UserError when there are no
/// labels, fewer than two classes or a part would be empty.
NodeSplit split_nodes(const AttributedGraph& graph, std::uint64_t seed, const SplitShares& shares);

/// A pair task, cut so that training cannot see what is judged: the only graph in it is the one that messages,
/// distances and anchors may use.
class PairSplit {
 public:
  /// Link prediction: edges (taken without direction, self loops left out) at random into three parts. The
  /// message graph has all nodes and the training edges only; a directed one keeps their directions.
  static PairSplit of_links(const Graph& graph, std::uint64_t seed, const SplitShares& shares);

  /// Node-pair classification: pairs of nodes of one component with the same label, at random into three
  /// parts. The message graph is the whole graph. Where there are more than `most_positives` such pairs, that
  /// many of them are drawn.
  static PairSplit of_node_pairs(const AttributedGraph& graph, std::uint64_t seed, const SplitShares& shares,
                                 std::size_t most_positives = 2'000'000);

  const Graph& message_graph() const { return message_graph_; }
  const std::vector<NodePair>& train_positives() const { return train_positives_; }
  const JudgedPairs& valid() const { return valid_; }
  const JudgedPairs& test() const { return test_; }

  /// Training negatives, drawn anew for every epoch: as many as training positives, or `count`. They avoid the
  /// training positives only: avoiding the others would tell training about them.
  std::vector<NodePair> train_negatives(std::uint64_t epoch, std::uint64_t seed) const;
  std::vector<NodePair> train_negatives(std::uint64_t epoch, std::uint64_t seed, std::size_t count) const;

  // What they are drawn from, for devices that draw for themselves.
  const PairUniverse& universe() const { return universe_; }
  const PairSet& train_positive_set() const { return train_positive_set_; }
  static RandomStream negatives_stream(std::uint64_t epoch, std::uint64_t seed);

  /// Content hash of everything above but the drawn negatives.
  std::string fingerprint() const;

 private:
  /// Every pair that is positive, in the split or not.
  struct PositivePairs {
    std::uint64_t count;
    std::function<bool(NodePair)> contains;
  };

  void cut(std::vector<NodePair> positives, const PositivePairs& all, std::uint64_t seed, const SplitShares& shares,
           const char* what);

  Graph message_graph_;
  PairUniverse universe_ = PairUniverse::all(0);
  std::vector<NodePair> train_positives_;
  PairSet train_positive_set_;
  PairDrawer negatives_;
  JudgedPairs valid_;
  JudgedPairs test_;
};

}  // namespace gir
