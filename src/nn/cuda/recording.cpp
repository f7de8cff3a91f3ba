#include "recording.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>

#include <atomic>
#include <mutex>
#include <utility>

#include "gir/core/error.h"
#include "launch.h"

namespace gir::cuda {
namespace {

/// What changes from one repetition to the next. Lives on the device.
struct Repetition {
  std::uint64_t shift;  ///< from the recorded epoch
  StepFactors factors;
};

/// That of the recording this thread is making; null where it makes none.
thread_local const Repetition* being_recorded = nullptr;

/// Memory that belongs to a recording: what is freed in it serves nobody else.
class MemoryPool {
 public:
  explicit MemoryPool(c10::DeviceIndex device) : device_(device), id_(0, next_number()) {}
  ~MemoryPool() {
    if (was_used_) c10::cuda::CUDACachingAllocator::releasePool(device_, id_);
  }
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  /// Between the two, what is allocated for `stream` comes from here.
  void begin(cudaStream_t stream) {
    c10::cuda::CUDACachingAllocator::beginAllocateToPool(device_, id_,
                                                         [stream](cudaStream_t asking) { return asking == stream; });
    was_used_ = true;
  }
  void end() { c10::cuda::CUDACachingAllocator::endAllocateToPool(device_, id_); }

 private:
  static unsigned long long next_number() {
    static std::atomic<unsigned long long> last{0};
    return ++last;
  }

  c10::DeviceIndex device_;
  std::pair<unsigned long long, unsigned long long> id_;
  bool was_used_ = false;
};

/// While this lives, the stream notes what it is asked to do instead of doing it.
class Capture {
 public:
  Capture(cudaStream_t stream, MemoryPool& pool, const Repetition* repetition) : stream_(stream), pool_(pool) {
    pool_.begin(stream_);
    being_recorded = repetition;
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
    being_recorded = nullptr;
    pool_.end();
  }

  cudaStream_t stream_;
  MemoryPool& pool_;
  bool is_over_ = false;
};

class CudaRecording final : public Recording {
 public:
  CudaRecording(std::uint64_t epoch, const std::function<void()>& work)
      : epoch_(epoch),
        stream_(c10::cuda::getCurrentCUDAStream()),
        pool_(c10::cuda::current_device()),
        repetition_(at::empty({sizeof(Repetition)}, at::TensorOptions(at::kByte).device(at::kCUDA))) {
    ensure(stream_ != c10::cuda::getDefaultCUDAStream(), "a queue of the thread's own");
    // One at a time: the allocator asks all recordings under way about everything that is allocated.
    static std::mutex recorder;
    const std::lock_guard lock(recorder);
    Capture capture(stream_, pool_, static_cast<const Repetition*>(repetition_.data_ptr()));
    work();
    cudaGraph_t graph = capture.finish();
    const cudaError_t error = cudaGraphInstantiate(&steps_, graph, 0);
    static_cast<void>(cudaGraphDestroy(graph));
    check(error);
  }
  ~CudaRecording() override {
    static_cast<void>(cudaStreamSynchronize(stream_));  // must not throw
    if (steps_ != nullptr) static_cast<void>(cudaGraphExecDestroy(steps_));
  }

  void repeat(std::uint64_t epoch, const StepFactors& factors) override {
    const Repetition next{.shift = RandomStream::shift_between(epoch_, epoch), .factors = factors};
    check(cudaMemcpyAsync(repetition_.data_ptr(), &next, sizeof(next), cudaMemcpyHostToDevice, stream_));
    check(cudaGraphLaunch(steps_, stream_));
  }

 private:
  std::uint64_t epoch_;  ///< that was recorded
  c10::cuda::CUDAStream stream_;
  MemoryPool pool_;
  at::Tensor repetition_;
  cudaGraphExec_t steps_ = nullptr;
};

}  // namespace

std::unique_ptr<Recording> record(std::uint64_t epoch, const std::function<void()>& work) {
  return std::make_unique<CudaRecording>(epoch, work);
}

EpochStream epoch_stream(const RandomStream& stream) {
  return {stream, being_recorded == nullptr ? nullptr : &being_recorded->shift};
}

EpochDropout epoch_dropout(const Dropout& dropout) {
  return {.threshold = dropout.threshold, .scale = dropout.scale, .stream = epoch_stream(dropout.stream)};
}

CurrentFactors current_factors(const StepFactors& factors) {
  return {factors, being_recorded == nullptr ? nullptr : &being_recorded->factors};
}

}  // namespace gir::cuda
