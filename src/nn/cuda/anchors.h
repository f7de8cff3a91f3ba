#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "../anchor_terms.h"
#include "gir/core/types.h"

namespace gir::cuda {

/// AnchorMessages::Sent without the headers of the host.
struct SentMessage {
  NodeId receiver;
  std::int32_t set;
  std::int32_t distance;
};

/// AnchorMessages on the device.
struct AnchorRows {
  std::int64_t nodes;
  std::int64_t sets;
  std::int64_t distances_known;      ///< number of distinct distances
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

/// Workspace of the backward pass: `by_message` [nodes, sets]; `by_node` [nodes, width] if there are weights.
template <typename Real>
struct AnchorWorkspace {
  Real* by_message;
  Real* by_node;
};

/// Gradients of both operations. d_weights is the sum of `workspace.by_node` over nodes; null for the mean.
template <typename Real>
void messages_back(const AnchorRows& rows, const AnchorTerms<const Real>& terms, const MessageGradient<Real>& gradient,
                   const AnchorTerms<Real>& gradients, const AnchorWorkspace<Real>& workspace, cudaStream_t stream);

}  // namespace gir::cuda
