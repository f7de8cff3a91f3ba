#include "gir/core/random.h"

#include "gir/anchors/anchors.h"
#include "ranking.h"

namespace gir {
namespace {

AnchorSelection select_at_random(const Graph& graph, const AnchorOptions& options) {
  return {.anchors = draw_nodes(graph.num_nodes(), options.count, Rng(options.seed, "anchors/random")),
          .restricted = false,
          .notes = {}};
}

const Registered<AnchorStrategy> random{{
    .name = "random",
    .summary = "nodes drawn uniformly at random, see `seed`",
    .select = select_at_random,
}};

}  // namespace
}  // namespace gir
