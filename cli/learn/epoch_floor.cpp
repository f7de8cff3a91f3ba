#include "epoch_floor.h"

#include <algorithm>

namespace gir::cli {
namespace {

/// How a layer comes to its sums of messages.
struct MessageWork {
  double product_rows = 0;  ///< of the product with their weights
  double gathered = 0;      ///< values that are read for every edge, there and back
  double sums_at_hand = 0;  ///< values of sums that have been made before, read there and back
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
  // A first layer without weights of a node's own looks at nothing but the sums where these are at hand.
  const bool reads_input = !looks_up && (shape.self_weights || messages.sums_at_hand == 0);
  const double input = reads_input ? nodes * in : 0;
  const double sums = nodes * out;
  // Forward: input, sums, then sums again and activations. Backward: gradients of both, both again, and what goes on.
  const double forward = input + sums + (last ? 0 : 2 * sums);
  const double backward = (last ? 0 : 3 * sums) + sums + input + (first ? 0 : input);
  const double of_messages = static_cast<double>(layer.edges) * messages.gathered + messages.sums_at_hand;
  layer.bytes = sizeof(float) * (forward + backward + 2 * of_messages);
  return layer;
}

}  // namespace

std::vector<LayerWork> least_work(const FrontierPlan& plan, const StackShape& shape, const MachineSpeed& machine) {
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
          layer_work(shape, number, edges, {.product_rows = receivers, .sums_at_hand = receivers * in});
      if (with_sums.floor_ms(machine) < layer.floor_ms(machine)) layer = with_sums;
    }
    layers.push_back(layer);
  }
  return layers;
}

}  // namespace gir::cli
