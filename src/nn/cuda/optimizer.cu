#include <algorithm>

#include "optimizer.h"
#include "threads.cuh"

namespace gir::cuda {
namespace {

__global__ void adam_kernel(AdamList list, AdamFactors factors) {
  const AdamArrays arrays = list.arrays[blockIdx.y];
  for (std::int64_t i = thread_number(); i < arrays.size; i += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
    const float value = arrays.value[i];
    const float gradient = arrays.gradient[i] + factors.weight_decay * value;
    const float mean = factors.mean_decay * arrays.mean[i] + (1 - factors.mean_decay) * gradient;
    const float square = factors.square_decay * arrays.square[i] + (1 - factors.square_decay) * gradient * gradient;
    arrays.mean[i] = mean;
    arrays.square[i] = square;
    arrays.value[i] = value - factors.step_size * mean / (sqrtf(square) * factors.root_correction + factors.epsilon);
  }
}

}  // namespace

void adam_step(const AdamList& list, int count, const AdamFactors& factors, cudaStream_t stream) {
  std::int64_t largest = 0;
  for (int k = 0; k < count; ++k) largest = std::max(largest, list.arrays[k].size);
  const unsigned blocks = std::min(blocks_for(largest, kThreads), 1024u);
  adam_kernel<<<dim3(blocks, static_cast<unsigned>(count)), kThreads, 0, stream>>>(list, factors);
  check(cudaGetLastError());
}

}  // namespace gir::cuda
