#pragma once

#include <c10/core/Device.h>

#include "gir/anchors/distances.h"

namespace gir::cuda {

/// Fills a table with distances on a GPU: see DistanceSearch.
bool search_distances(const c10::Device& device, const Graph& graph, const NodeSets& sources, Hops most_hops,
                      DistanceTable& table);

}  // namespace gir::cuda
