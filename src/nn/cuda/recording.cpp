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

/// How far a repetition is from the recorded epoch, on the device: that of the recording this thread is making; null
/// where it makes none.
thread_local const std::uint64_t* recorded_shift = nullptr;

/// While this lives, the stream notes what it is asked to do instead of doing it.
class Capture {
 public:
  Capture(const ThreadStream& thread, const std::uint64_t* shift)
      : stream_(thread.stream.stream()), device_(thread.stream.device_index()), pool_(thread.pool) {
    // The pool is never given back: the next recording on this stream finds there what this one leaves.
    c10::cuda::CUDACachingAllocator::beginAllocateToPool(
        device_, pool_, [stream = stream_](cudaStream_t asking) { return asking == stream; });
    recorded_shift = shift;
    const cudaError_t error = cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal);
    if (error == cudaSuccess) return;
    leave();
    check(error);
  }
  ~Capture() {
    if (is_over_) return;
    cudaGraph_t broken = nullptr;
    static_cast<void>(cudaStreamEndCapture(stream_, &broken));  // must not throw
    if (broken != nullptr) static_cast<void>(cudaGraphDestroy(broken));
    leave();
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  cudaGraph_t finish() {
    cudaGraph_t graph = nullptr;
    const cudaError_t error = cudaStreamEndCapture(stream_, &graph);
    leave();
    check(error);
    return graph;
  }

 private:
  void leave() {
    is_over_ = true;
    recorded_shift = nullptr;
    c10::cuda::CUDACachingAllocator::endAllocateToPool(device_, pool_);
    static_cast<void>(cudaGetLastError());  // a capture that failed is no fault of the next launch
  }

  cudaStream_t stream_;
  c10::DeviceIndex device_;
  decltype(ThreadStream::pool) pool_;
  bool is_over_ = false;
};

class CudaRecording final : public Recording {
 public:
  CudaRecording(std::uint64_t epoch, const StepNumbers& numbers, const std::function<void(const at::Tensor&)>& work)
      : epoch_(epoch),
        stream_(c10::cuda::getCurrentCUDAStream()),
        changing_(at::empty({1 + std::ssize(numbers)}, at::TensorOptions(at::kDouble).device(at::kCUDA))) {
    const ThreadStream& thread = thread_stream(stream_.device());
    ensure(stream_ == thread.stream, "a queue of the thread's own");
    // One at a time: the allocator asks all recordings under way about everything that is allocated.
    static std::mutex recorder;
    const std::lock_guard lock(recorder);
    Capture capture(thread, static_cast<const std::uint64_t*>(changing_.data_ptr()));
    work(changing_.narrow(0, 1, std::ssize(numbers)));
    cudaGraph_t graph = capture.finish();
    const cudaError_t error = cudaGraphInstantiate(&steps_, graph, 0);
    static_cast<void>(cudaGraphDestroy(graph));
    check(error);
  }
  ~CudaRecording() override {
    static_cast<void>(cudaStreamSynchronize(stream_));  // must not throw
    if (steps_ != nullptr) static_cast<void>(cudaGraphExecDestroy(steps_));
  }

  void repeat(std::uint64_t epoch, const StepNumbers& numbers) override {
    ensure(1 + std::ssize(numbers) == changing_.numel(), "as many numbers as were recorded");
    StepNumbers next = {std::bit_cast<double>(RandomStream::shift_between(epoch_, epoch))};
    next.insert(next.end(), numbers.begin(), numbers.end());
    check(cudaMemcpyAsync(changing_.data_ptr(), next.data(), next.size() * sizeof(double), cudaMemcpyHostToDevice,
                          stream_));
    check(cudaGraphLaunch(steps_, stream_));
  }

 private:
  std::uint64_t epoch_;  ///< that was recorded
  c10::cuda::CUDAStream stream_;
  at::Tensor changing_;  ///< from one repetition to the next: the shift's bits, then the numbers of the step
  cudaGraphExec_t steps_ = nullptr;
};

}  // namespace

std::unique_ptr<Recording> record(std::uint64_t epoch, const StepNumbers& numbers,
                                  const std::function<void(const at::Tensor&)>& work) {
  return std::make_unique<CudaRecording>(epoch, numbers, work);
}

EpochStream epoch_stream(const RandomStream& stream) { return {stream, recorded_shift}; }

EpochDropout epoch_dropout(const Dropout& dropout) {
  return {.threshold = dropout.threshold, .scale = dropout.scale, .stream = epoch_stream(dropout.stream)};
}

}  // namespace gir::cuda
