#include <gir/graph/generators.h>

namespace {

/// Node 0 in the middle, joined to all others.
gir::AttributedGraph make_star(const gir::GeneratorParameters& parameters, std::uint64_t) {
  const auto nodes = static_cast<gir::NodeId>(parameters.integer("nodes"));
  gir::EdgeInput edges{.arcs = gir::Array<gir::Arc>(nodes - 1), .names = gir::NodeNames::positions(nodes)};
  for (gir::NodeId v = 1; v < nodes; ++v) edges.arcs[v - 1] = {0, v};
  return {.graph = gir::build_graph(std::move(edges))};
}

const gir::Registered<gir::Generator> star{{
    .name = "outside-star",
    .summary = "a star",
    .parameters = {{.name = "nodes",
                    .default_value = std::int64_t{10},
                    .minimum = 1,
                    .maximum = 1e6,
                    .meaning = "number of nodes"}},
    .make = make_star,
}};

}  // namespace
