#include "position_networks.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>

namespace gir {
namespace {

HandMadeLayer empty_layer(std::int64_t in, std::int64_t out) {
  return {at::zeros({in, out}, at::kDouble), at::zeros({in, out}, at::kDouble), at::zeros({out}, at::kDouble)};
}

}  // namespace

HandMadeLayer vanilla_network::layer(std::int64_t number) {
  if (number == 1) {
    HandMadeLayer first = empty_layer(1, kWidth);
    first.self[0][kOne] = 1;
    first.messages[0][kFresh] = 1;
    return first;
  }
  HandMadeLayer next = empty_layer(kWidth, kWidth);
  next.self[kOne][kOne] = 1;
  next.messages[kOne][kFresh] = 1;
  for (const Channel reached : {kFresh, kBefore}) {
    next.self[reached][kFresh] = -1;
    next.self[reached][kBefore] = 1;
  }
  next.self[kHops][kHops] = 1;
  next.self[kFresh][kHops] = static_cast<double>(number - 1);
  return next;
}

HandMadeLayer vanilla_network::read_out(std::int64_t layers) {
  HandMadeLayer last = empty_layer(kWidth, 2);
  last.self[kFresh][0] = 1;
  last.self[kBefore][0] = 1;
  last.self[kHops][1] = 1;
  last.self[kFresh][1] = static_cast<double>(layers);
  return last;
}

HandMadeLayer labelled_network::layer(std::int64_t number, std::int64_t anchors, double max_senders) {
  const bool first = number == 1;
  HandMadeLayer result = empty_layer(first ? anchors : kWidth * anchors, kWidth * anchors);
  const double scale = 2 * max_senders;
  for (std::int64_t a = 0; a < anchors; ++a) {
    const std::int64_t out = kWidth * a;
    // Input channel `row` contributes to r_a with this sign: r_a = high - low.
    const auto use_reached = [&](std::int64_t row, double sign) {
      for (const Channel clipped : {kHigh, kLow}) {
        result.self[row][out + clipped] = sign;
        result.messages[row][out + clipped] = sign * scale;
      }
      result.self[row][out + kHops] = -sign;
    };
    if (first) {
      use_reached(a, 1);
    } else {
      use_reached(out + kHigh, 1);
      use_reached(out + kLow, -1);
      result.self[out + kHops][out + kHops] = 1;
    }
    result.bias[out + kLow] = -1;
    result.bias[out + kHops] = 1;
  }
  return result;
}

HandMadeLayer labelled_network::read_out(std::int64_t anchors) {
  HandMadeLayer last = empty_layer(kWidth * anchors, 2 * anchors);
  for (std::int64_t a = 0; a < anchors; ++a) {
    last.self[kWidth * a + kHigh][a] = 1;
    last.self[kWidth * a + kLow][a] = -1;
    last.self[kWidth * a + kHops][anchors + a] = 1;
  }
  return last;
}

}  // namespace gir
