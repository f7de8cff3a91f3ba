#pragma once

#include <cstdint>

namespace gir {

/// p, q and scales of message(v, i) = ReLU(scale p_u + q_v), or their gradients. On the CPU `width` is a multiple of
/// kLaneCount.
template <typename Real>
struct AnchorTerms {
  Real* p;
  Real* q;
  Real* scales;
  std::int64_t width;
};

/// The gradient with respect to message(v, i) is a coefficient times a vector: 1 / sets and d_out_v for the mean,
/// d_out(v, i) and the weights for positions. Both operations share their backward kernels through this.
template <typename Real>
struct MessageGradient {
  const Real* vectors;       ///< the vector of node v starts at v * stride
  std::int64_t stride;       ///< 0: one vector for all
  const Real* coefficients;  ///< [nodes, sets], or null for `coefficient`
  Real coefficient;

  bool of_mean() const { return coefficients == nullptr; }
};

}  // namespace gir
