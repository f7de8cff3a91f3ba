#pragma once

#include <cstdint>

#include "gir/core/array.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"

namespace gir {

/// The parts of a graph that no edge joins, whatever the edges' direction.
struct Components {
  Array<std::int32_t> of_node;  ///< component of every node; component 0 holds node 0, and so on by smallest node
  Array<std::int64_t> sizes;    ///< nodes of every component

  std::int64_t count() const { return sizes.size(); }

  /// The component of most nodes, the lowest number among equals. Only for graphs with nodes.
  std::int32_t largest() const;
};

/// Weakly connected components. Nearly O(nodes + edges), in parallel; skips most edges of a giant component.
/// The result does not depend on the number of threads.
Components connected_components(const Graph& graph);

}  // namespace gir
