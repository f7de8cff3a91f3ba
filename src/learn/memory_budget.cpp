#include "gir/learn/memory_budget.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <map>
#include <mutex>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/nn/device.h"
#include "gir/nn/tensor_memory.h"

namespace gir {
namespace {

double gibibytes(std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

/// All trainings of this process on one device.
struct Trainings {
  std::mutex mutex;
  std::condition_variable finished;
  std::int64_t running = 0;
  std::int64_t reserved = 0;  ///< bytes reserved by all of them
  std::int64_t before = 0;    ///< memory in use when the first of them started
};

Trainings& trainings_on(const Device& device) {
  static std::mutex mutex;
  static std::map<Device, Trainings> by_device;
  const std::lock_guard lock(mutex);
  return by_device[device];
}

/// The smallest possible need, over all segment lengths of activation checkpointing.
MemoryNeed min_need(const Model& model, const Objective& objective) {
  MemoryNeed least = memory_need(model, objective);
  for (std::int64_t segment = 1; segment <= model.longest_segment(); ++segment) {
    const MemoryNeed need = memory_need(model, objective, segment);
    if (need.total() < least.total()) least = need;
  }
  return least;
}

[[noreturn]] void reject(const MemoryNeed& plain, const MemoryNeed& least, std::int64_t taken, std::int64_t limit) {
  const std::string checkpointed =
      least.segment == 0 ? ""
                         : fmt::format(", {:.2f} GiB with activation checkpointing", gibibytes(taken + least.total()));
  throw UserError("training would need about {:.2f} GiB of memory{}, but only {:.2f} GiB are available [{}]",
                  gibibytes(taken + plain.total()), checkpointed, gibibytes(limit),
                  plain.loss > plain.activations
                      ? "use a smaller `epoch-pairs` or a larger `memory-budget`"
                      : "use a smaller `hidden`, fewer `layers` or a larger `memory-budget`");
}

std::int64_t limit_of(const Context& context) {
  if (context.memory_budget > 0) return context.memory_budget;
  if (context.device.is_cpu()) return memory_limit();
  // The rest is for the CUDA context, workspaces and copies of the graph.
  return device_memory(context.device).total / 10 * 9;
}

}  // namespace

std::int64_t memory_in_use(const Device& device) {
  if (!device.is_cpu()) return device_memory(device).in_use;
  std::int64_t all = 0;
  std::int64_t resident = 0;
  std::int64_t shared = 0;
  std::ifstream("/proc/self/statm") >> all >> resident >> shared;
  return std::max<std::int64_t>(0, (resident - shared) * ::sysconf(_SC_PAGESIZE) - tensor_memory().cached);
}

MemoryNeed memory_need(const Model& model, const Objective& objective, std::int64_t segment) {
  std::int64_t values = model.parameters().num_values();
  for (const NamedTensor& each : objective.parameters()) values += each.tensor.numel();
  return {.gradients = values * static_cast<std::int64_t>(sizeof(float)),
          .activations = model.activation_bytes(segment),
          .loss = objective.loss_bytes(),
          .segment = segment};
}

void TrainingMemory::reject_too_large(const Model& model, const Objective& objective, const Context& context) {
  const MemoryNeed least = min_need(model, objective);
  Trainings& all = trainings_on(context.device);
  const std::lock_guard lock(all.mutex);
  const std::int64_t taken = all.running == 0 ? memory_in_use(context.device) : all.before;
  if (taken + least.total() > limit_of(context)) {
    reject(memory_need(model, objective), least, taken, limit_of(context));
  }
}

TrainingMemory::TrainingMemory(Model& model, const Objective& objective, const Context& context)
    : device_(context.device) {
  const std::int64_t limit = limit_of(context);
  const MemoryNeed plain = memory_need(model, objective);
  const MemoryNeed least = min_need(model, objective);
  Trainings& all = trainings_on(context.device);
  std::unique_lock lock(all.mutex);
  for (;;) {
    if (all.running == 0) all.before = memory_in_use(context.device);
    // Other trainings may not have touched all they have reserved, or may use more than that: take the larger value.
    const std::int64_t taken = std::max(memory_in_use(context.device), all.before + all.reserved);
    need_ = taken + plain.total() <= limit ? plain : least;
    if (taken + need_.total() <= limit) break;
    if (all.running == 0) reject(plain, least, taken, limit);
    all.finished.wait(lock);
  }
  model.checkpoint_activations(need_.segment);
  ++all.running;
  all.reserved += need_.total();
}

TrainingMemory::~TrainingMemory() {
  Trainings& all = trainings_on(device_);
  const std::lock_guard lock(all.mutex);
  --all.running;
  all.reserved -= need_.total();
  all.finished.notify_all();
}

}  // namespace gir
