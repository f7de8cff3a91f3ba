#pragma once

#include <cstdint>

#include "gir/models/model.h"
#include "gir/train/objective.h"

namespace gir {

/// What training is going to take, in bytes of the whole process.
struct MemoryNeed {
  std::int64_t now = 0;          ///< taken already: the program, the graph, the model
  std::int64_t parameters = 0;   ///< gradients, moments and the best epoch's copy
  std::int64_t activations = 0;  ///< at the peak of an epoch; 0 where the model cannot say
  std::int64_t loss = 0;         ///< what the objective adds
  std::int64_t stretch = 0;      ///< hidden layers that are computed twice at a time; 0: all are kept

  std::int64_t total() const { return now + parameters + activations + loss; }
};

/// What a model would take whose hidden layers are computed twice, `stretch` at a time.
MemoryNeed memory_need(const Model& model, const Objective& objective, std::int64_t stretch = 0);

/// Tells the model to compute layers twice instead of keeping their activations where it would not fit otherwise. The
/// results are the same bits. `budget` in bytes; 0: what memory_limit() says. UserError with advice where nothing
/// helps.
MemoryNeed fit_memory(Model& model, const Objective& objective, std::int64_t budget);

}  // namespace gir
