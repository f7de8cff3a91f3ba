#pragma once

#include <cstdint>
#include <span>

#include "gir/core/error.h"
#include "gir/graph/graph.h"

namespace gir {

/// One graph as it is used, and others on the same nodes that lack some of its edges. What it refers to must outlive
/// it.
struct GraphViews {
  const Graph& graph;                    ///< view 0
  std::span<const Graph> training = {};  ///< view 1 and up: without the edges that training asks about meanwhile

  std::int64_t size() const { return 1 + std::ssize(training); }

  const Graph& operator[](std::int64_t view) const {
    ensure(view >= 0 && view < size(), "a view of the graph");
    return view == 0 ? graph : training[static_cast<std::size_t>(view - 1)];
  }
};

}  // namespace gir
