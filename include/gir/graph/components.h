#pragma once

#include <cstdint>

#include "gir/core/array.h"
#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"

namespace gir {

/// Weakly connected components of a graph.
struct GIR_API Components {
  Array<std::int32_t> of_node;  ///< component of every node; components are numbered by their smallest node
  Array<std::int64_t> sizes;    ///< number of nodes of every component

  std::int64_t count() const { return sizes.size(); }

  /// The largest component, the lowest-numbered of equals. Only for graphs with nodes.
  std::int32_t largest() const;
};

/// Nearly O(nodes + edges), in parallel; skips most edges of a giant component. The same result on any number of
/// threads.
GIR_API Components connected_components(const Graph& graph);

}  // namespace gir
