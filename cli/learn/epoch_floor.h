#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gir/anchors/frontiers.h"
#include "machine_speed.h"

namespace gir::cli {

/// The work of one layer in a training epoch that no implementation can avoid.
struct LayerWork {
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::int64_t edges = 0;
  double flops = 0;  ///< of matrix products, forward and backward
  double bytes = 0;  ///< to and from memory, forward and backward

  double floor_ms(const MachineSpeed& machine) const {
    return flops / machine.flops_per_ms + bytes / machine.bytes_per_ms;
  }
};

/// The shape of a stack of layers, in addition to its frontier plan.
struct StackShape {
  std::int64_t nodes = 0;
  std::vector<std::int64_t> widths;  ///< of the input and of the output of every layer
  bool self_weights = true;          ///< separate weights for the node itself
  bool one_hot_input = false;        ///< the first product is an embedding lookup
};

/// The minimal work of an epoch of these layers, per layer: a roofline model.
///
/// Matrix products: the nodes themselves in all rows, messages in the rows that receive or in those that send,
/// whichever are fewer; each once forward, once for the gradient of the weights and, except in the first layer, once
/// for the gradient of the input. Memory: forward the input is read and the sums are written, then (hidden layers)
/// read, and the activations written; backward the same arrays and their gradients once each; and for every edge one
/// row of the narrower side, forward and backward, because neighbours are scattered in memory and their rows do not
/// stay in a cache. The input of the first layer does not change: either its senders are multiplied and their rows
/// gathered, or precomputed sums of the input are multiplied, whichever takes less time on this machine.
std::vector<LayerWork> minimal_work(const FrontierPlan& plan, const StackShape& shape, const MachineSpeed& machine);

}  // namespace gir::cli
