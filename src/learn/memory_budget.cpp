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

/// The trainings of this process on one device.
struct Trainings {
  std::mutex mutex;
  std::condition_variable one_less;
  std::int64_t running = 0;
  std::int64_t promised = 0;  ///< to all of them together
  std::int64_t before = 0;    ///< what the process had when the first of them began
};

Trainings& trainings_on(const Device& device) {
  static std::mutex mutex;
  static std::map<Device, Trainings> by_device;
  const std::lock_guard lock(mutex);
  return by_device[device];
}

/// What training takes at least, and how.
MemoryNeed least_need(const Model& model, const Objective& objective) {
  MemoryNeed least = memory_need(model, objective);
  for (std::int64_t stretch = 1; stretch <= model.longest_segment(); ++stretch) {
    const MemoryNeed need = memory_need(model, objective, stretch);
    if (need.total() < least.total()) least = need;
  }
  return least;
}

[[noreturn]] void refuse(const MemoryNeed& plain, const MemoryNeed& least, std::int64_t taken, std::int64_t limit) {
  const std::string twice = least.stretch == 0 ? ""
                                               : fmt::format(", {:.2f} GiB with hidden layers computed twice",
                                                             gibibytes(taken + least.total()));
  throw UserError("training would take about {:.2f} GiB of memory{}, and {:.2f} GiB are to be had [{}]",
                  gibibytes(taken + plain.total()), twice, gibibytes(limit),
                  plain.loss > plain.activations ? "a smaller `epoch-pairs`, or a larger `memory-budget`"
                                                 : "a smaller `hidden`, fewer `layers`, or a larger `memory-budget`");
}

std::int64_t limit_of(const Context& context) {
  if (context.memory_budget > 0) return context.memory_budget;
  if (context.device.is_cpu()) return memory_limit();
  return device_memory(context.device).total / 10 * 9;  // contexts, workspaces and copies of the graph take some, too
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

MemoryNeed memory_need(const Model& model, const Objective& objective, std::int64_t stretch) {
  std::int64_t values = model.parameters().num_values();
  for (const NamedTensor& each : objective.parameters()) values += each.tensor.numel();
  return {.gradients = values * static_cast<std::int64_t>(sizeof(float)),
          .activations = model.activation_bytes(stretch),
          .loss = objective.loss_bytes(),
          .stretch = stretch};
}

void TrainingMemory::refuse_too_large(const Model& model, const Objective& objective, const Context& context) {
  const MemoryNeed least = least_need(model, objective);
  Trainings& all = trainings_on(context.device);
  const std::lock_guard lock(all.mutex);
  const std::int64_t taken = all.running == 0 ? memory_in_use(context.device) : all.before;
  if (taken + least.total() > limit_of(context)) {
    refuse(memory_need(model, objective), least, taken, limit_of(context));
  }
}

TrainingMemory::TrainingMemory(Model& model, const Objective& objective, const Context& context)
    : device_(context.device) {
  const std::int64_t limit = limit_of(context);
  const MemoryNeed plain = memory_need(model, objective);
  const MemoryNeed least = least_need(model, objective);
  Trainings& all = trainings_on(context.device);
  std::unique_lock lock(all.mutex);
  for (;;) {
    if (all.running == 0) all.before = memory_in_use(context.device);
    // What others have been promised may not have been touched yet, and what they hold may be more.
    const std::int64_t taken = std::max(memory_in_use(context.device), all.before + all.promised);
    need_ = taken + plain.total() <= limit ? plain : least;
    if (taken + need_.total() <= limit) break;
    if (all.running == 0) refuse(plain, least, taken, limit);
    all.one_less.wait(lock);
  }
  model.checkpoint_activations(need_.stretch);
  ++all.running;
  all.promised += need_.total();
}

TrainingMemory::~TrainingMemory() {
  Trainings& all = trainings_on(device_);
  const std::lock_guard lock(all.mutex);
  --all.running;
  all.promised -= need_.total();
  all.one_less.notify_all();
}

}  // namespace gir
