#include "gir/data/dataset.h"
#include "gir/graph/generators.h"

namespace gir {
namespace {

const Registered<DatasetEntry> karate{{
    .name = "karate",
    .summary = "friendships in a karate club (Zachary 1977), the two factions as classes",
    .origin = "built in",
    .task = Task::kNodeClassification,
    .sizes = {.hidden = 16, .anchors = 4, .anchor_sets = 2},
    .sources = {},
    .make = [] { return generate_graph("karate"); },
}};

const Registered<DatasetEntry> communities{{
    .name = "communities",
    .summary = "synthetic ring of dense communities, joined by few edges; the communities as classes",
    .origin = "built in",
    .task = Task::kNodePairClassification,
    .sizes = {.hidden = 16, .anchors = 16, .anchor_sets = 4},
    .sources = {},
    .make = [] { return generate_graph("communities"); },
}};

}  // namespace
}  // namespace gir
