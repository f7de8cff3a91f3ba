#include "gir/train/memory_budget.h"

#include <unistd.h>

#include <fstream>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/nn/tensor_memory.h"

namespace gir {
namespace {

/// A value has a gradient, two moments, and a copy of the best epoch.
constexpr std::int64_t kBytesPerParameter = 4 * sizeof(float);

/// What the process has in memory, without what is kept for the next tensors.
std::int64_t resident_bytes() {
  std::int64_t pages = 0;
  std::int64_t resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * ::sysconf(_SC_PAGESIZE) - tensor_memory().kept;
}

double gibibytes(std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

}  // namespace

MemoryNeed memory_need(const Model& model, const Objective& objective, std::int64_t stretch) {
  std::int64_t values = model.parameters().num_values();
  for (const NamedTensor& each : objective.parameters()) values += each.tensor.numel();
  return {.now = resident_bytes(),
          .parameters = values * kBytesPerParameter,
          .activations = model.activation_bytes(stretch),
          .loss = objective.loss_bytes(model.output_width()),
          .stretch = stretch};
}

MemoryNeed fit_memory(Model& model, const Objective& objective, std::int64_t budget) {
  const std::int64_t limit = budget > 0 ? budget : memory_limit();
  const MemoryNeed plain = memory_need(model, objective);
  if (plain.total() <= limit) return plain;
  MemoryNeed least = plain;
  for (std::int64_t stretch = 1; stretch <= model.longest_stretch(); ++stretch) {
    const MemoryNeed need = memory_need(model, objective, stretch);
    if (need.total() < least.total()) least = need;
  }
  if (least.total() > limit) {
    const std::string twice =
        least.stretch == 0 ? ""
                           : fmt::format(", {:.2f} GiB with hidden layers computed twice", gibibytes(least.total()));
    throw UserError("training would take about {:.2f} GiB of memory{}, and {:.2f} GiB are to be had [{}]",
                    gibibytes(plain.total()), twice, gibibytes(limit),
                    plain.loss > plain.activations ? "a smaller --epoch-pairs, or a larger --memory-budget"
                                                   : "a smaller --hidden, fewer --layers, or a larger --memory-budget");
  }
  model.compute_twice(least.stretch);
  return least;
}

}  // namespace gir
