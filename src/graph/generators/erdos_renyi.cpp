#include "assembly.h"

namespace gir::generators {
namespace {

AttributedGraph make_erdos_renyi(const GeneratorParameters& parameters, std::uint64_t seed) {
  const std::int64_t nodes = parameters.integer("nodes");
  const double p = parameters.real("p");
  const auto size = static_cast<double>(nodes);
  check_size("erdos-renyi", size, p * size * (size - 1) / 2);
  return undirected_graph(nodes, edges_by_row(nodes, [&](std::int64_t u, const auto& emit) {
                            Rng rng(seed, "erdos-renyi", static_cast<std::uint64_t>(u));
                            for_each_hit(rng, u + 1, nodes, p, [&](std::int64_t v) {
                              emit({static_cast<NodeId>(u), static_cast<NodeId>(v)});
                            });
                          }));
}

const Registered<Generator> erdos_renyi{
    {.name = "erdos-renyi",
     .summary = "every pair of nodes is an edge with the same probability",
     .parameters =
         {nodes_parameter(1000),
          {.name = "p", .default_value = 0.01, .minimum = 0, .maximum = 1, .meaning = "probability of an edge"}},
     .make = make_erdos_renyi}};

}  // namespace
}  // namespace gir::generators
