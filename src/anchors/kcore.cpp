#include "gir/anchors/anchors.h"
#include "gir/graph/centrality.h"
#include "ranking.h"

namespace gir {
namespace {

AnchorSelection select_by_core(const Graph& graph, const AnchorOptions& options) {
  return {.anchors = highest(graph, core_numbers(graph), options.count), .restricted = false, .notes = {}};
}

const Registered<AnchorStrategy> kcore{{
    .name = "kcore",
    .summary = "the nodes of the highest core number",
    .select = select_by_core,
}};

}  // namespace
}  // namespace gir
