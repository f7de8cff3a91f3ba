#include "backend.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/AutogradState.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <new>

#include "gir/core/error.h"
#include "launch.h"
#include "pair_sampler.h"
#include "precision.h"
#include "recording.h"
#include "search.h"
#include "tensors.h"
#include "thread_stream.h"

namespace gir::cuda {
namespace {

/// Stream and matrix-product precision of a thread. The backward pass runs on the calling thread, too: torch's autograd
/// has only one thread per GPU, which concurrent trainings would have to share.
struct ThreadState final : ContextScope::DeviceState {
  explicit ThreadState(const Context& context)
      : guard(thread_stream(torch_device(context.device)).stream),
        precision(context.precision),
        was_multithreaded(c10::AutogradState::get_tls_state().get_multithreading_enabled()) {
    // Work on the previous stream may produce inputs of this one.
    if (is_outermost()) check(cudaStreamSynchronize(guard.original_stream().stream()));
    c10::AutogradState::get_tls_state().set_multithreading_enabled(false);
  }
  ~ThreadState() override {
    if (is_outermost())
      static_cast<void>(cudaStreamSynchronize(guard.current_stream().stream()));  // a destructor must not throw
    c10::AutogradState::get_tls_state().set_multithreading_enabled(was_multithreaded);
  }

  bool is_outermost() const { return guard.original_stream() != guard.current_stream(); }

  c10::cuda::CUDAStreamGuard guard;
  PrecisionScope precision;
  bool was_multithreaded;
};

/// A copy on the current stream into pinned memory, which does not block the CPU.
struct CopiedNumber final : PendingNumber::State {
  explicit CopiedNumber(const at::Tensor& number)
      : host(at::empty({1}, at::TensorOptions(at::kFloat).pinned_memory(true))) {
    host.copy_(number.detach().reshape({1}), /*non_blocking=*/true);
    check(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
    check(cudaEventRecord(copied, current_stream()));
  }
  ~CopiedNumber() override { static_cast<void>(cudaEventDestroy(copied)); }  // a destructor must not throw

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
      problem = fmt::format("no NVIDIA GPU found{} [`device` cpu]",
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

  void prepare(const Device& device) const override {
    constexpr int kMinMajor = 8;  // the oldest architecture in CMakeLists.txt
    int major = 0;
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device.index));
    if (major < kMinMajor) {
      throw UserError("`device`: {} has compute capability {}, and this build needs {}.0 or newer [`device` cpu]",
                      device.name(), major, kMinMajor);
    }
    at::empty({1},
              at::TensorOptions(torch_device(device)));  // initialises the allocator, which has no statistics before
  }

  std::unique_ptr<ContextScope::DeviceState> enter(const Context& context) const override {
    return std::make_unique<ThreadState>(context);
  }

  DistanceSearch distance_search(const Context& context) const override {
    return [device = torch_device(context.device)](const Graph& graph, const NodeSets& sources, Hops max_hops,
                                                   DistanceTable& table) {
      return search_distances(device, graph, sources, max_hops, table);
    };
  }

  bool records() const override { return true; }
  std::unique_ptr<Recording> record(std::uint64_t epoch, const StepNumbers& numbers,
                                    const std::function<void(const at::Tensor&)>& work) const override {
    return cuda::record(epoch, numbers, work);
  }

  std::unique_ptr<PairSampler> pair_sampler(const PairSource& source) const override {
    return cuda::make_pair_sampler(source);
  }

  std::unique_ptr<PendingNumber::State> read_soon(const at::Tensor& number) const override {
    return std::make_unique<CopiedNumber>(number);
  }

  DeviceMemory memory(const Device& device) const override {
    const c10::cuda::CUDAGuard guard(torch_device(device));
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    const auto statistics =
        c10::cuda::CUDACachingAllocator::getDeviceStats(static_cast<c10::DeviceIndex>(device.index));
    const auto& allocated = statistics.allocated_bytes[0];
    return {.total = static_cast<std::int64_t>(total), .in_use = allocated.current, .peak = allocated.peak};
  }

  void reset_peak_memory(const Device& device) const override {
    c10::cuda::CUDACachingAllocator::resetPeakStats(static_cast<c10::DeviceIndex>(device.index));
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
