#pragma once

#include <cstdint>

namespace gir {

/// p, q and scales of message(v, i) = ReLU(scale p_u + q_v), or their gradients. On the processor `width` is a
/// multiple of kLaneCount.
template <typename Real>
struct AnchorTerms {
  Real* p;
  Real* q;
  Real* scales;
  std::int64_t width;
};

/// The gradient of message(v, i) behind its ReLU is a coefficient times a vector: 1 / sets and d_out_v for the mean,
/// d_out(v, i) and the weights for positions.
template <typename Real>
struct MessageGradient {
  const Real* vectors;       ///< of node v at v * stride
  std::int64_t stride;       ///< 0: one vector for all
  const Real* coefficients;  ///< [nodes, sets], or null for `coefficient`
  Real coefficient;

  bool of_mean() const { return coefficients == nullptr; }
};

}  // namespace gir
