#pragma once

#include <cstdint>

#include "gir/core/context.h"
#include "gir/core/export.h"
#include "gir/learn/objective.h"
#include "gir/models/model.h"

namespace gir {

/// What a training is going to take beside what the process has already, in bytes. The trainer has been made: the
/// optimiser's memory is there.
struct GIR_API MemoryNeed {
  std::int64_t gradients = 0;    ///< of the parameters
  std::int64_t activations = 0;  ///< at the peak of an epoch; 0 where the model cannot say
  std::int64_t loss = 0;         ///< what the objective adds
  std::int64_t stretch = 0;      ///< hidden layers that are computed twice at a time; 0: all are kept

  std::int64_t total() const { return gradients + activations + loss; }
};

/// What a model would take whose hidden layers are computed twice, `stretch` at a time.
GIR_API MemoryNeed memory_need(const Model& model, const Objective& objective, std::int64_t stretch = 0);

/// What the process has for itself on a device. On the CPU without the files it has mapped, and without what it keeps
/// for the next tensors.
GIR_API std::int64_t memory_in_use(const Device& device);

/// Memory of one training, from before its first epoch to after its last one. Several may train in one process, on one
/// device or on different ones.
class GIR_API TrainingMemory {
 public:
  /// UserError with advice where a training cannot fit even by itself, with all layers that may be computed twice.
  /// The limit is the context's budget; without one what memory_limit() says of the CPU, or most of what a GPU has.
  static void refuse_too_large(const Model& model, const Objective& objective, const Context& context);

  /// Has the model compute layers twice instead of keeping their activations where it would not fit otherwise; the
  /// results are the same bits. Waits for others that train as long as there is no room beside them. UserError as
  /// above.
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
