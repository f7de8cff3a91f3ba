#pragma once

#include <cstdint>
#include <vector>

#include "gir/data/split.h"

namespace gir {

/// Training edges dealt into parts, and for every part the message graph without its edges. A model that is asked about
/// the edges of a part while messages travel along the others learns what it will be judged by: to find edges that
/// it cannot see.
struct HiddenEdges {
  std::vector<std::vector<NodePair>> parts;
  std::vector<Graph> graphs;
};

/// At random into `parts` parts of nearly equal size. UserError for fewer than 2 parts, and for more parts than
/// training edges. Memory: a copy of the message graph a part.
HiddenEdges hide_in_turn(const PairSplit& links, std::int64_t parts, std::uint64_t seed);

}  // namespace gir
