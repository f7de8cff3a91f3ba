#pragma once

#include <cuda_runtime_api.h>

#include "../attention_sums.h"
#include "../edge_rows.h"
#include "launch.h"

namespace gir::cuda {

/// Rows of receivers: out += maximum of every channel of q over the senders; `chosen`, if not null, is set to the first
/// sender with that maximum.
template <typename Real>
void add_largest(const MessageRows& rows, const Real* q, std::int64_t width, Real* out, NodeId* chosen,
                 cudaStream_t stream);

/// Rows of senders: d_q = Σ of d_out over the receivers and channels for which the sender was chosen.
template <typename Real>
void add_largest_back(const MessageRows& rows, const NodeId* chosen, const Real* d_out, std::int64_t width, Real* d_q,
                      cudaStream_t stream);

/// q [nodes, width] and scores [nodes, heads], or their gradients.
template <typename Real>
struct AttentionTerms {
  Real* q;
  Real* senders;
  Real* receivers;
  std::int64_t width;
  std::int64_t heads;
};

/// Rows of receivers: out += attention-weighted mean. Also sets `sums`.
template <typename Real>
void attend(const MessageRows& rows, const AttentionTerms<const Real>& terms, const AttentionSums<Real>& sums,
            Real* out, cudaStream_t stream);

/// Gradients, in the rows of receivers and senders. `means` is a workspace [nodes, heads].
template <typename Real>
void attend_back(const MessageRows& rows, const AttentionTerms<const Real>& terms,
                 const AttentionSums<const Real>& sums, const Real* d_out, double* means,
                 const AttentionTerms<Real>& gradients, cudaStream_t stream);

}  // namespace gir::cuda
