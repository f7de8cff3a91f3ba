#include "recording.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAStream.h>

#include <bit>
#include <mutex>

#include "gir/core/error.h"
#include "launch.h"
#include "thread_stream.h"

namespace gir::cuda {
namespace {

/// Device address of the shift between the captured epoch and the replayed one, while this thread captures; else null.
thread_local const std::uint64_t* captured_shift = nullptr;

/// CUDA graph capture of the stream of a thread, with tensors allocated from the memory pool of that thread.
class Capture {
 public:
  Capture(const ThreadStream& thread, const std::uint64_t* shift)
      : stream_(thread.stream.stream()), device_(thread.stream.device_index()), pool_(thread.pool) {
    // The pool is never released: the next capture on this stream reuses the memory that this one frees.
    c10::cuda::CUDACachingAllocator::beginAllocateToPool(
        device_, pool_, [stream = stream_](cudaStream_t asking) { return asking == stream; });
    captured_shift = shift;
    const cudaError_t error = cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal);
    if (error == cudaSuccess) return;
    end_capture();
    check(error);
  }
  ~Capture() {
    if (ended_) return;
    cudaGraph_t broken = nullptr;
    static_cast<void>(cudaStreamEndCapture(stream_, &broken));  // a destructor must not throw
    if (broken != nullptr) static_cast<void>(cudaGraphDestroy(broken));
    end_capture();
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  cudaGraph_t finish() {
    cudaGraph_t graph = nullptr;
    const cudaError_t error = cudaStreamEndCapture(stream_, &graph);
    end_capture();
    check(error);
    return graph;
  }

 private:
  void end_capture() {
    ended_ = true;
    captured_shift = nullptr;
    c10::cuda::CUDACachingAllocator::endAllocateToPool(device_, pool_);
    static_cast<void>(cudaGetLastError());  // clears the error of a failed capture, which the next launch would report
  }

  cudaStream_t stream_;
  c10::DeviceIndex device_;
  decltype(ThreadStream::pool) pool_;
  bool ended_ = false;
};

class CudaRecording final : public Recording {
 public:
  CudaRecording(std::uint64_t epoch, const StepNumbers& numbers, const std::function<void(const at::Tensor&)>& work)
      : epoch_(epoch),
        stream_(c10::cuda::getCurrentCUDAStream()),
        changing_(at::empty({1 + std::ssize(numbers)}, at::TensorOptions(at::kDouble).device(at::kCUDA))) {
    const ThreadStream& thread = thread_stream(stream_.device());
    ensure(stream_ == thread.stream, "the stream of a ContextScope");
    // One capture at a time: the allocator consults the filters of all active captures for every allocation.
    static std::mutex capturing;
    const std::lock_guard lock(capturing);
    Capture capture(thread, static_cast<const std::uint64_t*>(changing_.data_ptr()));
    work(changing_.narrow(0, 1, std::ssize(numbers)));
    cudaGraph_t graph = capture.finish();
    const cudaError_t error = cudaGraphInstantiate(&graph_, graph, 0);
    static_cast<void>(cudaGraphDestroy(graph));
    check(error);
  }
  ~CudaRecording() override {
    static_cast<void>(cudaStreamSynchronize(stream_));  // a destructor must not throw
    if (graph_ != nullptr) static_cast<void>(cudaGraphExecDestroy(graph_));
  }

  void replay(std::uint64_t epoch, const StepNumbers& numbers) override {
    ensure(1 + std::ssize(numbers) == changing_.numel(), "as many numbers as were captured");
    StepNumbers next = {std::bit_cast<double>(RandomStream::shift_between(epoch_, epoch))};
    next.insert(next.end(), numbers.begin(), numbers.end());
    check(cudaMemcpyAsync(changing_.data_ptr(), next.data(), next.size() * sizeof(double), cudaMemcpyHostToDevice,
                          stream_));
    check(cudaGraphLaunch(graph_, stream_));
  }

 private:
  std::uint64_t epoch_;  ///< captured epoch
  c10::cuda::CUDAStream stream_;
  at::Tensor changing_;  ///< replaced before every replay: the bits of the shift, then the step numbers
  cudaGraphExec_t graph_ = nullptr;
};

}  // namespace

std::unique_ptr<Recording> record(std::uint64_t epoch, const StepNumbers& numbers,
                                  const std::function<void(const at::Tensor&)>& work) {
  return std::make_unique<CudaRecording>(epoch, numbers, work);
}

EpochStream epoch_stream(const RandomStream& stream) { return {stream, captured_shift}; }

EpochDropout epoch_dropout(const Dropout& dropout) {
  return {.threshold = dropout.threshold, .scale = dropout.scale, .stream = epoch_stream(dropout.stream)};
}

}  // namespace gir::cuda
