#pragma once

#include <cstdint>
#include <vector>

#include "gir/core/export.h"
#include "gir/data/split.h"

namespace gir {

/// Training edges of a link prediction split divided into parts, and for every part the message graph without its
/// edges. When a part supervises a training step, messages are passed on its graph: the model then learns to predict
/// edges that are not in the message graph, as in the evaluation.
struct GIR_API HiddenEdges {
  std::vector<std::vector<NodePair>> parts;
  std::vector<Graph> graphs;
};

/// Divides the training edges at random into `parts` parts of nearly equal size, of which the first `used` supervise
/// (0: all of them); the edges of the others only carry messages. UserError for fewer than 2 parts and for more parts
/// than training edges. Memory: one copy of the message graph per part that is used.
GIR_API HiddenEdges hide_in_turn(const PairSplit& links, std::int64_t parts, std::uint64_t seed, std::int64_t used = 0);

}  // namespace gir
