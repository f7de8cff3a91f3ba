#pragma once

#include <cstdint>
#include <vector>

#include "gir/core/export.h"
#include "gir/data/split.h"

namespace gir {

struct GIR_API HiddenEdgesOptions {
  std::int64_t parts = 10;
  std::int64_t rounds = 1;  ///< how often the edges are divided, each time into other parts
  std::int64_t used = 0;    ///< the first parts supervise, at most this many; the edges of the others only carry
                            ///< messages; 0: all parts
  std::uint64_t seed = 0;
};

/// Training edges of a link prediction split divided into parts, and for every part the message graph without its
/// edges. When a part supervises a training step, messages are passed on its graph: the model then learns to predict
/// edges that are not in the message graph, as in the evaluation.
struct GIR_API HiddenEdges {
  std::vector<std::vector<NodePair>> parts;
  std::vector<Graph> graphs;
};

/// Divides the training edges at random into parts of nearly equal size, in every round anew. UserError for fewer than
/// 2 parts and for more parts than training edges. Memory: one copy of the message graph per part that is used.
GIR_API HiddenEdges hide_in_turn(const PairSplit& links, const HiddenEdgesOptions& options);

}  // namespace gir
