#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "../anchor_terms.h"
#include "gir/core/types.h"

namespace gir::cuda {

/// A message as its sender sees it: receiver, set, distance.
struct SentMessage {
  NodeId receiver;
  std::int32_t set;
  std::int32_t distance;
};

/// AnchorMessages on the device.
struct AnchorRows {
  std::int64_t nodes;
  std::int64_t sets;
  std::int64_t distances_known;      ///< number of different distances
  const NodeId* members;             ///< [nodes, sets]
  const std::int32_t* distances;     ///< [nodes, sets]
  const std::int64_t* sent_offsets;  ///< [nodes + 1]
  const SentMessage* sent;
};

/// out_v = mean over sets of the messages.
template <typename Real>
void mean_messages(const AnchorRows& rows, const AnchorTerms<const Real>& terms, Real* out, cudaStream_t stream);

/// out(v, i) = weights · message(v, i).
template <typename Real>
void positions(const AnchorRows& rows, const AnchorTerms<const Real>& terms, const Real* weights, Real* out,
               cudaStream_t stream);

/// Room for gradients: `by_message` [nodes, sets]; `by_node` [nodes, width] where there are weights.
template <typename Real>
struct AnchorRoom {
  Real* by_message;
  Real* by_node;
};

/// Gradients of both. `room.by_node` gets what d_weights is the sum over nodes of; null for the mean.
template <typename Real>
void messages_back(const AnchorRows& rows, const AnchorTerms<const Real>& terms, const MessageGradient<Real>& gradient,
                   const AnchorTerms<Real>& gradients, const AnchorRoom<Real>& room, cudaStream_t stream);

}  // namespace gir::cuda
