#include "pair_splits.h"

#include "gir/core/error.h"
#include "gir/io/split_files.h"

namespace gir {

GivenParts given_parts(const Dataset& dataset, const RunConfig& config) {
  const NodeNames& names = dataset.data.graph.names();
  if (parse_task(config.task) == Task::kNodeClassification) {
    const NodeLists lists = read_node_lists(config.data.split_from, names, config.split);
    return {.valid = !lists.valid.items.empty(), .test = !lists.test.items.empty(), .splits = lists.columns};
  }
  const PairLists lists = read_pair_lists(config.data.split_from, names);
  return {.valid = !lists.valid.items.empty(), .test = !lists.test.items.empty()};
}

namespace {

bool uses_published_links(const Dataset& dataset, const RunConfig& config) {
  return config.official_split && config.task == task_name(Task::kLinkPrediction) && !dataset.link_splits.files.empty();
}

}  // namespace

std::optional<std::uint64_t> num_splits(const Dataset& dataset, const RunConfig& config) {
  if (!config.official_split) return std::nullopt;
  return uses_published_links(dataset, config) ? dataset.link_splits.files.size() : 1;
}

void check_official_split(const Dataset& dataset, const RunConfig& config) {
  if (!config.official_split || uses_published_links(dataset, config)) return;
  if (config.task == task_name(Task::kNodeClassification) && dataset.data.split) return;
  throw UserError("{} has no official split for {} [omit `official-split`, or give the split with `split-from`]",
                  dataset.name, config.task);
}

std::filesystem::path split_file(const Dataset& dataset, const RunConfig& config) {
  const bool published = config.data.split_from.empty() && uses_published_links(dataset, config);
  return published ? published_split(dataset, config.split) : std::filesystem::path(config.data.split_from);
}

PairSplit split_pairs(const Dataset& dataset, const RunConfig& config) {
  const Task task = parse_task(config.task);
  const bool links = task == Task::kLinkPrediction;
  const AttributedGraph& data = dataset.data;
  const SplitShares shares = config.split_shares.value_or(default_shares(task));
  const std::filesystem::path file = split_file(dataset, config);
  if (file.empty()) {
    return links ? PairSplit::of_links(data.graph, config.split, shares)
                 : PairSplit::of_node_pairs(data, config.split, shares);
  }
  const PairHeader header =
      config.data.graph.empty() ? PairHeader{.line = config.data.read.header, .own_nodes = true} : PairHeader{};
  const PairLists lists = read_pair_lists(file, data.graph.names(), header);
  return links ? PairSplit::of_given_links(data.graph, lists, config.split, shares)
               : PairSplit::of_given_node_pairs(data, lists, config.split, shares);
}

}  // namespace gir
