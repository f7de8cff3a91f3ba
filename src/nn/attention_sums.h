#pragma once

namespace gir {

/// [nodes, heads] each, rows of receivers only: weight = edge weight * exp(score - largest) * inverse_total.
template <typename Real>
struct AttentionSums {
  Real* largest;
  Real* inverse_totals;
};

}  // namespace gir
