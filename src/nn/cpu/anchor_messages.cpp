#include "anchor_messages.h"

#include <algorithm>
#include <vector>

#include "aggregate.h"
#include "anchor_panels.h"
#include "gir/core/parallel.h"
#include "gir/core/vectorise.h"
#include "partial_sums.h"

namespace gir::cpu {
namespace {

constexpr std::int64_t kNodesPerBlock = 64;
constexpr std::int64_t kMaxParts = 16;  ///< few: each has a sum per distinct distance, of which long graphs have many
constexpr std::int64_t kMessagesPerPart = 1 << 12;

template <typename Real>
[[gnu::always_inline]] inline void mean_rows(const AnchorMessages& messages, const AnchorTerms<const Real>& terms,
                                             std::int64_t begin, std::int64_t end, Real* out) {
  for_each_panel(
      terms.width, [&](auto vectors, std::int64_t channel) __attribute__((always_inline)) {
        mean_panel<vectors>(messages, terms, channel, begin, end, out);
      });
}

template <typename Real>
[[gnu::always_inline]] inline void position_rows(const AnchorMessages& messages, const AnchorTerms<const Real>& terms,
                                                 const Real* weights, std::int64_t begin, std::int64_t end, Real* out) {
  std::fill(out + begin * messages.num_sets(), out + end * messages.num_sets(), Real{0});
  for_each_panel(
      terms.width, [&](auto vectors, std::int64_t channel) __attribute__((always_inline)) {
        position_panel<vectors>(messages, terms, weights, channel, begin, end, out);
      });
}

template <typename Real>
[[gnu::always_inline]] inline void receiver_rows(const AnchorMessages& messages, const AnchorTerms<const Real>& terms,
                                                 const MessageGradient<Real>& gradient, std::int64_t begin,
                                                 std::int64_t end, Real* d_q, Real* d_weights) {
  for_each_panel(
      terms.width, [&](auto vectors, std::int64_t channel) __attribute__((always_inline)) {
        gradient.of_mean()
            ? receiver_panel<vectors, true>(messages, terms, gradient, channel, begin, end, d_q, d_weights)
            : receiver_panel<vectors, false>(messages, terms, gradient, channel, begin, end, d_q, d_weights);
      });
}

template <typename Real>
[[gnu::always_inline]] inline void sender_rows(const AnchorMessages& messages, const AnchorTerms<const Real>& terms,
                                               const MessageGradient<Real>& gradient, std::int64_t begin,
                                               std::int64_t end, Real* d_p, Real* d_scales, Real* d_weights) {
  for_each_panel(
      terms.width, [&](auto vectors, std::int64_t channel) __attribute__((always_inline)) {
        gradient.of_mean()
            ? sender_panel<vectors, true>(messages, terms, gradient, channel, begin, end, d_p, d_scales, d_weights)
            : sender_panel<vectors, false>(messages, terms, gradient, channel, begin, end, d_p, d_scales, d_weights);
      });
}

// The functions above, compiled for several instruction sets. double is used by tests only and is compiled once.
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
                                   float* d_q, float* d_weights) {
  receiver_rows(messages, terms, gradient, begin, end, d_q, d_weights);
}
void receiver_block(const AnchorMessages& messages, const AnchorTerms<const double>& terms,
                    const MessageGradient<double>& gradient, std::int64_t begin, std::int64_t end, double* d_q,
                    double* d_weights) {
  receiver_rows(messages, terms, gradient, begin, end, d_q, d_weights);
}
GIR_VECTORISED void sender_block(const AnchorMessages& messages, const AnchorTerms<const float>& terms,
                                 const MessageGradient<float>& gradient, std::int64_t begin, std::int64_t end,
                                 float* d_p, float* d_scales, float* d_weights) {
  sender_rows(messages, terms, gradient, begin, end, d_p, d_scales, d_weights);
}
void sender_block(const AnchorMessages& messages, const AnchorTerms<const double>& terms,
                  const MessageGradient<double>& gradient, std::int64_t begin, std::int64_t end, double* d_p,
                  double* d_scales, double* d_weights) {
  sender_rows(messages, terms, gradient, begin, end, d_p, d_scales, d_weights);
}

/// Gradient of q; adds its share to `d_weights` if that is not null.
template <typename Real>
void receive_back(const AnchorMessages& messages, const AnchorTerms<const Real>& terms,
                  const MessageGradient<Real>& gradient, Real* d_q, Real* d_weights) {
  const std::int64_t size = d_weights == nullptr ? 0 : terms.width;
  PartialSums<Real> parts(kMaxParts, size);
  const auto chunks = for_each_chunk(messages.num_nodes(), kMaxParts, kNodesPerBlock,
                                     [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
                                       parts.begin(chunk);
                                       receiver_block(messages, terms, gradient, begin, end, d_q, parts.part(chunk));
                                     });
  std::vector<Real> sum(static_cast<std::size_t>(size));
  parts.total(chunks, sum.data());
  add_rows(sum.data(), 1, size, d_weights);
}

/// Gradients of p and the scales; adds the share of p to `d_weights` if that is not null.
template <typename Real>
void send_back(const AnchorMessages& messages, const AnchorTerms<const Real>& terms,
               const MessageGradient<Real>& gradient, const AnchorTerms<Real>& gradients, Real* d_weights) {
  const auto distances = std::ssize(messages.closeness());
  const std::int64_t size = d_weights == nullptr ? 0 : terms.width;
  PartialSums<Real> parts(kMaxParts, distances + size);
  const EdgeRows senders{.rows = messages.num_nodes(), .offsets = messages.sent_offsets().data()};
  const auto chunks = for_each_row_chunk(
      senders, kMaxParts, kMessagesPerPart, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        parts.begin(chunk);
        Real* part = parts.part(chunk);
        sender_block(messages, terms, gradient, begin, end, gradients.p, part, part + distances);
      });
  std::vector<Real> sum(static_cast<std::size_t>(distances + size));
  parts.total(chunks, sum.data());
  std::copy_n(sum.data(), distances, gradients.scales);
  add_rows(sum.data() + distances, 1, size, d_weights);
}

template <typename Real>
void backward(const AnchorMessages& messages, const AnchorTerms<const Real>& terms,
              const MessageGradient<Real>& gradient, const AnchorTerms<Real>& gradients, Real* d_weights) {
  // The gradient of a weight is the sum of coefficient * (scale p + q) over positive pre-activations. Senders
  // contribute the first term, receivers the second.
  if (d_weights != nullptr) std::fill_n(d_weights, terms.width, Real{0});
  receive_back(messages, terms, gradient, gradients.q, d_weights);
  send_back(messages, terms, gradient, gradients, d_weights);
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
