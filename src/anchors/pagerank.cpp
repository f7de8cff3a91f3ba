#include "gir/anchors/anchors.h"
#include "gir/graph/centrality.h"
#include "ranking.h"

namespace gir {
namespace {

AnchorSelection select_by_pagerank(const Graph& graph, const AnchorOptions& options) {
  return {.anchors = highest(graph, page_ranks(graph), options.count), .restricted = false, .notes = {}};
}

const Registered<AnchorStrategy> pagerank{{
    .name = "pagerank",
    .summary = "the nodes of the highest PageRank (damping 0.85)",
    .select = select_by_pagerank,
}};

}  // namespace
}  // namespace gir
