#include "gir/anchors/anchors.h"
#include "ranking.h"

namespace gir {
namespace {

AnchorSelection select_by_degree(const Graph& graph, const AnchorOptions& options) {
  const Array<std::int8_t> equal(graph.num_nodes(), 0);  // highest() breaks ties by degree
  return {.anchors = highest(graph, equal, options.count), .restricted = false, .notes = {}};
}

const Registered<AnchorStrategy> degree{{
    .name = "degree",
    .summary = "the nodes of the highest degree",
    .select = select_by_degree,
}};

}  // namespace
}  // namespace gir
