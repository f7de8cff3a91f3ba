#pragma once

#include <ATen/cuda/CUDAGraph.h>
#include <c10/core/Device.h>
#include <c10/cuda/CUDAStream.h>

namespace gir::cuda {

/// A stream that no other thread has, and where what is recorded on it has its memory. (Torch's own streams are 32,
/// lent to everybody in turn: what one thread asks for would get into another one's recording.)
struct ThreadStream {
  c10::cuda::CUDAStream stream;
  decltype(at::cuda::graph_pool_handle()) pool;
};

/// The calling thread's. Kept for good, as torch keeps the memory of every stream, and lent to another thread after
/// this one.
const ThreadStream& thread_stream(c10::Device device);

}  // namespace gir::cuda
