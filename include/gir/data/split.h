#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/export.h"
#include "gir/data/pairs.h"
#include "gir/data/task.h"
#include "gir/graph/attributes.h"
#include "gir/io/split_files.h"

namespace gir {

/// Shares of the training, validation and test set; they add up to 1. Only the test share may be 0: there is no test
/// set then, and everything that is known is for training and validation.
struct GIR_API SplitShares {
  double train = 0.8;
  double valid = 0.1;
  double test = 0.1;
};

/// Shares from text such as "0.85,0.05,0.1". UserError for anything else, and for shares as above that are not valid.
GIR_API SplitShares parse_shares(std::string_view text);

/// The text that parse_shares() reads.
GIR_API std::string shares_text(const SplitShares& shares);

/// 60/20/20 for node classification, 80/10/10 for pairs.
GIR_API SplitShares default_shares(Task task);

/// The pairs of a validation or test set. Where they are drawn, they depend on the split's seed alone.
struct GIR_API EvaluationPairs {
  std::vector<NodePair> positives;
  std::vector<NodePair> negatives;  ///< never a positive of any part; as many as positives unless they were given
};

/// Sizes of the three parts of `count` items: the shares rounded down; the remaining items go to the parts with the
/// largest remainders, ties to training first.
struct GIR_API PartSizes {
  std::size_t train;
  std::size_t valid;
  std::size_t test;
};
GIR_API PartSizes part_sizes(std::size_t count, const SplitShares& shares);

/// Splits the labelled nodes at random into three parts, each in ascending order. UserError when there are no labels,
/// fewer than two classes, or a part with a share would be empty.
GIR_API NodeSplit split_nodes(const AttributedGraph& graph, std::uint64_t seed, const SplitShares& shares);

/// The official split of the graph, which has one, without unlabelled nodes. UserError where a part has no labelled
/// nodes.
GIR_API NodeSplit official_node_split(const AttributedGraph& graph);

/// A split of nodes that someone provides, and what the user should know about it.
struct GIR_API GivenNodeSplit {
  NodeSplit split;  ///< each part in ascending order
  std::vector<std::string> notes = {};
};

/// Checks a split of nodes. Where it has no validation nodes, a part of the training nodes is drawn by `seed`, of the
/// size that `shares` give it: valid / (train + valid). UserError, with the place, for nodes without a label, nodes in
/// two parts and empty parts.
GIR_API GivenNodeSplit given_node_split(const AttributedGraph& graph, const NodeLists& lists, std::uint64_t seed,
                                        const SplitShares& shares);

/// The split of a task on pairs of nodes. It contains no graph but the message graph, on which messages, distances and
/// anchors are computed: held-out edges cannot leak into training.
class GIR_API PairSplit {
 public:
  /// Link prediction: splits the edges (ignoring directions, without self loops) at random into three parts. The
  /// message graph has all nodes and the training edges only; that of a directed graph keeps their directions.
  static PairSplit of_links(const Graph& graph, std::uint64_t seed, const SplitShares& shares);

  /// Node-pair classification: splits the pairs of nodes of one component with the same label at random into three
  /// parts. The message graph is the whole graph. Where there are more than `max_positives` such pairs, that many are
  /// sampled.
  static PairSplit of_node_pairs(const AttributedGraph& graph, std::uint64_t seed, const SplitShares& shares,
                                 std::size_t max_positives = 2'000'000);

  /// Link prediction with a split that someone provides. Every edge of the graph must be in exactly one part. Without
  /// validation pairs, a part of the training pairs is drawn by `seed`, of the size that `shares` give it: valid /
  /// (train + valid); its negatives are drawn from the training negatives, if there are any. Missing negatives are
  /// drawn as in of_links(). Training negatives are always sampled. UserError, with the place of the first example, for
  /// pairs that occur twice, positives that are no edges, negatives that are edges, and edges that are in no part.
  static PairSplit of_given_links(const Graph& graph, const PairLists& lists, std::uint64_t seed,
                                  const SplitShares& shares);

  /// The same for node-pair classification: positives must have the same label, negatives different labels. Not all
  /// pairs of the graph need to be in the split.
  static PairSplit of_given_node_pairs(const AttributedGraph& graph, const PairLists& lists, std::uint64_t seed,
                                       const SplitShares& shares);

  const Graph& message_graph() const { return message_graph_; }
  const std::vector<NodePair>& train_positives() const { return train_positives_; }
  const EvaluationPairs& valid() const { return valid_; }
  const EvaluationPairs& test() const { return test_; }

  /// Negative samples for training, different in every epoch: as many as training positives, or `count`. They avoid the
  /// training positives only: avoiding held-out positives would leak them.
  std::vector<NodePair> train_negatives(std::uint64_t epoch, std::uint64_t seed) const;
  std::vector<NodePair> train_negatives(std::uint64_t epoch, std::uint64_t seed, std::size_t count) const;

  // What negative samples are drawn from, for sampling on a device.
  const PairUniverse& universe() const { return universe_; }
  const PairSet& train_positive_set() const { return train_positive_set_; }
  static RandomStream negatives_stream(std::uint64_t epoch, std::uint64_t seed);

  /// What the user should know about a split that was provided.
  const std::vector<std::string>& notes() const { return notes_; }

  /// The graph of everything known when test pairs are scored: the training and validation edges of `graph`, which the
  /// split was made of. Of link prediction.
  Graph known_graph(const Graph& graph) const;

  /// The same split with the validation part in the training part, for a last training on everything known.
  static PairSplit without_validation(PairSplit split, const Graph& graph, Task task);

  /// Content hash of the message graph and of all pairs but the training negatives.
  std::string fingerprint() const;

 private:
  /// All positive pairs, whether they are in the split or not.
  struct PositivePairs {
    std::uint64_t count;
    std::function<bool(NodePair)> contains;
    const char* what_is_missing = "";  ///< of two nodes that are no positive pair, for messages
    const char* what_is_there = "";    ///< of a positive pair
  };

  void take_lists(const PairLists& lists, const PositivePairs& all, bool directed, const NodeNames& names,
                  std::uint64_t seed, const SplitShares& shares);
  void use_training_positives(std::vector<NodePair> positives);
  void assign_parts(std::vector<NodePair> positives, const PositivePairs& all, std::uint64_t seed,
                    const SplitShares& shares, const char* what);

  Graph message_graph_;
  PairUniverse universe_ = PairUniverse::all(0);
  std::vector<NodePair> train_positives_;
  PairSet train_positive_set_;
  PairDrawer negatives_;
  EvaluationPairs valid_;
  EvaluationPairs test_;
  std::vector<std::string> notes_;
};

}  // namespace gir
