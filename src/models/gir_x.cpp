#include <cstdlib>
#include <cstring>
#include <numeric>

#include "gir/anchors/anchors.h"
#include "gir/anchors/distances.h"
#include "gir/anchors/nearest_members.h"
#include "message_stack.h"

namespace gir {
namespace {

DenseMatrix closeness_to(const Graph& graph, std::span<const NodeId> anchors) {
  const DistanceTable table = source_distances(graph, anchors);
  DenseMatrix matrix{.rows = table.nodes, .columns = table.sources, .values = Array<float>(table.hops.size())};
  for (std::int64_t i = 0; i < table.hops.size(); ++i) matrix.values[i] = closeness(table.hops[i]);
  return matrix;
}

std::unique_ptr<Model> make(const ModelContext& context, const ModelOptions& options) {
  const char* env = std::getenv("GIRX") ? std::getenv("GIRX") : "aoc";
  const auto has = [&](char c) { return std::strchr(env, c) != nullptr; };
  const auto view = [&](const Graph& graph) {
    StackView made{.input = plain_input(context, options, graph)};
    if (has('a')) made.input.add_one_hot(context.anchors);
    if (has('o')) made.input.add_one_hot_of_all(has('z'));
    if (has('p') && context.classes == 0) made.input.add_one_hot_of_all(true);
    if (has('c')) made.input.add_dense(closeness_to(graph, context.anchors));
    const MessageOptions messages{.weighted = options.weighted};
    made.plans.emplace_back(graph, context.anchors, options.layers, messages);
    if (has('k')) {
      const auto more = select_anchors(context.graph, {.count = std::ssize(context.anchors), .strategy = "k-center", .fill = "degree", .seed = context.seed});
      made.plans.emplace_back(graph, more.anchors, options.layers, messages);
    }
    if (has('e')) {
      std::vector<NodeId> everyone(static_cast<std::size_t>(graph.num_nodes()));
      std::iota(everyone.begin(), everyone.end(), 0);
      made.plans.emplace_back(graph, everyone, options.layers, messages);
    }
    if (has('g')) made.plans.push_back(FrontierPlan::of_everyone(graph, options.layers, options.weighted));
    return made;
  };
  return std::make_unique<MessageStack>(context, options, StackDesign{.view = view});
}

const Registered<ModelEntry> entry{{
    .name = "gir-x",
    .summary = "gir with structure",
    .uses_anchors = true,
    .inductive = false,
    .make = make,
}};

}  // namespace
}  // namespace gir
