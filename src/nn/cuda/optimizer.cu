#include <algorithm>

#include "optimizer.h"
#include "threads.cuh"

namespace gir::cuda {
namespace {

__global__ void adam_kernel(AdamList list, AdamStep step) {
  const AdamArrays arrays = list.arrays[blockIdx.y];
  for (std::int64_t i = thread_number(); i < arrays.size; i += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
    const float value = arrays.value[i];
    const float gradient = arrays.gradient[i] + step.weight_decay * value;
    const float mean = step.mean_decay * arrays.mean[i] + (1 - step.mean_decay) * gradient;
    const float square = step.square_decay * arrays.square[i] + (1 - step.square_decay) * gradient * gradient;
    arrays.mean[i] = mean;
    arrays.square[i] = square;
    arrays.value[i] = value - step.step_size * mean / (sqrtf(square) * step.root_correction + step.epsilon);
  }
}

}  // namespace

void adam_step(const AdamList& list, int count, const AdamStep& step, cudaStream_t stream) {
  std::int64_t largest = 0;
  for (int k = 0; k < count; ++k) largest = std::max(largest, list.arrays[k].size);
  const unsigned blocks = std::min(blocks_for(largest, kThreads), 1024u);
  adam_kernel<<<dim3(blocks, static_cast<unsigned>(count)), kThreads, 0, stream>>>(list, step);
  check(cudaGetLastError());
}

}  // namespace gir::cuda
