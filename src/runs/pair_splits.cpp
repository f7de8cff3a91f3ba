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

SplitChoice split_choice(const RunConfig& config) {
  return {.task = parse_task(config.task),
          .number = config.split,
          .shares = config.split_shares,
          .from = config.data.split_from,
          .header =
              config.data.graph.empty() ? PairHeader{.line = config.data.read.header, .own_nodes = true} : PairHeader{},
          .official = config.official_split};
}

std::optional<std::uint64_t> num_splits(const Dataset& dataset, const RunConfig& config) {
  if (!config.official_split) return std::nullopt;
  return uses_published_links(dataset, split_choice(config)) ? dataset.link_splits.files.size() : 1;
}

}  // namespace gir
