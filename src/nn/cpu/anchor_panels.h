#pragma once

#include <cstdint>
#include <type_traits>

#include "anchor_messages.h"
#include "lanes.h"

namespace gir::cpu {

/// The coefficient of a message, with MessageGradient::of_mean() known at compile time.
template <bool kOfMean, typename Real>
[[gnu::always_inline]] inline Real coefficient_of(const MessageGradient<Real>& gradient, std::int64_t entry) {
  return kOfMean ? gradient.coefficient : gradient.coefficients[entry];
}

/// Calls `body(vectors, channel)` for panels of 32, 16 or 8 channels that cover all channels; `vectors` is a
/// compile-time constant, so that the sums of a panel stay in registers.
template <typename Body>
[[gnu::always_inline]] inline void for_each_panel(std::int64_t width, const Body& body) {
  std::int64_t channel = 0;
  for (; channel + 4 * kLaneCount <= width; channel += 4 * kLaneCount) body(std::integral_constant<int, 4>(), channel);
  for (; channel + 2 * kLaneCount <= width; channel += 2 * kLaneCount) body(std::integral_constant<int, 2>(), channel);
  for (; channel < width; channel += kLaneCount) body(std::integral_constant<int, 1>(), channel);
}

// Terms are passed by value and lists by pointer: the compiler would reload a pointer inside a struct after every
// store. Messages are recomputed in the backward pass, which is cheaper than storing [nodes, sets, width].

template <int kVectors, typename Real>
[[gnu::always_inline]] inline void mean_panel(const AnchorMessages& messages, AnchorTerms<const Real> terms,
                                              std::int64_t channel, std::int64_t begin, std::int64_t end, Real* out) {
  const std::int64_t sets = messages.num_sets();
  const NodeId* members = messages.members().data();
  const std::int32_t* distances = messages.distances().data();
  const Real share = Real{1} / static_cast<Real>(sets);
  const Lanes<Real> zero = {};
  for (std::int64_t v = begin; v < end; ++v) {
    const Channels<kVectors, Real> q(terms.q + v * terms.width + channel);
    Channels<kVectors, Real> sum;
    for (std::int64_t i = v * sets; i < (v + 1) * sets; ++i) {
      const Real scale = terms.scales[distances[i]];
      const Real* p = terms.p + members[i] * terms.width + channel;
      for (int k = 0; k < kVectors; ++k) {
        const Lanes<Real> before = scale * lanes(p + k * kLaneCount) + q.part[k];
        sum.part[k] += before < zero ? zero : before;
      }
    }
    for (int k = 0; k < kVectors; ++k) lanes(out + v * terms.width + channel + k * kLaneCount) = sum.part[k] * share;
  }
}

/// Adds the contribution of the panel's channels to `out`.
template <int kVectors, typename Real>
[[gnu::always_inline]] inline void position_panel(const AnchorMessages& messages, AnchorTerms<const Real> terms,
                                                  const Real* weights, std::int64_t channel, std::int64_t begin,
                                                  std::int64_t end, Real* out) {
  const std::int64_t sets = messages.num_sets();
  const NodeId* members = messages.members().data();
  const std::int32_t* distances = messages.distances().data();
  const Channels<kVectors, Real> weight(weights + channel);
  const Lanes<Real> zero = {};
  for (std::int64_t v = begin; v < end; ++v) {
    const Channels<kVectors, Real> q(terms.q + v * terms.width + channel);
    for (std::int64_t i = v * sets; i < (v + 1) * sets; ++i) {
      const Real scale = terms.scales[distances[i]];
      const Real* p = terms.p + members[i] * terms.width + channel;
      Lanes<Real> sum = {};
      for (int k = 0; k < kVectors; ++k) {
        const Lanes<Real> before = scale * lanes(p + k * kLaneCount) + q.part[k];
        sum += (before < zero ? zero : before) * weight.part[k];
      }
      out[i] += total<Real>(sum);
    }
  }
}

/// Gradients by receiving node: of q, and the share of q in the gradient of the weights.
template <int kVectors, bool kOfMean, typename Real>
[[gnu::always_inline]] inline void receiver_panel(const AnchorMessages& messages, AnchorTerms<const Real> terms,
                                                  MessageGradient<Real> gradient, std::int64_t channel,
                                                  std::int64_t begin, std::int64_t end, Real* d_q, Real* d_weights) {
  const std::int64_t sets = messages.num_sets();
  const NodeId* members = messages.members().data();
  const std::int32_t* distances = messages.distances().data();
  const Lanes<Real> zero = {};
  for (std::int64_t v = begin; v < end; ++v) {
    const Channels<kVectors, Real> q(terms.q + v * terms.width + channel);
    Channels<kVectors, Real> sum;  // of the coefficients of messages with a positive pre-activation
    for (std::int64_t i = v * sets; i < (v + 1) * sets; ++i) {
      const Real scale = terms.scales[distances[i]];
      const Real* p = terms.p + members[i] * terms.width + channel;
      const Lanes<Real> coefficient = coefficient_of<kOfMean>(gradient, i) - zero;
      for (int k = 0; k < kVectors; ++k) {
        const Lanes<Real> before = scale * lanes(p + k * kLaneCount) + q.part[k];
        sum.part[k] += before > zero ? coefficient : zero;
      }
    }
    const Channels<kVectors, Real> vector(gradient.vectors + v * gradient.stride + channel);
    for (int k = 0; k < kVectors; ++k) {
      const std::int64_t place = channel + k * kLaneCount;
      lanes(d_q + v * terms.width + place) = sum.part[k] * vector.part[k];
      if constexpr (!kOfMean) lanes(d_weights + place) += sum.part[k] * q.part[k];
    }
  }
}

/// Gradients by sending node: of p and the scales, and the share of p in the gradient of the weights.
template <int kVectors, bool kOfMean, typename Real>
[[gnu::always_inline]] inline void sender_panel(const AnchorMessages& messages, AnchorTerms<const Real> terms,
                                                MessageGradient<Real> gradient, std::int64_t channel,
                                                std::int64_t begin, std::int64_t end, Real* d_p, Real* d_scales,
                                                Real* d_weights) {
  const std::int64_t sets = messages.num_sets();
  const std::int64_t* offsets = messages.sent_offsets().data();
  const AnchorMessages::Sent* sent = messages.sent().data();
  const Lanes<Real> zero = {};
  for (std::int64_t u = begin; u < end; ++u) {
    const Channels<kVectors, Real> p(terms.p + u * terms.width + channel);
    Channels<kVectors, Real> sum;  // gradient of p; for positions still without the factor `weights`
    for (std::int64_t k = offsets[u]; k < offsets[u + 1]; ++k) {
      const auto [v, set, distance] = sent[k];
      const Real scale = terms.scales[distance];
      const Real coefficient = coefficient_of<kOfMean>(gradient, v * sets + set);
      const Lanes<Real> factor = scale * coefficient - zero;
      const Real* q = terms.q + v * terms.width + channel;
      const Real* vector = gradient.vectors + v * gradient.stride + channel;
      Lanes<Real> d_scale = {};
      for (int part = 0; part < kVectors; ++part) {
        const auto passes = scale * p.part[part] + lanes(q + part * kLaneCount) > zero;
        const Lanes<Real> passed = passes ? lanes(vector + part * kLaneCount) : zero;
        d_scale += passed * p.part[part];
        sum.part[part] += kOfMean ? factor * passed : (passes ? factor : zero);
      }
      d_scales[distance] += coefficient * total<Real>(d_scale);
    }
    for (int part = 0; part < kVectors; ++part) {
      const std::int64_t place = channel + part * kLaneCount;
      Lanes<Real>& gradient_of_p = lanes(d_p + u * terms.width + place);
      gradient_of_p = sum.part[part];
      if constexpr (!kOfMean) {
        gradient_of_p *= lanes(gradient.vectors + place);
        lanes(d_weights + place) += sum.part[part] * p.part[part];
      }
    }
  }
}

}  // namespace gir::cpu
