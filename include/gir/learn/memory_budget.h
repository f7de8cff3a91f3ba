#pragma once

#include <cstdint>

#include "gir/core/context.h"
#include "gir/core/export.h"
#include "gir/learn/objective.h"
#include "gir/models/model.h"

namespace gir {

/// Memory in bytes that a training needs in addition to what the process already uses. The trainer has been constructed
/// at that point, so the state of the optimiser is part of what is already used.
struct GIR_API MemoryNeed {
  std::int64_t gradients = 0;    ///< of the parameters
  std::int64_t activations = 0;  ///< peak of an epoch; 0 if the model has no estimate
  std::int64_t loss = 0;         ///< of the objective, including its negative samples
  std::int64_t segment = 0;      ///< hidden layers per checkpointed segment; 0: no activation checkpointing

  std::int64_t total() const { return gradients + activations + loss; }
};

/// The need of a model with activation checkpointing over segments of `segment` hidden layers.
GIR_API MemoryNeed memory_need(const Model& model, const Objective& objective, std::int64_t segment = 0);

/// Memory in use by the process on a device. On the CPU without mapped files and without the free blocks of the caching
/// tensor allocator.
GIR_API std::int64_t memory_in_use(const Device& device);

/// Reserves the memory of one training, from before its first epoch until after the last one. Several trainings may run
/// in one process, on the same device or on different ones.
class GIR_API TrainingMemory {
 public:
  /// UserError with a hint if a training does not fit even when it runs alone and with activation checkpointing. The
  /// limit is the memory budget of the context; without one it is memory_limit() on the CPU, or most of the memory of a
  /// GPU.
  static void reject_too_large(const Model& model, const Objective& objective, const Context& context);

  /// Switches on activation checkpointing (hidden layers are recomputed in the backward pass instead of stored) if the
  /// training does not fit otherwise; the results are bit-identical. Waits for other trainings to finish while there is
  /// not enough memory next to them. UserError as above.
  TrainingMemory(Model& model, const Objective& objective, const Context& context);

  TrainingMemory(const TrainingMemory&) = delete;
  TrainingMemory& operator=(const TrainingMemory&) = delete;
  ~TrainingMemory();

  const MemoryNeed& need() const { return need_; }

 private:
  Device device_;
  MemoryNeed need_;
};

}  // namespace gir
