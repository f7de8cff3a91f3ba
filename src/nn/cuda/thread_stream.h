#pragma once

#include <ATen/cuda/CUDAGraph.h>
#include <c10/core/Device.h>
#include <c10/cuda/CUDAStream.h>

namespace gir::cuda {

/// A CUDA stream that belongs to one thread, and the memory pool of its CUDA graphs. (Torch has a pool of 32 streams
/// that it hands out round-robin: the kernels of one thread could end up in the graph capture of another.)
struct ThreadStream {
  c10::cuda::CUDAStream stream;
  decltype(at::cuda::graph_pool_handle()) pool;
};

/// The stream of the calling thread. Never destroyed, since torch caches memory per stream forever; reused by another
/// thread after this one has ended.
const ThreadStream& thread_stream(c10::Device device);

}  // namespace gir::cuda
