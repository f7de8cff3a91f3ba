#include "epoch_floor.h"

#include <algorithm>

namespace gir::cli {

std::vector<LayerWork> least_work(const FrontierPlan& plan, const StackShape& shape) {
  std::vector<LayerWork> layers;
  const auto nodes = static_cast<double>(shape.nodes);
  for (std::int64_t number = 0; number < plan.num_layers(); ++number) {
    const FrontierEdges& edges = plan.edges(number);
    const bool first = number == 0;
    const bool last = number + 1 == plan.num_layers();
    LayerWork layer{.in = shape.widths[static_cast<std::size_t>(number)],
                    .out = shape.widths[static_cast<std::size_t>(number) + 1],
                    .edges = edges.senders.size()};
    const auto in = static_cast<double>(layer.in);
    const auto out = static_cast<double>(layer.out);
    const auto rows_with_messages = static_cast<double>(std::min(edges.receivers.size(), edges.sending_nodes.size()));
    const double product_rows = (shape.self_weights ? nodes : 0) + rows_with_messages;
    const bool looks_up = first && shape.one_hot_input;
    if (!looks_up) layer.flops = (first ? 2 : 3) * 2 * product_rows * in * out;
    const double gathers = static_cast<double>(layer.edges) * std::min(looks_up ? out : in, out) * (first ? 1 : 2);
    const double input = looks_up ? 0 : nodes * in;
    const double sums = nodes * out;
    // Forward: input, sums, then sums again and activations. Backward: gradients of both, both again, and what goes on.
    const double forward = input + sums + (last ? 0 : 2 * sums);
    const double backward = (last ? 0 : 3 * sums) + sums + input + (first ? 0 : input);
    layer.bytes = sizeof(float) * (forward + backward + gathers);
    layers.push_back(layer);
  }
  return layers;
}

}  // namespace gir::cli
