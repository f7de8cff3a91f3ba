#pragma once

#include <cstdint>
#include <span>

#include "gir/anchors/distances.h"
#include "gir/anchors/node_sets.h"
#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/graph/attributes.h"
#include "gir/graph/graph.h"

namespace gir {

/// Assigns anchors to `count` channels round-robin. Where the anchors of a component follow each other, as those of the
/// strategy `spread` do, they are in different channels, so a graph of many components needs as many channels as one
/// component has anchors. With fewer anchors than channels, the last ones are empty.
GIR_API NodeSets position_channels(std::span<const NodeId> anchors, std::int64_t count);

/// Where every node is, float [nodes, 2 * channels]: for each channel the closeness 1 / (1 + d), 0 where there is no
/// path, and the logarithm of 1 + d, where d is the distance from the nearest anchor of the channel, ignoring edge
/// directions. The first distinguishes near nodes, the second far ones. Both kinds of columns are scaled to mean 0 and
/// standard deviation 1 over all channels and the nodes that they reach. Costs one set_distances().
GIR_API DenseMatrix position_features(const Graph& graph, const NodeSets& channels, const DistanceSearch& search = {});

}  // namespace gir
