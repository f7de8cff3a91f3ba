#include "epoch_floor.h"

#include <algorithm>

namespace gir::cli {
namespace {

/// How a layer computes its sums of messages.
struct MessageWork {
  double product_rows = 0;      ///< rows of the product with the weights of messages
  double gathered = 0;          ///< values read per edge, forward and backward
  double precomputed_sums = 0;  ///< values of precomputed sums, read forward and backward
};

LayerWork layer_work(const StackShape& shape, std::int64_t number, const FrontierEdges& edges,
                     const MessageWork& messages) {
  const auto nodes = static_cast<double>(shape.nodes);
  const bool first = number == 0;
  const bool last = number + 2 == std::ssize(shape.widths);
  LayerWork layer{.in = shape.widths[static_cast<std::size_t>(number)],
                  .out = shape.widths[static_cast<std::size_t>(number) + 1],
                  .edges = edges.senders.size()};
  const auto in = static_cast<double>(layer.in);
  const auto out = static_cast<double>(layer.out);
  const bool looks_up = first && shape.one_hot_input;
  const double product_rows = (shape.self_weights ? nodes : 0) + messages.product_rows;
  if (!looks_up) layer.flops = (first ? 2 : 3) * 2 * product_rows * in * out;
  // With precomputed sums, a first layer without separate weights for the node itself reads nothing else.
  const bool reads_input = !looks_up && (shape.self_weights || messages.precomputed_sums == 0);
  const double input = reads_input ? nodes * in : 0;
  const double sums = nodes * out;
  // Forward: input, sums, then sums again and activations. Backward: gradients of both, both again, and the gradient of
  // the input.
  const double forward = input + sums + (last ? 0 : 2 * sums);
  const double backward = (last ? 0 : 3 * sums) + sums + input + (first ? 0 : input);
  const double of_messages = static_cast<double>(layer.edges) * messages.gathered + messages.precomputed_sums;
  layer.bytes = sizeof(float) * (forward + backward + 2 * of_messages);
  return layer;
}

}  // namespace

std::vector<LayerWork> minimal_work(const FrontierPlan& plan, const StackShape& shape, const MachineSpeed& machine) {
  std::vector<LayerWork> layers;
  for (std::int64_t number = 0; number < plan.num_layers(); ++number) {
    const FrontierEdges& edges = plan.edges(number);
    const auto receivers = static_cast<double>(edges.receivers.size());
    const auto senders = static_cast<double>(edges.sending_nodes.size());
    const auto in = static_cast<double>(shape.widths[static_cast<std::size_t>(number)]);
    const auto out = static_cast<double>(shape.widths[static_cast<std::size_t>(number) + 1]);
    if (number > 0) {
      layers.push_back(layer_work(shape, number, edges,
                                  {.product_rows = std::min(receivers, senders), .gathered = std::min(in, out)}));
      continue;
    }
    LayerWork layer = layer_work(shape, number, edges, {.product_rows = senders, .gathered = out});
    if (!shape.one_hot_input) {
      const LayerWork with_sums =
          layer_work(shape, number, edges, {.product_rows = receivers, .precomputed_sums = receivers * in});
      if (with_sums.floor_ms(machine) < layer.floor_ms(machine)) layer = with_sums;
    }
    layers.push_back(layer);
  }
  return layers;
}

}  // namespace gir::cli
