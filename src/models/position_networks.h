#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace gir {

/// Weights of one layer, set by hand: h' = ReLU(h self + m messages + bias).
struct HandMadeLayer {
  at::Tensor self;      ///< [in, out]
  at::Tensor messages;  ///< [in, out]
  at::Tensor bias;      ///< [out]
};

/// Vanilla GIR that finds the distance to the anchors. A node's vector is
///   one    constantly 1: the mean message of this channel is 1 where anything arrives, else 0
///   fresh  1 in the layer in which the first message arrives: ReLU(arrived - fresh - before)
///   before 1 in the layers after that
///   hops   the number of that layer, once it is over
namespace vanilla_network {
inline constexpr std::int64_t kWidth = 4;
enum Channel : std::int64_t { kOne, kFresh, kBefore, kHops };

/// Layer 1 takes the constant feature, the others take vectors as above. Layers count from 1.
HandMadeLayer layer(std::int64_t number);

/// The last, linear one, after `layers` others: column 0 is 1 where the node was reached, column 1 the distance.
HandMadeLayer read_out(std::int64_t layers);
}  // namespace vanilla_network

/// GIR-A that finds the distance to every labelled anchor. With r_a = 1 where anchor a was reached, else 0, a node
/// gathers t = r_a + c * mean of its senders' r_a, which is at least 2 as soon as one sender has r_a = 1 when c is
/// twice the largest number of senders; clipped at 1 by two ReLUs that is the next r_a. A node's vector is, for
/// every anchor,
///   high  ReLU(t)
///   low   ReLU(t - 1), so that r_a = high - low
///   hops  the number of layers so far in which r_a was 0: ReLU(hops + 1 - r_a)
namespace labelled_network {
inline constexpr std::int64_t kWidth = 3;  ///< of one anchor
enum Channel : std::int64_t { kHigh, kLow, kHops };

/// Layer 1 takes one-hot labels of `anchors` anchors, the others take vectors as above.
HandMadeLayer layer(std::int64_t number, std::int64_t anchors, double most_senders);

/// The last, linear one: for every anchor 1 where it was reached, then for every anchor the distance.
HandMadeLayer read_out(std::int64_t anchors);
}  // namespace labelled_network

}  // namespace gir
