#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gir/anchors/frontiers.h"
#include "machine_speed.h"

namespace gir::cli {

/// What one layer has to do in a training epoch, whoever does it.
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

/// What is known of a stack of layers beside its plan.
struct StackShape {
  std::int64_t nodes = 0;
  std::vector<std::int64_t> widths;  ///< of the input and of every layer's output
  bool self_weights = true;          ///< a node's own vector has weights of its own
  bool one_hot_input = false;        ///< the first product is a look-up
};

/// The least that an epoch of these layers needs, layer by layer.
///
/// Products: a node's own vector in all rows, messages in the rows that receive or in those that send, whichever are
/// fewer; each once forward, once for the weights' gradient and, but in the first layer, once for the input's.
/// Memory: forward the input is read and the sums written, then (hidden layers) read, and the activations written;
/// backward the same arrays and their gradients once each; and for every edge a row of the narrower side, forward and
/// backward, because neighbours lie anywhere and their rows do not stay in a cache. The first layer's input does not
/// change: either its senders are multiplied and their rows gathered, or sums of the input have been made before and
/// are multiplied, whichever is less on this machine.
std::vector<LayerWork> least_work(const FrontierPlan& plan, const StackShape& shape, const MachineSpeed& machine);

}  // namespace gir::cli
