#include "anchors.h"
#include "threads.cuh"

namespace gir::cuda {
namespace {

/// The pre-activation of a message at one channel.
template <typename Real>
__device__ __forceinline__ Real before_relu(const AnchorRows& rows, const AnchorTerms<const Real>& terms,
                                            std::int64_t entry, std::int64_t node, std::int64_t channel) {
  return terms.scales[rows.distances[entry]] * terms.p[rows.members[entry] * terms.width + channel] +
         terms.q[node * terms.width + channel];
}

template <typename Real>
__device__ __forceinline__ Real coefficient_of(const MessageGradient<Real>& gradient, std::int64_t entry) {
  return gradient.coefficients == nullptr ? gradient.coefficient : gradient.coefficients[entry];
}

/// The sum over the warps of a block, lane by lane and in a fixed order; valid in the first warp.
template <typename Real>
__device__ __forceinline__ Real add_warps(Real value, Real* shared) {
  shared[threadIdx.x] = value;
  __syncthreads();
  Real sum = 0;
  if (threadIdx.x < kWarp) {
    for (unsigned at = threadIdx.x; at < blockDim.x; at += kWarp) sum += shared[at];
  }
  __syncthreads();
  return sum;
}

/// Gradient of p: one block per sender and 32 channels; its warps divide the sender's messages, of which an anchor may
/// have as many as there are nodes.
template <typename Real>
__global__ void sender_kernel(AnchorRows rows, AnchorTerms<const Real> terms, MessageGradient<Real> gradient,
                              Real* d_p) {
  __shared__ Real shared[kThreads];
  const std::int64_t sender = blockIdx.x;
  const std::int64_t channel = static_cast<std::int64_t>(blockIdx.y) * kWarp + threadIdx.x % kWarp;
  const bool is_channel = channel < terms.width;
  const Real p = is_channel ? terms.p[sender * terms.width + channel] : Real{0};
  Real sum = 0;
  const std::int64_t end = rows.sent_offsets[sender + 1];
  for (std::int64_t k = rows.sent_offsets[sender] + threadIdx.x / kWarp; is_channel && k < end;
       k += blockDim.x / kWarp) {
    const SentMessage message = rows.sent[k];
    const std::int64_t receiver = message.receiver;
    const Real scale = terms.scales[message.distance];
    if (!(scale * p + terms.q[receiver * terms.width + channel] > 0)) continue;
    const Real coefficient = coefficient_of(gradient, receiver * rows.sets + message.set);
    sum += scale * coefficient * gradient.vectors[receiver * gradient.stride + channel];
  }
  sum = add_warps(sum, shared);
  if (threadIdx.x < kWarp && is_channel) d_p[sender * terms.width + channel] = sum;
}

/// One block per distance: sums the gradients of all messages over that distance.
template <typename Real>
__global__ void scale_kernel(AnchorRows rows, const Real* by_message, Real* d_scales) {
  __shared__ double shared[kThreads];
  double sum = 0;
  for (std::int64_t entry = threadIdx.x; entry < rows.nodes * rows.sets; entry += blockDim.x) {
    if (rows.distances[entry] == static_cast<std::int32_t>(blockIdx.x)) sum += by_message[entry];
  }
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) d_scales[blockIdx.x] = static_cast<Real>(shared[0]);
}

}  // namespace

template <typename Real>
void mean_messages(const AnchorRows& rows, const AnchorTerms<const Real>& terms, Real* out, cudaStream_t stream) {
  const Real share = Real{1} / static_cast<Real>(rows.sets);
  for_each(rows.nodes * terms.width, stream, [=] __device__(std::int64_t i) {
    const std::int64_t node = i / terms.width;
    Real sum = 0;
    for (std::int64_t entry = node * rows.sets; entry < (node + 1) * rows.sets; ++entry) {
      const Real value = before_relu(rows, terms, entry, node, i % terms.width);
      sum += value < 0 ? Real{0} : value;
    }
    out[i] = sum * share;
  });
}

template <typename Real>
void positions(const AnchorRows& rows, const AnchorTerms<const Real>& terms, const Real* weights, Real* out,
               cudaStream_t stream) {
  for_each_warp(rows.nodes * rows.sets, stream, [=] __device__(std::int64_t entry, int lane) {
    Real sum = 0;
    for (std::int64_t channel = lane; channel < terms.width; channel += kWarp) {
      const Real value = before_relu(rows, terms, entry, entry / rows.sets, channel);
      sum += (value < 0 ? Real{0} : value) * weights[channel];
    }
    sum = warp_sum(sum);
    if (lane == 0) out[entry] = sum;
  });
}

template <typename Real>
void messages_back(const AnchorRows& rows, const AnchorTerms<const Real>& terms, const MessageGradient<Real>& gradient,
                   const AnchorTerms<Real>& gradients, const AnchorWorkspace<Real>& workspace, cudaStream_t stream) {
  // By receiver: d_q, and the terms of the gradient of the weights.
  for_each(rows.nodes * terms.width, stream, [=] __device__(std::int64_t i) {
    const std::int64_t node = i / terms.width;
    const std::int64_t channel = i % terms.width;
    Real sum = 0;
    Real products = 0;
    for (std::int64_t entry = node * rows.sets; entry < (node + 1) * rows.sets; ++entry) {
      const Real value = before_relu(rows, terms, entry, node, channel);
      const Real coefficient = coefficient_of(gradient, entry);
      if (!(value > 0)) continue;
      sum += coefficient;
      products += coefficient * value;
    }
    gradients.q[i] = sum * gradient.vectors[node * gradient.stride + channel];
    if (workspace.by_node != nullptr) workspace.by_node[i] = products;
  });
  if (rows.nodes == 0) return;
  const dim3 senders(static_cast<unsigned>(rows.nodes), blocks_for(terms.width, kWarp));
  sender_kernel<<<senders, kThreads, 0, stream>>>(rows, terms, gradient, gradients.p);
  check(cudaGetLastError());
  // Scales: one value per message, then the sum over the messages of each distance.
  for_each_warp(rows.nodes * rows.sets, stream, [=] __device__(std::int64_t entry, int lane) {
    const std::int64_t node = entry / rows.sets;
    const Real* p = terms.p + rows.members[entry] * terms.width;
    const Real* vector = gradient.vectors + node * gradient.stride;
    Real sum = 0;
    for (std::int64_t channel = lane; channel < terms.width; channel += kWarp) {
      if (before_relu(rows, terms, entry, node, channel) > 0) sum += vector[channel] * p[channel];
    }
    sum = warp_sum(sum);
    if (lane == 0) workspace.by_message[entry] = coefficient_of(gradient, entry) * sum;
  });
  scale_kernel<<<static_cast<unsigned>(rows.distances_known), kThreads, 0, stream>>>(rows, workspace.by_message,
                                                                                     gradients.scales);
  check(cudaGetLastError());
}

#define GIR_INSTANTIATE(Real)                                                                                   \
  template void mean_messages(const AnchorRows&, const AnchorTerms<const Real>&, Real*, cudaStream_t);          \
  template void positions(const AnchorRows&, const AnchorTerms<const Real>&, const Real*, Real*, cudaStream_t); \
  template void messages_back(const AnchorRows&, const AnchorTerms<const Real>&, const MessageGradient<Real>&,  \
                              const AnchorTerms<Real>&, const AnchorWorkspace<Real>&, cudaStream_t);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cuda
