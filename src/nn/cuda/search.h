#pragma once

#include "gir/anchors/distances.h"

namespace gir::cuda {

/// Fills a table with distances on the GPU of this thread: see DistanceSearch.
bool search_distances(const Graph& graph, const NodeSets& sources, Hops most_hops, DistanceTable& table);

}  // namespace gir::cuda
