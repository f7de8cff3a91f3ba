#include "backend.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/AutogradState.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <new>

#include "gir/core/error.h"
#include "launch.h"
#include "pair_sampler.h"
#include "recording.h"
#include "search.h"
#include "tensors.h"
#include "thread_stream.h"

namespace gir::cuda {
namespace {

/// A stream for the thread's work. The way back runs on this thread, too: torch has one thread a GPU for all who train.
struct OwnStream final : DeviceQueue::State {
  explicit OwnStream(const at::Device& device)
      : guard(thread_stream(device).stream),
        was_multithreaded(c10::AutogradState::get_tls_state().get_multithreading_enabled()) {
    check(cudaStreamSynchronize(guard.original_stream().stream()));  // what was asked for there may be needed here
    c10::AutogradState::get_tls_state().set_multithreading_enabled(false);
  }
  ~OwnStream() override {
    static_cast<void>(cudaStreamSynchronize(guard.current_stream().stream()));  // must not throw
    c10::AutogradState::get_tls_state().set_multithreading_enabled(was_multithreaded);
  }

  c10::cuda::CUDAStreamGuard guard;
  bool was_multithreaded;
};

/// Copied behind what makes it, into memory that a GPU can write by itself.
struct CopiedNumber final : PendingNumber::State {
  explicit CopiedNumber(const at::Tensor& number)
      : host(at::empty({1}, at::TensorOptions(at::kFloat).pinned_memory(true))) {
    host.copy_(number.detach().reshape({1}), /*non_blocking=*/true);
    check(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
    check(cudaEventRecord(copied, current_stream()));
  }
  ~CopiedNumber() override { static_cast<void>(cudaEventDestroy(copied)); }  // must not throw

  float wait() override {
    check(cudaEventSynchronize(copied));
    return *host.data_ptr<float>();
  }

  at::Tensor host;
  cudaEvent_t copied{};
};

class Cuda final : public Backend {
 public:
  std::vector<DeviceDescription> devices(std::string& problem) const override {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
      problem = fmt::format("no NVIDIA GPU answers{} [--device cpu]",
                            error == cudaSuccess ? "" : fmt::format(" ({})", cudaGetErrorString(error)));
      static_cast<void>(cudaGetLastError());
      return {};
    }
    std::vector<DeviceDescription> found;
    for (int i = 0; i < count; ++i) {
      cudaDeviceProp properties{};
      check(cudaGetDeviceProperties(&properties, i));
      found.push_back(
          {.name = fmt::format("cuda:{}", i),
           .what = fmt::format("{}, compute capability {}.{}", properties.name, properties.major, properties.minor),
           .memory = static_cast<std::int64_t>(properties.totalGlobalMem)});
    }
    return found;
  }

  void use(const at::Device& device, Precision precision) const override {
    constexpr int kLeastMajor = 8;  // what CMakeLists.txt builds for
    int major = 0;
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device.index()));
    if (major < kLeastMajor) {
      throw UserError("--device: {} has compute capability {}, and this build begins at {}.0 [--device cpu]",
                      device.str(), major, kLeastMajor);
    }
    // Room of its own for every stream: without, products of several streams may be summed in another order.
    ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
    c10::cuda::set_device(device.index());
    at::globalContext().setAllowTF32CuBLAS(precision == Precision::kTf32);
    at::empty({1}, at::TensorOptions(device));  // wakes the allocator, which knows no figures before
  }

  DistanceSearch distance_search() const override { return search_distances; }

  bool records() const override { return true; }
  std::unique_ptr<Recording> record(std::uint64_t epoch, const std::function<void()>& work) const override {
    return cuda::record(epoch, work);
  }

  std::unique_ptr<PairSampler> pair_sampler(const PairSource& source) const override {
    return cuda::make_pair_sampler(source);
  }

  std::unique_ptr<DeviceQueue::State> queue() const override { return std::make_unique<OwnStream>(compute_device()); }

  std::unique_ptr<PendingNumber::State> read_soon(const at::Tensor& number) const override {
    return std::make_unique<CopiedNumber>(number);
  }

  DeviceMemory memory() const override {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    const auto statistics = c10::cuda::CUDACachingAllocator::getDeviceStats(compute_device().index());
    const auto& allocated = statistics.allocated_bytes[0];
    return {.total = static_cast<std::int64_t>(total), .in_use = allocated.current, .most_in_use = allocated.peak};
  }

  void forget_most_memory() const override {
    c10::cuda::CUDACachingAllocator::resetPeakStats(compute_device().index());
  }
};

}  // namespace

void check(cudaError_t error) {
  if (error == cudaErrorMemoryAllocation) throw std::bad_alloc();
  if (error != cudaSuccess) throw InternalError(fmt::format("CUDA: {}", cudaGetErrorString(error)));
}

const Backend& backend() {
  static const Cuda cuda;
  return cuda;
}

}  // namespace gir::cuda
