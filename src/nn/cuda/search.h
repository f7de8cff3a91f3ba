#pragma once

#include <c10/core/Device.h>

#include "gir/anchors/distances.h"

namespace gir::cuda {

/// Breadth-first searches on a GPU, which fill a distance table: see DistanceSearch. False if the GPU is out of memory.
bool search_distances(const c10::Device& device, const Graph& graph, const NodeSets& sources, Hops max_hops,
                      DistanceTable& table);

}  // namespace gir::cuda
