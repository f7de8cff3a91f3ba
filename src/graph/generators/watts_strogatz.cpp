#include "assembly.h"
#include "gir/core/error.h"

namespace gir::generators {
namespace {

AttributedGraph make_watts_strogatz(const GeneratorParameters& parameters, std::uint64_t seed) {
  const std::int64_t nodes = parameters.integer("nodes");
  const std::int64_t neighbors = parameters.integer("neighbors");
  if (neighbors % 2 != 0) {
    throw UserError("watts-strogatz: `neighbors` is {}, an odd number [choose an even one]", neighbors);
  }
  if (neighbors >= nodes) {
    throw UserError("watts-strogatz: `neighbors` is {}, not less than the {} nodes [choose an even number below]",
                    neighbors, nodes);
  }
  const std::int64_t each_way = neighbors / 2;
  check_size("watts-strogatz", static_cast<double>(nodes), static_cast<double>(nodes) * static_cast<double>(each_way),
             kRewireBytesPerEdge);
  Array<Arc> edges = edges_by_index(nodes * each_way, [&](std::int64_t i) {
    const std::int64_t u = i / each_way;
    return Arc{static_cast<NodeId>(u), static_cast<NodeId>((u + 1 + i % each_way) % nodes)};
  });
  rewire(edges, nodes, parameters.real("rewire"), Rng(seed, "watts-strogatz"));
  return undirected_graph(nodes, std::move(edges));
}

const Registered<Generator> watts_strogatz{
    {.name = "watts-strogatz",
     .summary = "small world: a ring lattice with some edges rewired",
     .parameters = {nodes_parameter(1000, 3),
                    {.name = "neighbors",
                     .default_value = 10,
                     .minimum = 2,
                     .maximum = kMaxNodes,
                     .meaning = "number of nearest nodes on the ring that each node is joined to, even"},
                    {.name = "rewire",
                     .default_value = 0.1,
                     .minimum = 0,
                     .maximum = 1,
                     .meaning = "probability that an edge goes to a random node instead"}},
     .make = make_watts_strogatz}};

}  // namespace
}  // namespace gir::generators
