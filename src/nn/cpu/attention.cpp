#include "attention.h"

#include <cmath>
#include <limits>
#include <vector>

#include "add_messages.h"
#include "gir/core/array.h"
#include "gir/core/vectorise.h"
#include "lane_sums.h"

namespace gir::cpu {
namespace {

/// Of LeakyReLU below zero.
constexpr double kSlope = 0.2;

template <typename Real>
[[gnu::always_inline]] inline Real leaky(Real score) {
  return score > 0 ? score : static_cast<Real>(kSlope) * score;
}

/// What one pass over the edges reads.
template <typename Real>
struct Inputs {
  const Real* q;
  std::int64_t width;
  AttentionScores<const Real> scores;
  AttentionSums<const Real> sums;

  std::int64_t head_width() const { return width / scores.heads; }
};

/// Edges that weigh nothing do not count, nor do their scores.
template <typename Real>
[[gnu::always_inline]] inline Real weight_of(const EdgeRows& edges, EdgeId edge) {
  return edges.weights == nullptr ? Real{1} : static_cast<Real>(edges.weights[edge]);
}

/// The softmax's numerator for every edge is at most the edge's weight, since the largest score is taken off.
template <typename Real>
[[gnu::always_inline]] inline void attend(const EdgeRows& edges, std::int64_t row, std::int64_t receiver,
                                          const Inputs<Real>& in, Real* __restrict largest, double* __restrict totals,
                                          Real* __restrict messages) {
  const std::int64_t heads = in.scores.heads;
  const std::int64_t head_width = in.head_width();
  const Real* received = in.scores.receivers + receiver * heads;
  std::fill_n(largest, heads, -std::numeric_limits<Real>::infinity());
  std::fill_n(totals, heads, 0.0);
  std::fill_n(messages, in.width, Real{0});
  for (EdgeId edge = edges.offsets[row]; edge < edges.offsets[row + 1]; ++edge) {
    if (weight_of<Real>(edges, edge) == 0) continue;
    const Real* sent = in.scores.senders + edges.columns[edge] * heads;
    for (std::int64_t k = 0; k < heads; ++k) largest[k] = std::max(largest[k], leaky(sent[k] + received[k]));
  }
  for (EdgeId edge = edges.offsets[row]; edge < edges.offsets[row + 1]; ++edge) {
    const Real weight = weight_of<Real>(edges, edge);
    if (weight == 0) continue;
    const Real* sent = in.scores.senders + edges.columns[edge] * heads;
    const Real* __restrict values = in.q + edges.columns[edge] * in.width;
    for (std::int64_t k = 0; k < heads; ++k) {
      const Real numerator = weight * std::exp(leaky(sent[k] + received[k]) - largest[k]);
      totals[k] += numerator;
      for (std::int64_t j = k * head_width; j < (k + 1) * head_width; ++j) messages[j] += numerator * values[j];
    }
  }
}

template <typename Real>
[[gnu::always_inline]] inline void attend_rows(const MessageRows& rows, std::int64_t begin, std::int64_t end,
                                               const Inputs<Real>& in, const AttentionSums<Real>& sums, double* totals,
                                               Real* messages, Real* out) {
  const std::int64_t heads = in.scores.heads;
  const std::int64_t head_width = in.head_width();
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t receiver = rows.receivers[row];
    attend(rows.incoming, row, receiver, in, sums.largest + receiver * heads, totals, messages);
    Real* __restrict to = out + receiver * in.width;
    for (std::int64_t k = 0; k < heads; ++k) {
      const Real inverse = totals[k] != 0 ? static_cast<Real>(1 / totals[k]) : Real{0};
      sums.inverse_totals[receiver * heads + k] = inverse;
      for (std::int64_t j = k * head_width; j < (k + 1) * head_width; ++j) to[j] += messages[j] * inverse;
    }
  }
}

/// One edge at one head, looked at again on the way back.
template <typename Real>
struct EdgeBack {
  Real weight;   ///< of the message
  double slope;  ///< of LeakyReLU at its score
  double along;  ///< how much the loss grows with the weight: d_out · q
};

template <typename Real>
[[gnu::always_inline]] inline EdgeBack<Real> look_back(const Inputs<Real>& in, std::int64_t sender,
                                                       std::int64_t receiver, std::int64_t head, Real edge_weight,
                                                       const Real* d_out) {
  const std::int64_t heads = in.scores.heads;
  const std::int64_t head_width = in.head_width();
  const std::int64_t at = receiver * heads + head;
  const Real score = in.scores.senders[sender * heads + head] + in.scores.receivers[at];
  const Real* values = in.q + sender * in.width + head * head_width;
  const Real* gradient = d_out + receiver * in.width + head * head_width;
  return {.weight = edge_weight * std::exp(leaky(score) - in.sums.largest[at]) * in.sums.inverse_totals[at],
          .slope = score > 0 ? 1 : kSlope,
          .along = dot<Real>(values, gradient, head_width)};
}

/// Sums over a receiver's edges at one head.
struct ReceiverSums {
  double mean = 0;    ///< Σ weight along
  double grown = 0;   ///< Σ weight slope along
  double slopes = 0;  ///< Σ weight slope
};

/// The gradient of a weighted mean follows what exceeds the mean: d_score = Σ weight slope (along - mean).
template <typename Real>
[[gnu::always_inline]] inline void receivers_back(const MessageRows& rows, std::int64_t begin, std::int64_t end,
                                                  const Inputs<Real>& in, const Real* d_out, ReceiverSums* sums,
                                                  double* means, Real* d_receivers) {
  const EdgeRows& edges = rows.incoming;
  const std::int64_t heads = in.scores.heads;
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t receiver = rows.receivers[row];
    std::fill_n(sums, heads, ReceiverSums{});
    for (EdgeId edge = edges.offsets[row]; edge < edges.offsets[row + 1]; ++edge) {
      const Real weight = weight_of<Real>(edges, edge);
      if (weight == 0) continue;
      for (std::int64_t k = 0; k < heads; ++k) {
        const EdgeBack<Real> back = look_back(in, edges.columns[edge], receiver, k, weight, d_out);
        sums[k].mean += back.weight * back.along;
        sums[k].grown += back.weight * back.slope * back.along;
        sums[k].slopes += back.weight * back.slope;
      }
    }
    for (std::int64_t k = 0; k < heads; ++k) {
      means[receiver * heads + k] = sums[k].mean;
      d_receivers[receiver * heads + k] = static_cast<Real>(sums[k].grown - sums[k].mean * sums[k].slopes);
    }
  }
}

/// d_q = Σ weight d_out and d_score = Σ weight slope (along - mean), over those that a sender sends to.
template <typename Real>
[[gnu::always_inline]] inline void senders_back(const MessageRows& rows, std::int64_t begin, std::int64_t end,
                                                const Inputs<Real>& in, const Real* d_out, const double* means,
                                                double* sums, Real* d_q, Real* d_senders) {
  const EdgeRows& edges = rows.outgoing;
  const std::int64_t heads = in.scores.heads;
  const std::int64_t head_width = in.head_width();
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t sender = rows.senders[row];
    Real* __restrict d_values = d_q + sender * in.width;
    std::fill_n(sums, heads, 0.0);
    for (EdgeId edge = edges.offsets[row]; edge < edges.offsets[row + 1]; ++edge) {
      const Real weight = weight_of<Real>(edges, edge);
      if (weight == 0) continue;
      const std::int64_t receiver = edges.columns[edge];
      const Real* __restrict gradient = d_out + receiver * in.width;
      for (std::int64_t k = 0; k < heads; ++k) {
        const EdgeBack<Real> back = look_back(in, sender, receiver, k, weight, d_out);
        sums[k] += back.weight * back.slope * (back.along - means[receiver * heads + k]);
        for (std::int64_t j = k * head_width; j < (k + 1) * head_width; ++j) {
          d_values[j] += back.weight * gradient[j];
        }
      }
    }
    for (std::int64_t k = 0; k < heads; ++k) d_senders[sender * heads + k] = static_cast<Real>(sums[k]);
  }
}

#define GIR_RANGES(Real)                                                                                               \
  GIR_VECTORISED void attend_range(const MessageRows& rows, std::int64_t begin, std::int64_t end,                      \
                                   const Inputs<Real>& in, const AttentionSums<Real>& sums, double* totals,            \
                                   Real* messages, Real* out) {                                                        \
    attend_rows(rows, begin, end, in, sums, totals, messages, out);                                                    \
  }                                                                                                                    \
  GIR_VECTORISED void receivers_back_range(const MessageRows& rows, std::int64_t begin, std::int64_t end,              \
                                           const Inputs<Real>& in, const Real* d_out, ReceiverSums* sums,              \
                                           double* means, Real* d_receivers) {                                         \
    receivers_back(rows, begin, end, in, d_out, sums, means, d_receivers);                                             \
  }                                                                                                                    \
  GIR_VECTORISED void senders_back_range(const MessageRows& rows, std::int64_t begin, std::int64_t end,                \
                                         const Inputs<Real>& in, const Real* d_out, const double* means, double* sums, \
                                         Real* d_q, Real* d_senders) {                                                 \
    senders_back(rows, begin, end, in, d_out, means, sums, d_q, d_senders);                                            \
  }
GIR_RANGES(float)
GIR_RANGES(double)
#undef GIR_RANGES

}  // namespace

template <typename Real>
void attention_forward(const MessageRows& rows, const MatrixView<const Real>& base, const MatrixView<const Real>& q,
                       const AttentionScores<const Real>& scores, const AttentionSums<Real>& sums,
                       const MatrixView<Real>& out) {
  const Inputs<Real> in{.q = q.data, .width = q.columns, .scores = scores, .sums = {}};
  for_each_node_block(out.rows, rows.receivers, rows.incoming.rows,
                      [&](std::int64_t first, std::int64_t last, std::int64_t begin, std::int64_t end) {
                        start_rows(base, first, last, out);
                        std::vector<double> totals(static_cast<std::size_t>(scores.heads));
                        std::vector<Real> messages(static_cast<std::size_t>(q.columns));
                        attend_range(rows, begin, end, in, sums, totals.data(), messages.data(), out.data);
                      });
}

template <typename Real>
void attention_backward(const MessageRows& rows, const MatrixView<const Real>& q,
                        const AttentionScores<const Real>& scores, const AttentionSums<const Real>& sums,
                        const MatrixView<const Real>& d_out, const MatrixView<Real>& d_q,
                        const AttentionScores<Real>& d_scores) {
  const Inputs<Real> in{.q = q.data, .width = q.columns, .scores = scores, .sums = sums};
  const MatrixView<Real> d_receivers{d_scores.receivers, q.rows, scores.heads};
  const MatrixView<Real> d_senders{d_scores.senders, q.rows, scores.heads};
  Array<double> means(q.rows * scores.heads);  // only rows of receivers are written and read
  for_each_node_block(q.rows, rows.receivers, rows.incoming.rows,
                      [&](std::int64_t first, std::int64_t last, std::int64_t begin, std::int64_t end) {
                        start_rows<Real>({}, first, last, d_receivers);
                        std::vector<ReceiverSums> room(static_cast<std::size_t>(scores.heads));
                        receivers_back_range(rows, begin, end, in, d_out.data, room.data(), means.data(),
                                             d_receivers.data);
                      });
  for_each_node_block(q.rows, rows.senders, rows.outgoing.rows,
                      [&](std::int64_t first, std::int64_t last, std::int64_t begin, std::int64_t end) {
                        start_rows<Real>({}, first, last, d_q);
                        start_rows<Real>({}, first, last, d_senders);
                        std::vector<double> room(static_cast<std::size_t>(scores.heads));
                        senders_back_range(rows, begin, end, in, d_out.data, means.data(), room.data(), d_q.data,
                                           d_senders.data);
                      });
}

#define GIR_INSTANTIATE(Real)                                                                                       \
  template void attention_forward(const MessageRows&, const MatrixView<const Real>&, const MatrixView<const Real>&, \
                                  const AttentionScores<const Real>&, const AttentionSums<Real>&,                   \
                                  const MatrixView<Real>&);                                                         \
  template void attention_backward(const MessageRows&, const MatrixView<const Real>&,                               \
                                   const AttentionScores<const Real>&, const AttentionSums<const Real>&,            \
                                   const MatrixView<const Real>&, const MatrixView<Real>&,                          \
                                   const AttentionScores<Real>&);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cpu
