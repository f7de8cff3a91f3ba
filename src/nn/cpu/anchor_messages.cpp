#include "anchor_messages.h"

#include <algorithm>
#include <vector>

#include "gir/core/parallel.h"
#include "gir/core/vectorise.h"
#include "lane_sums.h"
#include "partial_sums.h"
#include "row_blocks.h"

namespace gir::cpu {
namespace {

constexpr std::int64_t kNodesPerBlock = 64;
constexpr std::int64_t kMostParts = 16;

/// The gradient of message(v, i) before its ReLU is the mask times coefficient times a vector: d_out_v / sets for
/// the mean, weights times d_out(v, i) for positions.
template <typename Real>
struct MessageGradient {
  const Real* vectors;       ///< of node v at v * stride
  std::int64_t stride;       ///< 0: one vector for all
  const Real* coefficients;  ///< [nodes, sets], or null for `coefficient`
  Real coefficient;

  Real at(std::int64_t entry) const { return coefficients == nullptr ? coefficient : coefficients[entry]; }
};

template <typename Real>
[[gnu::always_inline]] inline void mean_rows(const AnchorMessages& messages, const AnchorTerms<const Real>& terms,
                                             std::int64_t begin, std::int64_t end, Real* out) {
  const std::int64_t sets = messages.num_sets();
  const std::int64_t width = terms.width;
  const Real share = Real{1} / static_cast<Real>(sets);
  for (std::int64_t v = begin; v < end; ++v) {
    const Real* __restrict q = terms.q + v * width;
    Real* __restrict sum = out + v * width;
    std::fill(sum, sum + width, Real{0});
    for (std::int64_t i = v * sets; i < (v + 1) * sets; ++i) {
      const Real scale = terms.scales[messages.distances()[i]];
      const Real* __restrict p = terms.p + messages.members()[i] * width;
      for (std::int64_t j = 0; j < width; ++j) sum[j] += std::max(scale * p[j] + q[j], Real{0});
    }
    for (std::int64_t j = 0; j < width; ++j) sum[j] *= share;
  }
}

template <typename Real>
[[gnu::always_inline]] inline void position_rows(const AnchorMessages& messages, const AnchorTerms<const Real>& terms,
                                                 const Real* __restrict weights, std::int64_t begin, std::int64_t end,
                                                 Real* out) {
  const std::int64_t sets = messages.num_sets();
  const std::int64_t width = terms.width;
  for (std::int64_t v = begin; v < end; ++v) {
    const Real* __restrict q = terms.q + v * width;
    for (std::int64_t i = v * sets; i < (v + 1) * sets; ++i) {
      const Real scale = terms.scales[messages.distances()[i]];
      const Real* __restrict p = terms.p + messages.members()[i] * width;
      out[i] =
          lane_sum<Real>(width, [&](std::int64_t j) { return weights[j] * std::max(scale * p[j] + q[j], Real{0}); });
    }
  }
}

/// Gradients that belong to the receiving node: of q, of the scales and (for positions) of the weights.
template <typename Real>
[[gnu::always_inline]] inline void receiver_rows(const AnchorMessages& messages, const AnchorTerms<const Real>& terms,
                                                 const MessageGradient<Real>& gradient, std::int64_t begin,
                                                 std::int64_t end, Real* d_q, Real* d_scales, Real* d_weights) {
  const std::int64_t sets = messages.num_sets();
  const std::int64_t width = terms.width;
  std::vector<Real> products(static_cast<std::size_t>(width));
  for (std::int64_t v = begin; v < end; ++v) {
    const Real* __restrict q = terms.q + v * width;
    const Real* __restrict vector = gradient.vectors + v * gradient.stride;
    Real* __restrict sum = d_q + v * width;
    std::fill(sum, sum + width, Real{0});
    for (std::int64_t i = v * sets; i < (v + 1) * sets; ++i) {
      const Real scale = terms.scales[messages.distances()[i]];
      const Real* __restrict p = terms.p + messages.members()[i] * width;
      const Real coefficient = gradient.at(i);
      Real* __restrict product = products.data();
      for (std::int64_t j = 0; j < width; ++j) {
        const Real before = scale * p[j] + q[j];
        const Real passed = before > 0 ? coefficient * vector[j] : Real{0};
        sum[j] += passed;
        product[j] = passed * p[j];
      }
      d_scales[messages.distances()[i]] += lane_sum<Real>(width, [&](std::int64_t j) { return product[j]; });
      if (d_weights == nullptr) continue;
      Real* __restrict to = d_weights;
      for (std::int64_t j = 0; j < width; ++j) to[j] += coefficient * std::max(scale * p[j] + q[j], Real{0});
    }
  }
}

/// Gradients that belong to the sending node: of p.
template <typename Real>
[[gnu::always_inline]] inline void sender_rows(const AnchorMessages& messages, const AnchorTerms<const Real>& terms,
                                               const MessageGradient<Real>& gradient, std::int64_t begin,
                                               std::int64_t end, Real* d_p) {
  const std::int64_t sets = messages.num_sets();
  const std::int64_t width = terms.width;
  for (std::int64_t u = begin; u < end; ++u) {
    const Real* __restrict p = terms.p + u * width;
    Real* __restrict sum = d_p + u * width;
    std::fill(sum, sum + width, Real{0});
    for (std::int64_t k = messages.sent_offsets()[u]; k < messages.sent_offsets()[u + 1]; ++k) {
      const std::int64_t i = messages.sent()[k];
      const std::int64_t v = i / sets;
      const Real* __restrict q = terms.q + v * width;
      const Real* __restrict vector = gradient.vectors + v * gradient.stride;
      const Real scale = terms.scales[messages.distances()[i]];
      const Real factor = scale * gradient.at(i);
      for (std::int64_t j = 0; j < width; ++j) sum[j] += scale * p[j] + q[j] > 0 ? factor * vector[j] : Real{0};
    }
  }
}

// The bodies above for every width of vectors; double serves tests and needs none.
GIR_VECTORISED void mean_block(const AnchorMessages& messages, const AnchorTerms<const float>& terms,
                               std::int64_t begin, std::int64_t end, float* out) {
  mean_rows(messages, terms, begin, end, out);
}
void mean_block(const AnchorMessages& messages, const AnchorTerms<const double>& terms, std::int64_t begin,
                std::int64_t end, double* out) {
  mean_rows(messages, terms, begin, end, out);
}
GIR_VECTORISED void position_block(const AnchorMessages& messages, const AnchorTerms<const float>& terms,
                                   const float* weights, std::int64_t begin, std::int64_t end, float* out) {
  position_rows(messages, terms, weights, begin, end, out);
}
void position_block(const AnchorMessages& messages, const AnchorTerms<const double>& terms, const double* weights,
                    std::int64_t begin, std::int64_t end, double* out) {
  position_rows(messages, terms, weights, begin, end, out);
}
GIR_VECTORISED void receiver_block(const AnchorMessages& messages, const AnchorTerms<const float>& terms,
                                   const MessageGradient<float>& gradient, std::int64_t begin, std::int64_t end,
                                   float* d_q, float* d_scales, float* d_weights) {
  receiver_rows(messages, terms, gradient, begin, end, d_q, d_scales, d_weights);
}
void receiver_block(const AnchorMessages& messages, const AnchorTerms<const double>& terms,
                    const MessageGradient<double>& gradient, std::int64_t begin, std::int64_t end, double* d_q,
                    double* d_scales, double* d_weights) {
  receiver_rows(messages, terms, gradient, begin, end, d_q, d_scales, d_weights);
}
GIR_VECTORISED void sender_block(const AnchorMessages& messages, const AnchorTerms<const float>& terms,
                                 const MessageGradient<float>& gradient, std::int64_t begin, std::int64_t end,
                                 float* d_p) {
  sender_rows(messages, terms, gradient, begin, end, d_p);
}
void sender_block(const AnchorMessages& messages, const AnchorTerms<const double>& terms,
                  const MessageGradient<double>& gradient, std::int64_t begin, std::int64_t end, double* d_p) {
  sender_rows(messages, terms, gradient, begin, end, d_p);
}

template <typename Real>
void backward(const AnchorMessages& messages, const AnchorTerms<const Real>& terms,
              const MessageGradient<Real>& gradient, const AnchorTerms<Real>& gradients, Real* d_weights) {
  const auto distances = std::ssize(messages.closeness());
  PartialSums<Real> d_scales(kMostParts, distances);
  PartialSums<Real> d_weight_sums(kMostParts, d_weights == nullptr ? 0 : terms.width);
  const std::int64_t parts = std::clamp<std::int64_t>(num_blocks(messages.num_nodes(), kNodesPerBlock), 1, kMostParts);
  const std::int64_t grain = num_blocks(messages.num_nodes(), parts);
  parallel_blocks(parts, [&](std::int64_t part) {
    d_scales.begin(part);
    d_weight_sums.begin(part);
    receiver_block(messages, terms, gradient, std::min(messages.num_nodes(), part * grain),
                   std::min(messages.num_nodes(), (part + 1) * grain), gradients.q, d_scales.part(part),
                   d_weights == nullptr ? nullptr : d_weight_sums.part(part));
  });
  d_scales.total(parts, gradients.scales);
  if (d_weights != nullptr) d_weight_sums.total(parts, d_weights);
  parallel_for(messages.num_nodes(), kNodesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    sender_block(messages, terms, gradient, begin, end, gradients.p);
  });
}

}  // namespace

template <typename Real>
void mean_messages_forward(const AnchorMessages& messages, const AnchorTerms<const Real>& terms, Real* out) {
  parallel_for(messages.num_nodes(), kNodesPerBlock,
               [&](std::int64_t begin, std::int64_t end) { mean_block(messages, terms, begin, end, out); });
}

template <typename Real>
void positions_forward(const AnchorMessages& messages, const AnchorTerms<const Real>& terms, const Real* weights,
                       Real* out) {
  parallel_for(messages.num_nodes(), kNodesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    position_block(messages, terms, weights, begin, end, out);
  });
}

template <typename Real>
void mean_messages_backward(const AnchorMessages& messages, const AnchorTerms<const Real>& terms, const Real* d_out,
                            const AnchorTerms<Real>& gradients) {
  const MessageGradient<Real> gradient{.vectors = d_out,
                                       .stride = terms.width,
                                       .coefficients = nullptr,
                                       .coefficient = Real{1} / static_cast<Real>(messages.num_sets())};
  backward<Real>(messages, terms, gradient, gradients, nullptr);
}

template <typename Real>
void positions_backward(const AnchorMessages& messages, const AnchorTerms<const Real>& terms, const Real* weights,
                        const Real* d_out, const AnchorTerms<Real>& gradients, Real* d_weights) {
  const MessageGradient<Real> gradient{.vectors = weights, .stride = 0, .coefficients = d_out, .coefficient = 0};
  backward<Real>(messages, terms, gradient, gradients, d_weights);
}

#define GIR_INSTANTIATE(Real)                                                                                       \
  template void mean_messages_forward(const AnchorMessages&, const AnchorTerms<const Real>&, Real*);                \
  template void positions_forward(const AnchorMessages&, const AnchorTerms<const Real>&, const Real*, Real*);       \
  template void mean_messages_backward(const AnchorMessages&, const AnchorTerms<const Real>&, const Real*,          \
                                       const AnchorTerms<Real>&);                                                   \
  template void positions_backward(const AnchorMessages&, const AnchorTerms<const Real>&, const Real*, const Real*, \
                                   const AnchorTerms<Real>&, Real*);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cpu
