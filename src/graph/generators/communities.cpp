#include "assembly.h"

namespace gir::generators {
namespace {

/// Complete graphs in a ring: in each, the edge between its first two nodes is replaced by an edge from its first node
/// to the last node of the community before it.
Array<Arc> caveman_edges(std::int64_t communities, std::int64_t size) {
  const std::int64_t nodes = communities * size;
  const std::int64_t edges_each = size * (size - 1) / 2;
  Array<Arc> edges(communities * edges_each);
  parallel_for(communities, 1, [&](std::int64_t begin, std::int64_t) {
    const auto first = static_cast<NodeId>(begin * size);
    Arc* start = edges.data() + begin * edges_each;
    fill_clique(first, size, start);
    if (communities > 1) *start = {first, static_cast<NodeId>((first + nodes - 1) % nodes)};
  });
  return edges;
}

AttributedGraph make_communities(const GeneratorParameters& parameters, std::uint64_t seed) {
  const std::int64_t communities = parameters.integer("communities");
  const std::int64_t size = parameters.integer("size");
  const double nodes = static_cast<double>(communities) * static_cast<double>(size);
  check_size("communities", nodes, nodes * static_cast<double>(size - 1) / 2, kRewireBytesPerEdge);
  Array<Arc> edges = caveman_edges(communities, size);
  rewire(edges, communities * size, parameters.real("rewire"), Rng(seed, "communities"));
  AttributedGraph result = undirected_graph(communities * size, std::move(edges));
  result.labels = group_labels(communities * size, communities);
  return result;
}

const Registered<Generator> communities_generator{
    {.name = "communities",
     .summary = "connected caveman graph, some edges rewired; classes are the communities",
     .parameters = {{.name = "communities",
                     .default_value = 20,
                     .minimum = 1,
                     .maximum = kMaxNodes,
                     .meaning = "number of complete graphs in the ring"},
                    {.name = "size",
                     .default_value = 20,
                     .minimum = 3,
                     .maximum = kMaxNodes,
                     .meaning = "nodes of each community"},
                    {.name = "rewire",
                     .default_value = 0.01,
                     .minimum = 0,
                     .maximum = 1,
                     .meaning = "probability that an edge goes to a random node instead"}},
     .make = make_communities}};

}  // namespace
}  // namespace gir::generators
