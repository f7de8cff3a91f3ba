#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace gir {

/// Hand-set weights of one layer: h' = ReLU(h self + m messages + bias), where m are the mean messages.
struct HandMadeLayer {
  at::Tensor self;      ///< [in, out]
  at::Tensor messages;  ///< [in, out]
  at::Tensor bias;      ///< [out]
};

/// Weights of a vanilla GIR that computes the distance to the anchor set. The channels of a node's vector are
///   one    constantly 1: the mean message of this channel is 1 where anything arrives, else 0
///   fresh  1 in the layer in which the first message arrives: ReLU(arrived - fresh - before)
///   before 1 in the layers after that
///   hops   the number of that layer, in the layers after it
namespace vanilla_network {
inline constexpr std::int64_t kWidth = 4;
enum Channel : std::int64_t { kOne, kFresh, kBefore, kHops };

/// The input of layer 1 is the constant feature, that of the others the vectors above. Layers are numbered from 1.
HandMadeLayer layer(std::int64_t number);

/// The linear read-out after `layers` layers: column 0 is 1 if the node was reached, column 1 is the distance.
HandMadeLayer read_out(std::int64_t layers);
}  // namespace vanilla_network

/// Weights of a GIR-A that computes the distance to every labelled anchor. Let r_a = 1 if the label of anchor a has
/// reached the node, else 0. A layer computes t = r_a + c * mean of its senders' r_a; with c = twice the maximum number
/// of senders this is at least 2 if any sender has r_a = 1. Clipped at 1 by two ReLUs it is the next r_a. The channels
/// of a node's vector are, for every anchor,
///   high  ReLU(t)
///   low   ReLU(t - 1), so that r_a = high - low
///   hops  the number of layers so far in which r_a was 0: ReLU(hops + 1 - r_a)
namespace labelled_network {
inline constexpr std::int64_t kWidth = 3;  ///< per anchor
enum Channel : std::int64_t { kHigh, kLow, kHops };

/// The input of layer 1 are one-hot labels of `anchors` anchors, that of the others the vectors above.
HandMadeLayer layer(std::int64_t number, std::int64_t anchors, double max_senders);

/// The linear read-out: for every anchor 1 if its label has reached the node, then for every anchor the distance.
HandMadeLayer read_out(std::int64_t anchors);
}  // namespace labelled_network

}  // namespace gir
