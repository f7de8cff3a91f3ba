#include "messages.h"
#include "threads.cuh"

namespace gir::cuda {
namespace {

/// Negative slope of LeakyReLU, as in GAT.
constexpr double kSlope = 0.2;

template <typename Real>
__device__ __forceinline__ Real leaky(Real score) {
  return score > 0 ? score : static_cast<Real>(kSlope) * score;
}

/// Edges of weight 0 are skipped, so that their scores have no influence on the maximum either.
template <typename Real>
__device__ __forceinline__ Real weight_of(const EdgeRows& edges, EdgeId edge) {
  return edges.weights == nullptr ? Real{1} : static_cast<Real>(edges.weights[edge]);
}

/// Calls `body(neighbour, weight)` for every edge of a row with a nonzero weight.
template <typename Real, typename Body>
__device__ __forceinline__ void each_edge(const EdgeRows& edges, std::int64_t row, const Body& body) {
  for (EdgeId edge = edges.offsets[row]; edge < edges.offsets[row + 1]; ++edge) {
    const Real weight = weight_of<Real>(edges, edge);
    if (weight != 0) body(static_cast<std::int64_t>(edges.columns[edge]), weight);
  }
}

/// The attention weight of an edge for one head, and the slope of LeakyReLU at its score; recomputed from the softmax
/// statistics, so that nothing is stored per edge.
template <typename Real>
struct Share {
  Real weight;
  double slope;

  __device__ Share(const AttentionTerms<const Real>& terms, const AttentionSums<const Real>& sums, std::int64_t sender,
                   std::int64_t receiver, std::int64_t head, Real edge_weight) {
    const std::int64_t at = receiver * terms.heads + head;
    const Real score = terms.senders[sender * terms.heads + head] + terms.receivers[at];
    weight = edge_weight * exp(leaky(score) - sums.largest[at]) * sums.inverse_totals[at];
    slope = score > 0 ? 1 : kSlope;
  }
};

/// d_out · q of one head: the derivative of the loss with respect to the attention weight of an edge.
template <typename Real>
__device__ __forceinline__ double along(const AttentionTerms<const Real>& terms, const Real* d_out, std::int64_t sender,
                                        std::int64_t receiver, std::int64_t head) {
  const std::int64_t head_width = terms.width / terms.heads;
  const Real* q = terms.q + sender * terms.width + head * head_width;
  const Real* gradient = d_out + receiver * terms.width + head * head_width;
  Real sum = 0;
  for (std::int64_t j = 0; j < head_width; ++j) sum += q[j] * gradient[j];
  return sum;
}

}  // namespace

template <typename Real>
void add_largest(const MessageRows& rows, const Real* q, std::int64_t width, Real* out, NodeId* chosen,
                 cudaStream_t stream) {
  for_each(rows.incoming.rows * width, stream, [=] __device__(std::int64_t i) {
    const EdgeRows& edges = rows.incoming;
    const std::int64_t row = i / width;
    const std::int64_t column = i % width;
    NodeId sender = edges.columns[edges.offsets[row]];
    Real largest = q[sender * width + column];
    for (EdgeId edge = edges.offsets[row] + 1; edge < edges.offsets[row + 1]; ++edge) {
      const Real value = q[static_cast<std::int64_t>(edges.columns[edge]) * width + column];
      // NaN counts as largest, so that a diverged run is visible.
      if (value > largest || value != value) {
        largest = value;
        sender = edges.columns[edge];
      }
    }
    const std::int64_t at = rows.receivers[row] * width + column;
    out[at] += largest;
    if (chosen != nullptr) chosen[at] = sender;
  });
}

template <typename Real>
void add_largest_back(const MessageRows& rows, const NodeId* chosen, const Real* d_out, std::int64_t width, Real* d_q,
                      cudaStream_t stream) {
  for_each(rows.outgoing.rows * width, stream, [=] __device__(std::int64_t i) {
    const EdgeRows& edges = rows.outgoing;
    const std::int64_t row = i / width;
    const std::int64_t column = i % width;
    const NodeId sender = rows.senders[row];
    Real sum = 0;
    for (EdgeId edge = edges.offsets[row]; edge < edges.offsets[row + 1]; ++edge) {
      const std::int64_t at = static_cast<std::int64_t>(edges.columns[edge]) * width + column;
      if (chosen[at] == sender) sum += d_out[at];
    }
    d_q[static_cast<std::int64_t>(sender) * width + column] = sum;
  });
}

template <typename Real>
void attend(const MessageRows& rows, const AttentionTerms<const Real>& terms, const AttentionSums<Real>& sums,
            Real* out, cudaStream_t stream) {
  const std::int64_t heads = terms.heads;
  for_each(rows.incoming.rows * heads, stream, [=] __device__(std::int64_t i) {
    const std::int64_t receiver = rows.receivers[i / heads];
    const std::int64_t head = i % heads;
    const Real received = terms.receivers[receiver * heads + head];
    Real largest = -INFINITY;
    each_edge<Real>(rows.incoming, i / heads, [&](std::int64_t sender, Real) {
      largest = max(largest, leaky(terms.senders[sender * heads + head] + received));
    });
    double total = 0;
    each_edge<Real>(rows.incoming, i / heads, [&](std::int64_t sender, Real weight) {
      total += weight * exp(leaky(terms.senders[sender * heads + head] + received) - largest);
    });
    sums.largest[receiver * heads + head] = largest;
    sums.inverse_totals[receiver * heads + head] = total != 0 ? static_cast<Real>(1 / total) : Real{0};
  });
  const AttentionSums<const Real> made{sums.largest, sums.inverse_totals};
  for_each(rows.incoming.rows * terms.width, stream, [=] __device__(std::int64_t i) {
    const std::int64_t receiver = rows.receivers[i / terms.width];
    const std::int64_t column = i % terms.width;
    const std::int64_t head = column / (terms.width / heads);
    Real sum = 0;
    each_edge<Real>(rows.incoming, i / terms.width, [&](std::int64_t sender, Real weight) {
      const Share<Real> share(terms, made, sender, receiver, head, weight);
      sum += share.weight * terms.q[sender * terms.width + column];
    });
    out[receiver * terms.width + column] += sum;
  });
}

/// Backward pass of the softmax: with mean = Σ weight along, d_score = Σ weight slope (along - mean).
template <typename Real>
void attend_back(const MessageRows& rows, const AttentionTerms<const Real>& terms,
                 const AttentionSums<const Real>& sums, const Real* d_out, double* means,
                 const AttentionTerms<Real>& gradients, cudaStream_t stream) {
  const std::int64_t heads = terms.heads;
  for_each(rows.incoming.rows * heads, stream, [=] __device__(std::int64_t i) {
    const std::int64_t receiver = rows.receivers[i / heads];
    const std::int64_t head = i % heads;
    double mean = 0, grown = 0, slopes = 0;
    each_edge<Real>(rows.incoming, i / heads, [&](std::int64_t sender, Real weight) {
      const Share<Real> share(terms, sums, sender, receiver, head, weight);
      const double derivative = along(terms, d_out, sender, receiver, head);
      mean += share.weight * derivative;
      grown += share.weight * share.slope * derivative;
      slopes += share.weight * share.slope;
    });
    means[receiver * heads + head] = mean;
    gradients.receivers[receiver * heads + head] = static_cast<Real>(grown - mean * slopes);
  });
  for_each(rows.outgoing.rows * heads, stream, [=] __device__(std::int64_t i) {
    const std::int64_t sender = rows.senders[i / heads];
    const std::int64_t head = i % heads;
    double sum = 0;
    each_edge<Real>(rows.outgoing, i / heads, [&](std::int64_t receiver, Real weight) {
      const Share<Real> share(terms, sums, sender, receiver, head, weight);
      sum +=
          share.weight * share.slope * (along(terms, d_out, sender, receiver, head) - means[receiver * heads + head]);
    });
    gradients.senders[sender * heads + head] = static_cast<Real>(sum);
  });
  for_each(rows.outgoing.rows * terms.width, stream, [=] __device__(std::int64_t i) {
    const std::int64_t sender = rows.senders[i / terms.width];
    const std::int64_t column = i % terms.width;
    const std::int64_t head = column / (terms.width / heads);
    Real sum = 0;
    each_edge<Real>(rows.outgoing, i / terms.width, [&](std::int64_t receiver, Real weight) {
      const Share<Real> share(terms, sums, sender, receiver, head, weight);
      sum += share.weight * d_out[receiver * terms.width + column];
    });
    gradients.q[sender * terms.width + column] = sum;
  });
}

#define GIR_INSTANTIATE(Real)                                                                                        \
  template void add_largest(const MessageRows&, const Real*, std::int64_t, Real*, NodeId*, cudaStream_t);            \
  template void add_largest_back(const MessageRows&, const NodeId*, const Real*, std::int64_t, Real*, cudaStream_t); \
  template void attend(const MessageRows&, const AttentionTerms<const Real>&, const AttentionSums<Real>&, Real*,     \
                       cudaStream_t);                                                                                \
  template void attend_back(const MessageRows&, const AttentionTerms<const Real>&, const AttentionSums<const Real>&, \
                            const Real*, double*, const AttentionTerms<Real>&, cudaStream_t);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cuda
