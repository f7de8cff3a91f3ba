#include "thread_stream.h"

#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>

#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "launch.h"

namespace gir::cuda {
namespace {

/// Streams of threads that have ended, by device, for reuse.
struct Spare {
  std::mutex mutex;
  std::map<c10::DeviceIndex, std::vector<ThreadStream>> streams;
};

/// Never destroyed: threads may end after static objects are destroyed.
Spare& spare() {
  static auto* const all = new Spare;
  return *all;
}

ThreadStream make_stream(const c10::Device& device) {
  const c10::cuda::CUDAGuard guard(device);
  cudaStream_t made = nullptr;
  check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
  return {c10::cuda::getStreamFromExternal(made, device.index()), at::cuda::graph_pool_handle()};
}

/// Takes a stream for the lifetime of a thread and returns it to the spare ones.
class Loan {
 public:
  explicit Loan(const c10::Device& device) {
    const std::lock_guard lock(spare().mutex);
    std::vector<ThreadStream>& streams = spare().streams[device.index()];
    if (streams.empty()) streams.push_back(make_stream(device));
    lent_ = streams.back();
    streams.pop_back();
  }
  ~Loan() {
    const std::lock_guard lock(spare().mutex);
    spare().streams[lent_->stream.device_index()].push_back(*lent_);
  }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

  const ThreadStream& operator*() const { return *lent_; }

 private:
  std::optional<ThreadStream> lent_;
};

}  // namespace

const ThreadStream& thread_stream(c10::Device device) {
  thread_local std::optional<Loan> loan;
  if (!loan || (**loan).stream.device_index() != device.index()) loan.emplace(device);
  return **loan;
}

}  // namespace gir::cuda
