#pragma once

#include <cstdint>
#include <span>

#include "gir/core/error.h"
#include "gir/core/export.h"
#include "gir/graph/graph.h"

namespace gir {

/// A graph, and graphs on the same nodes without some of its edges, which training uses in turn (see HiddenEdges). All
/// of them must outlive this object.
struct GIR_API GraphViews {
  const Graph& graph;                    ///< view 0
  std::span<const Graph> training = {};  ///< views 1, 2, ...: each without the edges that are supervised with it

  std::int64_t size() const { return 1 + std::ssize(training); }

  const Graph& operator[](std::int64_t view) const {
    ensure(view >= 0 && view < size(), "no such view of the graph");
    return view == 0 ? graph : training[static_cast<std::size_t>(view - 1)];
  }
};

}  // namespace gir
