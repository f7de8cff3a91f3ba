#include <numeric>

#include "message_stack.h"

namespace gir {
namespace {

std::unique_ptr<Model> make(const ModelInputs& inputs, const ModelOptions& options) {
  std::vector<NodeId> all_nodes(static_cast<std::size_t>(inputs.graph.num_nodes()));
  std::iota(all_nodes.begin(), all_nodes.end(), 0);
  // Not FrontierPlan::of_all_nodes(), which is that of a GCN: there, every node sends to itself, too.
  const auto view = [&](const Graph& graph) {
    StackView made{.input = plain_input(inputs, options, graph)};
    made.plans.emplace_back(graph, all_nodes, options.layers, MessageOptions{.weighted = options.weighted});
    return made;
  };
  return std::make_unique<MessageStack>(inputs, options, StackDesign{.view = view});
}

const Registered<ModelEntry> entry{{
    .name = "sage",
    .summary = "GraphSAGE with mean aggregation: gir with all nodes as anchors",
    .uses_anchors = false,
    .inductive = true,
    .make = make,
}};

}  // namespace
}  // namespace gir
