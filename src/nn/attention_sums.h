#pragma once

namespace gir {

/// The softmax statistics that recompute an attention weight from its scores: weight = edge weight * exp(score -
/// largest) * inverse_total. [nodes, heads] each; only rows of receivers are set.
template <typename Real>
struct AttentionSums {
  Real* largest;
  Real* inverse_totals;
};

}  // namespace gir
