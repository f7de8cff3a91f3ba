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

/// Negative slope of LeakyReLU, as in GAT.
constexpr double kSlope = 0.2;

template <typename Real>
[[gnu::always_inline]] inline Real leaky(Real score) {
  return score > 0 ? score : static_cast<Real>(kSlope) * score;
}

/// The inputs of one pass over the edges.
template <typename Real>
struct Inputs {
  const Real* q;
  std::int64_t width;
  AttentionScores<const Real> scores;
  AttentionSums<const Real> sums;

  std::int64_t head_width() const { return width / scores.heads; }
};

/// Edges of weight 0 are skipped by the callers, so that their scores have no influence on the maximum either.
template <typename Real>
[[gnu::always_inline]] inline Real weight_of(const EdgeRows& edges, EdgeId edge) {
  return edges.weights == nullptr ? Real{1} : static_cast<Real>(edges.weights[edge]);
}

/// The state of one head during a pass over the edges of a row. For each edge the weights of all heads are computed
/// first and applied to the values then: with calls of exp in between, the loads of a row would not overlap.
template <typename Real>
struct Head {
  Real weight;    ///< of the edge; in the forward pass the numerator of the softmax
  double slope;   ///< of LeakyReLU at the edge's score
  double total;   ///< Σ weight; in the backward pass the sum that gives d_score or its mean
  double grown;   ///< Σ weight slope along
  double slopes;  ///< Σ weight slope
};

/// Softmax numerators, their totals and the weighted sum of one receiver. The maximum score is subtracted, so that exp
/// cannot overflow.
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

/// Recomputes weight and slope of an edge for every head, from the softmax statistics: nothing is stored per edge.
template <typename Real>
[[gnu::always_inline]] inline void compute_weights(const Inputs<Real>& in, std::int64_t sender, std::int64_t receiver,
                                                   Real edge_weight, Head<Real>* head) {
  const std::int64_t heads = in.scores.heads;
  for (std::int64_t k = 0; k < heads; ++k) {
    const std::int64_t at = receiver * heads + k;
    const Real score = in.scores.senders[sender * heads + k] + in.scores.receivers[at];
    head[k].weight = edge_weight * std::exp(leaky(score) - in.sums.largest[at]) * in.sums.inverse_totals[at];
    head[k].slope = score > 0 ? 1 : kSlope;
  }
}

/// Backward pass of the softmax for receivers. along = d_out · q is the derivative of the loss with respect to the
/// weight of an edge; with mean = Σ weight along, d_score = Σ weight slope (along - mean).
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
      compute_weights(in, sender, receiver, weight, head);
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

/// d_q = Σ weight d_out and d_score = Σ weight slope (along - mean), over the receivers of a sender.
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
      compute_weights(in, sender, receiver, weight, head);
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
