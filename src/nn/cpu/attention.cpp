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

/// What is at hand of one head while the edges of a row go by. Weights of all heads come first and the rows of values
/// after them: with calls of exp in between, a row's values would be waited for a head at a time.
template <typename Real>
struct Head {
  Real weight;    ///< of the edge; on the way there its numerator
  double slope;   ///< of LeakyReLU at the edge's score
  double total;   ///< Σ weight; on the way back of what d_score is made of
  double grown;   ///< Σ weight slope along
  double slopes;  ///< Σ weight slope
};

/// The softmax's numerators are at most the weights of the edges, since the largest score is taken off.
template <typename Real>
[[gnu::always_inline]] inline void attend(const EdgeRows& edges, std::int64_t row, std::int64_t receiver,
                                          const Inputs<Real>& in, Real* __restrict largest, Head<Real>* head,
                                          Real* __restrict messages) {
  const std::int64_t heads = in.scores.heads;
  const std::int64_t head_width = in.head_width();
  const Real* received = in.scores.receivers + receiver * heads;
  std::fill_n(largest, heads, -std::numeric_limits<Real>::infinity());
  std::fill_n(head, heads, Head<Real>{});
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
    if (edge + 1 < edges.offsets[row + 1]) prefetch_row(in.q + edges.columns[edge + 1] * in.width, in.width);
    for (std::int64_t k = 0; k < heads; ++k) {
      head[k].weight = weight * std::exp(leaky(sent[k] + received[k]) - largest[k]);
      head[k].total += head[k].weight;
    }
    for (std::int64_t k = 0; k < heads; ++k) {
      const Real numerator = head[k].weight;
      for (std::int64_t j = k * head_width; j < (k + 1) * head_width; ++j) messages[j] += numerator * values[j];
    }
  }
}

template <typename Real>
[[gnu::always_inline]] inline void attend_rows(const MessageRows& rows, std::int64_t begin, std::int64_t end,
                                               const Inputs<Real>& in, const AttentionSums<Real>& sums,
                                               Head<Real>* head, Real* messages, Real* out) {
  const std::int64_t heads = in.scores.heads;
  const std::int64_t head_width = in.head_width();
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t receiver = rows.receivers[row];
    attend(rows.incoming, row, receiver, in, sums.largest + receiver * heads, head, messages);
    Real* __restrict to = out + receiver * in.width;
    for (std::int64_t k = 0; k < heads; ++k) {
      const Real inverse = head[k].total != 0 ? static_cast<Real>(1 / head[k].total) : Real{0};
      sums.inverse_totals[receiver * heads + k] = inverse;
      for (std::int64_t j = k * head_width; j < (k + 1) * head_width; ++j) to[j] += messages[j] * inverse;
    }
  }
}

/// Weight and slope of an edge at every head, once more.
template <typename Real>
[[gnu::always_inline]] inline void weigh(const Inputs<Real>& in, std::int64_t sender, std::int64_t receiver,
                                         Real edge_weight, Head<Real>* head) {
  const std::int64_t heads = in.scores.heads;
  for (std::int64_t k = 0; k < heads; ++k) {
    const std::int64_t at = receiver * heads + k;
    const Real score = in.scores.senders[sender * heads + k] + in.scores.receivers[at];
    head[k].weight = edge_weight * std::exp(leaky(score) - in.sums.largest[at]) * in.sums.inverse_totals[at];
    head[k].slope = score > 0 ? 1 : kSlope;
  }
}

/// The gradient of a weighted mean follows what exceeds the mean. With along = d_out · q, by which the loss grows with
/// an edge's weight: mean = Σ weight along, d_score = Σ weight slope (along - mean).
template <typename Real>
[[gnu::always_inline]] inline void receivers_back(const MessageRows& rows, std::int64_t begin, std::int64_t end,
                                                  const Inputs<Real>& in, const Real* d_out, Head<Real>* head,
                                                  double* means, Real* d_receivers) {
  const EdgeRows& edges = rows.incoming;
  const std::int64_t heads = in.scores.heads;
  const std::int64_t head_width = in.head_width();
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t receiver = rows.receivers[row];
    const Real* gradient = d_out + receiver * in.width;
    std::fill_n(head, heads, Head<Real>{});
    for (EdgeId edge = edges.offsets[row]; edge < edges.offsets[row + 1]; ++edge) {
      const Real weight = weight_of<Real>(edges, edge);
      if (weight == 0) continue;
      const std::int64_t sender = edges.columns[edge];
      if (edge + 1 < edges.offsets[row + 1]) prefetch_row(in.q + edges.columns[edge + 1] * in.width, in.width);
      weigh(in, sender, receiver, weight, head);
      for (std::int64_t k = 0; k < heads; ++k) {
        const double along =
            dot<Real>(in.q + sender * in.width + k * head_width, gradient + k * head_width, head_width);
        head[k].total += head[k].weight * along;
        head[k].grown += head[k].weight * head[k].slope * along;
        head[k].slopes += head[k].weight * head[k].slope;
      }
    }
    for (std::int64_t k = 0; k < heads; ++k) {
      means[receiver * heads + k] = head[k].total;
      d_receivers[receiver * heads + k] = static_cast<Real>(head[k].grown - head[k].total * head[k].slopes);
    }
  }
}

/// d_q = Σ weight d_out and d_score = Σ weight slope (along - mean), over those that a sender sends to.
template <typename Real>
[[gnu::always_inline]] inline void senders_back(const MessageRows& rows, std::int64_t begin, std::int64_t end,
                                                const Inputs<Real>& in, const Real* d_out, const double* means,
                                                Head<Real>* head, Real* d_q, Real* d_senders) {
  const EdgeRows& edges = rows.outgoing;
  const std::int64_t heads = in.scores.heads;
  const std::int64_t head_width = in.head_width();
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t sender = rows.senders[row];
    std::fill_n(head, heads, Head<Real>{});
    for (EdgeId edge = edges.offsets[row]; edge < edges.offsets[row + 1]; ++edge) {
      const Real weight = weight_of<Real>(edges, edge);
      if (weight == 0) continue;
      const std::int64_t receiver = edges.columns[edge];
      if (edge + 1 < edges.offsets[row + 1]) prefetch_row(d_out + edges.columns[edge + 1] * in.width, in.width);
      weigh(in, sender, receiver, weight, head);
      for (std::int64_t k = 0; k < heads; ++k) {
        const Real* gradient = d_out + receiver * in.width + k * head_width;
        const double along = dot<Real>(in.q + sender * in.width + k * head_width, gradient, head_width);
        head[k].total += head[k].weight * head[k].slope * (along - means[receiver * heads + k]);
        Real* __restrict d_values = d_q + sender * in.width + k * head_width;
        const Real share = head[k].weight;
        for (std::int64_t j = 0; j < head_width; ++j) d_values[j] += share * gradient[j];
      }
    }
    for (std::int64_t k = 0; k < heads; ++k) d_senders[sender * heads + k] = static_cast<Real>(head[k].total);
  }
}

#define GIR_RANGES(Real)                                                                                               \
  GIR_VECTORISED void attend_range(const MessageRows& rows, std::int64_t begin, std::int64_t end,                      \
                                   const Inputs<Real>& in, const AttentionSums<Real>& sums, Head<Real>* head,          \
                                   Real* messages, Real* out) {                                                        \
    attend_rows(rows, begin, end, in, sums, head, messages, out);                                                      \
  }                                                                                                                    \
  GIR_VECTORISED void receivers_back_range(const MessageRows& rows, std::int64_t begin, std::int64_t end,              \
                                           const Inputs<Real>& in, const Real* d_out, Head<Real>* head, double* means, \
                                           Real* d_receivers) {                                                        \
    receivers_back(rows, begin, end, in, d_out, head, means, d_receivers);                                             \
  }                                                                                                                    \
  GIR_VECTORISED void senders_back_range(const MessageRows& rows, std::int64_t begin, std::int64_t end,                \
                                         const Inputs<Real>& in, const Real* d_out, const double* means,               \
                                         Head<Real>* head, Real* d_q, Real* d_senders) {                               \
    senders_back(rows, begin, end, in, d_out, means, head, d_q, d_senders);                                            \
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
                        std::vector<Head<Real>> head(static_cast<std::size_t>(scores.heads));
                        std::vector<Real> messages(static_cast<std::size_t>(q.columns));
                        attend_range(rows, begin, end, in, sums, head.data(), messages.data(), out.data);
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
                        std::vector<Head<Real>> head(static_cast<std::size_t>(scores.heads));
                        receivers_back_range(rows, begin, end, in, d_out.data, head.data(), means.data(),
                                             d_receivers.data);
                      });
  for_each_node_block(q.rows, rows.senders, rows.outgoing.rows,
                      [&](std::int64_t first, std::int64_t last, std::int64_t begin, std::int64_t end) {
                        start_rows<Real>({}, first, last, d_q);
                        start_rows<Real>({}, first, last, d_senders);
                        std::vector<Head<Real>> head(static_cast<std::size_t>(scores.heads));
                        senders_back_range(rows, begin, end, in, d_out.data, means.data(), head.data(), d_q.data,
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
