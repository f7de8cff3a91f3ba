#include "assembly.h"
#include "gir/core/error.h"

namespace gir::generators {
namespace {

/// Preferential attachment, starting from a star of `attach` edges. A random end of a random edge is a node drawn in
/// proportion to its degree.
Array<Arc> grow(std::int64_t nodes, std::int64_t attach, Rng rng) {
  constexpr NodeId kNobody = -1;
  Array<Arc> edges((nodes - attach) * attach);
  Array<NodeId> last_joined_by(nodes, kNobody);  // a newcomer joins a node only once
  std::int64_t count = 0;
  for (std::int64_t leaf = 1; leaf <= attach; ++leaf) edges[count++] = {0, static_cast<NodeId>(leaf)};
  for (std::int64_t i = attach + 1; i < nodes; ++i) {
    const auto newcomer = static_cast<NodeId>(i);
    const std::int64_t older_edges = count;
    while (count < older_edges + attach) {
      const std::uint64_t end = rng.below(2 * static_cast<std::uint64_t>(older_edges));
      const Arc edge = edges[static_cast<std::int64_t>(end / 2)];
      const NodeId target = end % 2 == 0 ? edge.source : edge.target;
      if (std::exchange(last_joined_by[target], newcomer) != newcomer) edges[count++] = {newcomer, target};
    }
  }
  return edges;
}

AttributedGraph make_barabasi_albert(const GeneratorParameters& parameters, std::uint64_t seed) {
  const std::int64_t nodes = parameters.integer("nodes");
  const std::int64_t attach = parameters.integer("attach");
  if (attach >= nodes) {
    throw UserError("barabasi-albert: `attach` is {}, not less than the {} nodes [choose 1 .. {}]", attach, nodes,
                    nodes - 1);
  }
  check_size("barabasi-albert", static_cast<double>(nodes),
             static_cast<double>(nodes - attach) * static_cast<double>(attach));
  return undirected_graph(nodes, grow(nodes, attach, Rng(seed, "barabasi-albert")));
}

const Registered<Generator> barabasi_albert{
    {.name = "barabasi-albert",
     .summary = "preferential attachment: new nodes are joined to earlier ones in proportion to their degree",
     .parameters = {nodes_parameter(1000, 2),
                    {.name = "attach",
                     .default_value = 3,
                     .minimum = 1,
                     .maximum = kMaxNodes,
                     .meaning = "number of edges of a new node"}},
     .make = make_barabasi_albert}};

}  // namespace
}  // namespace gir::generators
