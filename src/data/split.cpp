#include "gir/data/split.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>

#include "gir/core/error.h"
#include "gir/core/hash.h"
#include "gir/core/text.h"
#include "gir/graph/components.h"
#include "split_parts.h"

namespace gir {
namespace {

/// UserError unless shares of training and validation are positive, that of the test at least 0, and their sum 1.
void check(const SplitShares& shares) {
  const bool valid = shares.train > 0 && shares.valid > 0 && shares.test >= 0 &&
                     std::abs(shares.train + shares.valid + shares.test - 1) <= 1e-9;
  if (valid) return;
  throw UserError(
      "the shares of a split are {}, {} and {} [those of training and validation must be positive, that of the test at "
      "least 0, and their sum 1]",
      shares.train, shares.valid, shares.test);
}

/// Whether a part that has a share is empty; the test set may have none.
template <typename T>
bool lacks_a_part(const std::array<std::vector<T>, 3>& parts, const SplitShares& shares) {
  return parts[0].empty() || parts[1].empty() || (parts[2].empty() && shares.test > 0);
}

/// The pairs as a flat sequence of nodes, for fingerprints.
std::span<const NodeId> as_ids(const std::vector<NodePair>& pairs) {
  static_assert(sizeof(NodePair) == 2 * sizeof(NodeId));
  return {reinterpret_cast<const NodeId*>(pairs.data()), pairs.size() * 2};
}

}  // namespace

SplitShares default_shares(Task task) {
  if (task == Task::kNodeClassification) return {.train = 0.6, .valid = 0.2, .test = 0.2};
  return {};
}

SplitShares parse_shares(std::string_view text) {
  std::vector<double> shares;
  for (const std::string& word : split_list(text)) {
    double share = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), share);
    if (error != std::errc() || end != word.data() + word.size()) break;
    shares.push_back(share);
  }
  if (shares.size() != 3) {
    throw UserError("{} are not three shares [those of training, validation and test, such as 0.85,0.05,0.1]",
                    quoted(text));
  }
  const SplitShares parsed{.train = shares[0], .valid = shares[1], .test = shares[2]};
  check(parsed);
  return parsed;
}

std::string shares_text(const SplitShares& shares) {
  return fmt::format("{},{},{}", shares.train, shares.valid, shares.test);
}

PartSizes part_sizes(std::size_t count, const SplitShares& shares) {
  check(shares);
  const std::array<double, 3> wanted = {shares.train, shares.valid, shares.test};
  std::array<std::size_t, 3> sizes{};
  std::array<double, 3> remainders{};
  std::size_t given = 0;
  for (std::size_t part = 0; part < 3; ++part) {
    // 0.1 has no exact binary representation: 0.1 * 30 must still be 3.
    const double exact = std::round(wanted[part] * static_cast<double>(count) * 1e6) / 1e6;
    sizes[part] = static_cast<std::size_t>(exact);
    remainders[part] = exact - std::floor(exact);
    given += sizes[part];
  }
  for (; given < count; ++given) {
    const auto largest = std::max_element(remainders.begin(), remainders.end()) - remainders.begin();
    ++sizes[static_cast<std::size_t>(largest)];
    remainders[static_cast<std::size_t>(largest)] = -1;
  }
  return {.train = sizes[0], .valid = sizes[1], .test = sizes[2]};
}

NodeSplit split_nodes(const AttributedGraph& graph, std::uint64_t seed, const SplitShares& shares) {
  if (graph.labels.empty()) throw UserError("node classification needs labels [set `labels` to a file of node labels]");
  if (graph.labels.num_classes() < 2) {
    throw UserError(
        "node classification needs at least two classes, all labels are {} [use other labels, or `task` lp]",
        quoted(graph.labels.names.empty() ? "" : graph.labels.names[0]));
  }
  std::vector<NodeId> labelled;
  for (std::int64_t v = 0; v < graph.labels.classes.size(); ++v) {
    if (graph.labels.classes[v] != Labels::kNone) labelled.push_back(static_cast<NodeId>(v));
  }
  auto parts = shuffle_and_split(labelled, shares, Rng(seed, "split/nodes"));
  if (lacks_a_part(parts, shares)) {
    throw UserError("{} labelled nodes are too few to split into three parts [label more nodes]", labelled.size());
  }
  for (auto& part : parts) std::sort(part.begin(), part.end());
  return {.train = std::move(parts[0]), .valid = std::move(parts[1]), .test = std::move(parts[2])};
}

NodeSplit official_node_split(const AttributedGraph& graph) {
  ensure(graph.split.has_value(), "the graph has an official split");
  NodeSplit split = *graph.split;
  for (std::vector<NodeId>* part : {&split.train, &split.valid, &split.test}) {
    std::erase_if(*part, [&](NodeId node) { return graph.labels.classes[node] == Labels::kNone; });
    if (part->empty()) throw UserError("a part of the official split has no labelled nodes [omit `official-split`]");
  }
  return split;
}

/// Splits the positives and draws the negatives of the validation and test set. `what` describes the positives.
void PairSplit::assign_parts(std::vector<NodePair> positives, const PositivePairs& all, std::uint64_t seed,
                             const SplitShares& shares, const char* what) {
  const std::size_t total = positives.size();
  auto parts = shuffle_and_split(std::move(positives), shares, Rng(seed, "split/positives"));
  if (lacks_a_part(parts, shares)) {
    throw UserError("{} {} are too few to split into three parts [add more, or give the smallest part a larger share]",
                    total, what);
  }
  // Drawn together, so that no negative is in both sets.
  auto negatives = draw_pairs(universe_, parts[1].size() + parts[2].size(), all.count, all.contains,
                              RandomStream(seed, "split/negatives"), "validation and test negatives");
  const auto valid_end = negatives.begin() + static_cast<std::ptrdiff_t>(parts[1].size());
  valid_ = {.positives = std::move(parts[1]), .negatives = {negatives.begin(), valid_end}};
  test_ = {.positives = std::move(parts[2]), .negatives = {valid_end, negatives.end()}};
  use_training_positives(std::move(parts[0]));
}

void PairSplit::use_training_positives(std::vector<NodePair> positives) {
  train_positives_ = std::move(positives);
  for (const NodePair pair : train_positives_) train_positive_set_.insert(pair);
  negatives_ = PairDrawer(universe_, train_positive_set_);
}

Graph PairSplit::known_graph(const Graph& graph) const {
  PairSet valid(valid_.positives.size());
  for (const NodePair pair : valid_.positives) valid.insert(pair);
  return filter_edges(graph, [&](NodeId u, NodeId v) {
    const NodePair pair = make_pair_of(u, v);
    return u != v && (train_positive_set_.contains(pair) || valid.contains(pair));
  });
}

// The split is made on undirected edges, so that both directions of a pair are in the same part.
PairSplit PairSplit::of_links(const Graph& graph, std::uint64_t seed, const SplitShares& shares) {
  PairSplit split;
  split.universe_ = PairUniverse::all(graph.num_nodes());
  std::vector<NodePair> edges;
  for (const Arc edge : undirected_edges(graph)) edges.push_back({edge.source, edge.target});
  const PositivePairs all{.count = edges.size(), .contains = [&](NodePair pair) {
                            return graph.has_arc(pair.first, pair.second) || graph.has_arc(pair.second, pair.first);
                          }};
  split.assign_parts(std::move(edges), all, seed, shares, "edges");
  split.message_graph_ = filter_edges(
      graph, [&](NodeId u, NodeId v) { return u != v && split.train_positive_set_.contains(make_pair_of(u, v)); });
  return split;
}

PairSplit PairSplit::without_validation(PairSplit split, const Graph& graph, Task task) {
  if (task == Task::kLinkPrediction) split.message_graph_ = split.known_graph(graph);
  std::vector<NodePair> known = std::move(split.train_positives_);
  known.insert(known.end(), split.valid_.positives.begin(), split.valid_.positives.end());
  split.valid_ = {};
  split.use_training_positives(std::move(known));
  return split;
}

Groups group_by_component_and_label(const Components& components, const Labels& labels) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> numbers;
  Groups groups;
  for (std::int64_t v = 0; v < labels.classes.size(); ++v) {
    if (labels.classes[v] == Labels::kNone) {
      groups.of_node.push_back(-1);
      continue;
    }
    const auto key = std::pair(components.of_node[v], labels.classes[v]);
    groups.of_node.push_back(numbers.try_emplace(key, static_cast<std::int32_t>(numbers.size())).first->second);
  }
  groups.count = static_cast<std::int32_t>(numbers.size());
  return groups;
}

PairUniverse universe_within(const Components& components, const Labels& labels) {
  std::vector<std::int32_t> component(static_cast<std::size_t>(labels.classes.size()));
  for (std::size_t v = 0; v < component.size(); ++v) {
    const auto node = static_cast<std::int64_t>(v);
    component[v] = labels.classes[node] == Labels::kNone ? -1 : components.of_node[node];
  }
  return PairUniverse::within(component, static_cast<std::int32_t>(components.sizes.size()));
}

PairSplit PairSplit::of_node_pairs(const AttributedGraph& graph, std::uint64_t seed, const SplitShares& shares,
                                   std::size_t max_positives) {
  if (graph.labels.empty()) {
    throw UserError("node-pair classification needs labels [set `labels` to a file of node labels]");
  }
  const Components components = connected_components(graph.graph);
  const Groups groups = group_by_component_and_label(components, graph.labels);
  const PairUniverse same_label = PairUniverse::within(groups.of_node, groups.count);
  PairSplit split;
  split.universe_ = universe_within(components, graph.labels);
  std::vector<NodePair> positives;
  if (same_label.size() <= max_positives) {
    for (std::uint64_t i = 0; i < same_label.size(); ++i) positives.push_back(same_label.pair(i));
  } else {
    positives = draw_pairs(
        same_label, max_positives, 0, [](NodePair) { return false; }, RandomStream(seed, "split/pairs"), "node pairs");
  }
  // Also the positives that were not sampled: they must not become negatives.
  const PositivePairs all{.count = same_label.size(), .contains = [&](NodePair pair) {
                            return groups.of_node[static_cast<std::size_t>(pair.first)] ==
                                   groups.of_node[static_cast<std::size_t>(pair.second)];
                          }};
  split.assign_parts(std::move(positives), all, seed, shares, "pairs of nodes with the same label in one component");
  split.message_graph_ = graph.graph.clone();
  return split;
}

std::vector<NodePair> PairSplit::train_negatives(std::uint64_t epoch, std::uint64_t seed) const {
  return train_negatives(epoch, seed, train_positives_.size());
}

std::vector<NodePair> PairSplit::train_negatives(std::uint64_t epoch, std::uint64_t seed, std::size_t count) const {
  return negatives_.draw(universe_, train_positive_set_, count, negatives_stream(epoch, seed), "training negatives");
}

RandomStream PairSplit::negatives_stream(std::uint64_t epoch, std::uint64_t seed) {
  return {seed, "train/negatives", epoch};
}

std::string PairSplit::fingerprint() const {
  Fingerprint print;
  print.add("message_graph", message_graph_.fingerprint());
  print.add("train", as_ids(train_positives_));
  print.add("valid", as_ids(valid_.positives));
  print.add("valid_negatives", as_ids(valid_.negatives));
  print.add("test", as_ids(test_.positives));
  print.add("test_negatives", as_ids(test_.negatives));
  return print.hex();
}

}  // namespace gir
