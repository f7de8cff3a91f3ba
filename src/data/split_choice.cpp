#include "gir/data/split_choice.h"

#include <utility>

#include "gir/core/error.h"
#include "gir/io/split_files.h"

namespace gir {
namespace {

ChosenSplit choose_nodes(const Dataset& dataset, const SplitChoice& choice, const SplitShares& shares) {
  const AttributedGraph& data = dataset.data;
  if (choice.official) return {.nodes = official_node_split(data)};
  if (choice.from.empty()) return {.nodes = split_nodes(data, choice.number, shares)};
  const NodeLists lists = read_node_lists(choice.from, data.graph.names(), choice.number);
  GivenNodeSplit given = given_node_split(data, lists, choice.number, shares);
  return {.nodes = std::move(given.split), .notes = std::move(given.notes)};
}

PairSplit choose_pairs(const Dataset& dataset, const SplitChoice& choice, const SplitShares& shares) {
  const AttributedGraph& data = dataset.data;
  const bool links = choice.task == Task::kLinkPrediction;
  const std::filesystem::path file = split_file(dataset, choice);
  if (file.empty()) {
    return links ? PairSplit::of_links(data.graph, choice.number, shares)
                 : PairSplit::of_node_pairs(data, choice.number, shares);
  }
  const PairLists lists = read_pair_lists(file, data.graph.names(), choice.header);
  return links ? PairSplit::of_given_links(data.graph, lists, choice.number, shares)
               : PairSplit::of_given_node_pairs(data, lists, choice.number, shares);
}

}  // namespace

bool prefers_official_split(const Dataset& dataset, const SplitChoice& choice, bool number_is_given) {
  if (!dataset.official_split || choice.shares || !choice.from.empty()) return false;
  if (choice.task == Task::kLinkPrediction) return !dataset.link_splits.files.empty();
  return choice.task == Task::kNodeClassification && dataset.data.split && !number_is_given;
}

bool uses_published_links(const Dataset& dataset, const SplitChoice& choice) {
  return choice.official && choice.task == Task::kLinkPrediction && choice.from.empty() &&
         !dataset.link_splits.files.empty();
}

void check_official_split(const Dataset& dataset, const SplitChoice& choice) {
  if (!choice.official || uses_published_links(dataset, choice)) return;
  if (choice.task == Task::kNodeClassification && dataset.data.split) return;
  throw UserError("{} has no official split for {} [omit `official-split`, or give the split with `split-from`]",
                  dataset.name, task_name(choice.task));
}

std::filesystem::path split_file(const Dataset& dataset, const SplitChoice& choice) {
  return uses_published_links(dataset, choice) ? published_split(dataset, choice.number) : choice.from;
}

ChosenSplit choose_split(const Dataset& dataset, const SplitChoice& choice) {
  check_official_split(dataset, choice);
  const SplitShares usual =
      uses_published_links(dataset, choice) ? dataset.link_splits.shares : default_shares(choice.task);
  const SplitShares shares = choice.shares.value_or(usual);
  if (choice.task == Task::kNodeClassification) return choose_nodes(dataset, choice, shares);
  ChosenSplit chosen{.pairs = choose_pairs(dataset, choice, shares)};
  chosen.notes = chosen.pairs->notes();
  return chosen;
}

}  // namespace gir
