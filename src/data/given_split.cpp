#include <algorithm>
#include <optional>
#include <string_view>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/data/split.h"
#include "gir/graph/components.h"
#include "split_parts.h"

namespace gir {
namespace {

/// The shares for taking a validation part out of the training part.
SplitShares without_test(const SplitShares& shares) {
  const double known = shares.train + shares.valid;
  return {.train = shares.train / known, .valid = shares.valid / known, .test = 0};
}

std::string note_of_carved(const std::string& where, std::size_t valid, std::size_t train, std::string_view what) {
  return fmt::format("{}: the split has no validation part: {} of {} training {} were drawn for validation", where,
                     with_thousands(static_cast<std::int64_t>(valid)), with_thousands(static_cast<std::int64_t>(train)),
                     what);
}

/// Reads the lists of a split one after the other; every pair may be in one of them only.
class DistinctPairs {
 public:
  DistinctPairs(bool directed, const NodeNames& names) : directed_(directed), names_(names) {}

  /// The pairs of a list, after a check of each. Where the graph is directed, a list may have both directions of a
  /// pair, which is one item of the result.
  template <typename Check>
  std::vector<NodePair> read(const ListedPairs& list, const Check& check) {
    lists_.push_back(&list);
    PairSet ascending;   // the directions of this list, first < second
    PairSet descending;  // and first > second
    std::vector<NodePair> pairs;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const NodeId u = list.items[i].first;
      const NodeId v = list.items[i].second;
      if (u == v) {
        throw UserError("{}: {} is paired with itself [remove the line]", list.place(i), quoted(names_.name(u)));
      }
      const NodePair pair = make_pair_of(u, v);
      const bool new_direction = (u < v ? ascending : descending).insert(pair);
      const bool is_new = all_.insert(pair);
      const bool reverse_of_this_list = (u < v ? descending : ascending).contains(pair);
      if (!is_new && !(directed_ && new_direction && reverse_of_this_list)) refuse_repetition(i, pair);
      check(pair, [&] { return fmt::format("{}: {} and {}", list.place(i), name(u), name(v)); });
      if (is_new) pairs.push_back(pair);
    }
    return pairs;
  }

  const PairSet& all() const { return all_; }

 private:
  std::string name(NodeId node) const { return quoted(names_.name(node)); }

  [[noreturn]] void refuse_repetition(std::size_t item, NodePair pair) const {
    const ListedPairs& last = *lists_.back();
    for (const ListedPairs* list : lists_) {
      for (std::size_t i = 0; i < list->items.size(); ++i) {
        if (make_pair_of(list->items[i].first, list->items[i].second) != pair) continue;
        throw UserError("{}: {} and {} are also at {} [a pair may be in one part only, and there once]",
                        last.place(item), name(pair.first), name(pair.second), list->place(i));
      }
    }
    throw InternalError("a repeated pair is in a list");
  }

  bool directed_;
  const NodeNames& names_;
  std::vector<const ListedPairs*> lists_;
  PairSet all_;
};

void reject_negatives_alone(const ListedPairs& positives, const ListedPairs& negatives, const char* part) {
  if (!negatives.given() || positives.given()) return;
  throw UserError("{}: negatives of a part without positives [add the {} part, or remove the file]", negatives.where,
                  part);
}

/// Removes `count` random pairs from the front of a random order, at most all of them.
std::vector<NodePair> draw_some(std::vector<NodePair> pairs, std::size_t count, Rng rng) {
  rng.shuffle(pairs);
  pairs.resize(std::min(count, pairs.size()));
  return pairs;
}

}  // namespace

/// Everything but the message graph. `all.contains` returns whether a pair is positive, in a part or not.
void PairSplit::take_lists(const PairLists& lists, const PositivePairs& all, bool directed, const NodeNames& names,
                           std::uint64_t seed, const SplitShares& shares) {
  notes_ = lists.notes;
  reject_negatives_alone(lists.valid, lists.valid_negatives, "valid");
  reject_negatives_alone(lists.test, lists.test_negatives, "test");
  DistinctPairs pairs(directed, names);
  const auto positives_of = [&](const ListedPairs& list) {
    return pairs.read(list, [&](NodePair pair, const auto& place) {
      if (!all.contains(pair)) throw UserError("{} {} [remove the pair from the split]", place(), all.what_is_missing);
    });
  };
  std::vector<NodePair> train = positives_of(lists.train);
  valid_.positives = positives_of(lists.valid);
  test_.positives = positives_of(lists.test);
  const auto negatives_of = [&](const ListedPairs& list) {
    return pairs.read(list, [&](NodePair pair, const auto& place) {
      if (all.contains(pair)) throw UserError("{} {} [remove the pair from the negatives]", place(), all.what_is_there);
    });
  };
  const std::vector<NodePair> train_negatives = negatives_of(lists.train_negatives);
  valid_.negatives = negatives_of(lists.valid_negatives);
  test_.negatives = negatives_of(lists.test_negatives);

  if (valid_.positives.empty()) {
    auto parts = shuffle_and_split(std::move(train), without_test(shares), Rng(seed, "split/positives"));
    notes_.push_back(note_of_carved(lists.train.where, parts[1].size(), parts[0].size() + parts[1].size(), "pairs"));
    train = std::move(parts[0]);
    valid_.positives = std::move(parts[1]);
    valid_.negatives = draw_some(train_negatives, valid_.positives.size(), Rng(seed, "split/valid-negatives"));
  } else if (lists.train_negatives.given()) {
    notes_.push_back(
        fmt::format("{}: not used: training negatives are sampled anew in every epoch", lists.train_negatives.where));
  }
  if (train.empty() || valid_.positives.empty()) {
    throw UserError("{}: the training part is too small [it needs pairs for training and for validation]",
                    lists.train.where);
  }

  // Drawn together, so that no negative is in both sets, and apart from those that were given.
  const std::size_t for_valid = valid_.negatives.empty() ? valid_.positives.size() : 0;
  const std::size_t for_test = test_.negatives.empty() ? test_.positives.size() : 0;
  if (for_valid + for_test > 0) {
    const std::uint64_t given = train_negatives.size() +
                                valid_.negatives.size() * (lists.valid_negatives.given() ? 1 : 0) +
                                test_.negatives.size();
    const auto excluded = [&](NodePair pair) { return all.contains(pair) || pairs.all().contains(pair); };
    const auto drawn = draw_pairs(universe_, for_valid + for_test, all.count + given, excluded,
                                  RandomStream(seed, "split/negatives"), "validation and test negatives");
    const auto valid_end = drawn.begin() + static_cast<std::ptrdiff_t>(for_valid);
    if (for_valid > 0) valid_.negatives.assign(drawn.begin(), valid_end);
    if (for_test > 0) test_.negatives.assign(valid_end, drawn.end());
  }
  use_training_positives(std::move(train));
}

PairSplit PairSplit::of_given_links(const Graph& graph, const PairLists& lists, std::uint64_t seed,
                                    const SplitShares& shares) {
  PairSplit split;
  split.universe_ = PairUniverse::all(graph.num_nodes());
  const PositivePairs all{.count = static_cast<std::uint64_t>(count_undirected_edges(graph)),
                          .contains =
                              [&](NodePair pair) {
                                return graph.has_arc(pair.first, pair.second) || graph.has_arc(pair.second, pair.first);
                              },
                          .what_is_missing = "are not linked by an edge of the graph",
                          .what_is_there = "are linked by an edge of the graph"};
  split.take_lists(lists, all, graph.directed(), graph.names(), seed, shares);
  const std::size_t covered =
      split.train_positives_.size() + split.valid_.positives.size() + split.test_.positives.size();
  if (covered < all.count) {
    PairSet positives(covered);
    for (const auto* part : {&split.train_positives_, &split.valid_.positives, &split.test_.positives}) {
      for (const NodePair pair : *part) positives.insert(pair);
    }
    for (const Arc edge : undirected_edges(graph)) {
      if (positives.contains(make_pair_of(edge.source, edge.target))) continue;
      throw UserError(
          "{}: {} edges of the graph are in no part of the split, the first one joins {} and {} [add them to a part, "
          "or "
          "omit `graph`: the graph is then the edges of the split]",
          lists.train.where, all.count - covered, quoted(graph.names().name(edge.source)),
          quoted(graph.names().name(edge.target)));
    }
  }
  split.message_graph_ = filter_edges(
      graph, [&](NodeId u, NodeId v) { return u != v && split.train_positive_set_.contains(make_pair_of(u, v)); });
  return split;
}

PairSplit PairSplit::of_given_node_pairs(const AttributedGraph& graph, const PairLists& lists, std::uint64_t seed,
                                         const SplitShares& shares) {
  const auto& classes = graph.labels.classes;
  if (classes.empty()) {
    throw UserError("node-pair classification needs labels [set `labels` to a file of node labels]");
  }
  const Components components = connected_components(graph.graph);
  PairSplit split;
  split.universe_ = universe_within(components, graph.labels);
  const auto same_label = [&](NodePair pair) { return classes[pair.first] == classes[pair.second]; };
  for (const ListedPairs* list : {&lists.train, &lists.train_negatives, &lists.valid, &lists.valid_negatives,
                                  &lists.test, &lists.test_negatives}) {
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      for (const NodeId node : {list->items[i].first, list->items[i].second}) {
        if (classes[node] != Labels::kNone) continue;
        throw UserError("{}: {} has no label [remove the pair from the split]", list->place(i),
                        quoted(graph.graph.names().name(node)));
      }
    }
  }
  const Groups groups = group_by_component_and_label(components, graph.labels);
  const PositivePairs all{.count = PairUniverse::within(groups.of_node, groups.count).size(),
                          .contains = same_label,
                          .what_is_missing = "do not have the same label",
                          .what_is_there = "have the same label"};
  split.take_lists(lists, all, false, graph.graph.names(), seed, shares);
  split.message_graph_ = graph.graph.clone();
  return split;
}

GivenNodeSplit given_node_split(const AttributedGraph& graph, const NodeLists& lists, std::uint64_t seed,
                                const SplitShares& shares) {
  const auto& classes = graph.labels.classes;
  if (classes.empty()) throw UserError("node classification needs labels [set `labels` to a file of node labels]");
  GivenNodeSplit given{.split = {.train = lists.train.items, .valid = lists.valid.items, .test = lists.test.items}};
  std::vector<std::pair<const ListedNodes*, std::size_t>> seen(static_cast<std::size_t>(graph.graph.num_nodes()));
  for (const ListedNodes* list : {&lists.train, &lists.valid, &lists.test}) {
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const NodeId node = list->items[i];
      const std::string name = quoted(graph.graph.names().name(node));
      if (classes[node] == Labels::kNone) {
        throw UserError("{}: node {} has no label [remove it from the split]", list->place(i), name);
      }
      auto& [before, where] = seen[static_cast<std::size_t>(node)];
      if (before != nullptr) {
        throw UserError("{}: node {} is also at {} [a node may be in one part only]", list->place(i), name,
                        before->place(where));
      }
      before = list;
      where = i;
    }
  }
  NodeSplit& split = given.split;
  if (split.valid.empty()) {
    auto parts = shuffle_and_split(std::move(split.train), without_test(shares), Rng(seed, "split/nodes"));
    given.notes.push_back(
        note_of_carved(lists.train.where, parts[1].size(), parts[0].size() + parts[1].size(), "nodes"));
    split.train = std::move(parts[0]);
    split.valid = std::move(parts[1]);
  }
  if (split.train.empty() || split.valid.empty()) {
    throw UserError("{}: the training part is too small [it needs nodes for training and for validation]",
                    lists.train.where);
  }
  for (auto* part : {&split.train, &split.valid, &split.test}) std::sort(part->begin(), part->end());
  return given;
}

}  // namespace gir
