#include <algorithm>

#include "optimizer.h"
#include "threads.cuh"

namespace gir::cuda {
namespace {

/// The step factors, rounded to the type of the parameters.
struct FloatFactors {
  float mean_decay;
  float square_decay;
  float weight_decay;
  float epsilon;

  __device__ explicit FloatFactors(const StepFactors& factors)
      : mean_decay(static_cast<float>(factors.mean_decay)),
        square_decay(static_cast<float>(factors.square_decay)),
        weight_decay(static_cast<float>(factors.weight_decay)),
        epsilon(static_cast<float>(factors.epsilon)) {}
};

/// Calls `body(i)` for the values of an array, in a grid-stride loop. Row y of the grid works on array y.
template <typename Body>
__device__ __forceinline__ void for_each_value(const StepArrays& arrays, const Body& body) {
  for (std::int64_t i = thread_number(); i < arrays.size; i += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
    body(i);
  }
}

__global__ void adam_kernel(StepList list, const StepFactors* given) {
  const StepArrays arrays = list.arrays[blockIdx.y];
  const FloatFactors factors(*given);
  const auto step_size = static_cast<float>(given->learning_rate * given->mean_correction);
  const auto root_correction = static_cast<float>(given->root_correction);
  for_each_value(arrays, [&](std::int64_t i) {
    const float value = arrays.value[i];
    const float gradient = arrays.gradient[i] + factors.weight_decay * value;
    const float mean = factors.mean_decay * arrays.mean[i] + (1 - factors.mean_decay) * gradient;
    const float square = factors.square_decay * arrays.square[i] + (1 - factors.square_decay) * gradient * gradient;
    arrays.mean[i] = mean;
    arrays.square[i] = square;
    arrays.value[i] = value - step_size * mean / (sqrtf(square) * root_correction + factors.epsilon);
  });
}

/// The updates of an array in the workspace.
__device__ __forceinline__ float* updates_of(const StepList& list, const LambWorkspace& workspace, unsigned array) {
  std::int64_t begin = 0;
  for (unsigned k = 0; k < array; ++k) begin += list.arrays[k].size;
  return workspace.updates + begin;
}

/// The sum over a block, in a fixed order; valid in its first thread.
__device__ double block_sum(double value) {
  __shared__ double of_warps[kThreads / kWarp];
  value = warp_sum(value);
  if (threadIdx.x % kWarp == 0) of_warps[threadIdx.x / kWarp] = value;
  __syncthreads();
  double sum = 0;
  if (threadIdx.x == 0) {
    for (const double each : of_warps) sum += each;
  }
  __syncthreads();
  return sum;
}

/// Computes the updates of all values, and per block the squared norms of its values and updates.
__global__ void lamb_update_kernel(StepList list, const StepFactors* given, LambWorkspace workspace) {
  const StepArrays arrays = list.arrays[blockIdx.y];
  const FloatFactors factors(*given);
  const auto mean_correction = static_cast<float>(given->mean_correction);
  const auto root_correction = static_cast<float>(given->root_correction);
  float* updates = updates_of(list, workspace, blockIdx.y);
  double value_squares = 0;
  double update_squares = 0;
  for_each_value(arrays, [&](std::int64_t i) {
    const float value = arrays.value[i];
    const float gradient = arrays.gradient[i];
    const float mean = factors.mean_decay * arrays.mean[i] + (1 - factors.mean_decay) * gradient;
    const float square = factors.square_decay * arrays.square[i] + (1 - factors.square_decay) * gradient * gradient;
    const float update =
        mean * mean_correction / (sqrtf(square) * root_correction + factors.epsilon) + factors.weight_decay * value;
    arrays.mean[i] = mean;
    arrays.square[i] = square;
    updates[i] = update;
    value_squares += static_cast<double>(value) * value;
    update_squares += static_cast<double>(update) * update;
  });
  value_squares = block_sum(value_squares);
  update_squares = block_sum(update_squares);
  if (threadIdx.x != 0) return;
  double* sums = workspace.sums + (blockIdx.y * kLambBlocks + blockIdx.x) * 2;
  sums[0] = value_squares;
  sums[1] = update_squares;
}

/// Applies the updates, scaled by the trust ratio, which every block computes for itself.
__global__ void lamb_apply_kernel(StepList list, const StepFactors* given, LambWorkspace workspace) {
  const StepArrays arrays = list.arrays[blockIdx.y];
  const float* updates = updates_of(list, workspace, blockIdx.y);
  const double* sums = workspace.sums + blockIdx.y * kLambBlocks * 2;
  static_assert(kLambBlocks <= kThreads, "one thread per block");
  const bool adds = threadIdx.x < kLambBlocks;
  const double value_squares = block_sum(adds ? sums[2 * threadIdx.x] : 0);
  const double update_squares = block_sum(adds ? sums[2 * threadIdx.x + 1] : 0);
  __shared__ float size;
  if (threadIdx.x == 0) {
    const double ratio = value_squares > 0 && update_squares > 0 ? sqrt(value_squares / update_squares) : 1;
    size = static_cast<float>(given->learning_rate * ratio);
  }
  __syncthreads();
  for_each_value(arrays, [&](std::int64_t i) { arrays.value[i] -= size * updates[i]; });
}

}  // namespace

void adam_step(const StepList& list, const StepFactors* factors, cudaStream_t stream) {
  std::int64_t largest = 0;
  for (int k = 0; k < list.count; ++k) largest = std::max(largest, list.arrays[k].size);
  const unsigned blocks = std::min(blocks_for(largest, kThreads), 1024u);
  adam_kernel<<<dim3(blocks, static_cast<unsigned>(list.count)), kThreads, 0, stream>>>(list, factors);
  check(cudaGetLastError());
}

void lamb_step(const StepList& list, const StepFactors* factors, const LambWorkspace& workspace, cudaStream_t stream) {
  const dim3 blocks(kLambBlocks, static_cast<unsigned>(list.count));
  lamb_update_kernel<<<blocks, kThreads, 0, stream>>>(list, factors, workspace);
  check(cudaGetLastError());
  lamb_apply_kernel<<<blocks, kThreads, 0, stream>>>(list, factors, workspace);
  check(cudaGetLastError());
}

}  // namespace gir::cuda
