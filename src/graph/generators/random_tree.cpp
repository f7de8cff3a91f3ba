#include "assembly.h"
#include "gir/core/error.h"

namespace gir::generators {
namespace {

/// The nodes are divided into ranges, one per tree; each node but the first of its range joins an earlier one.
AttributedGraph make_random_tree(const GeneratorParameters& parameters, std::uint64_t seed) {
  const std::int64_t nodes = parameters.integer("nodes");
  const std::int64_t trees = parameters.integer("trees");
  if (trees > nodes)
    throw UserError("random-tree: `trees` is {}, more than the {} nodes [choose 1 .. {}]", trees, nodes, nodes);
  check_size("random-tree", static_cast<double>(nodes), static_cast<double>(nodes));
  const RandomStream stream(seed, "random-tree");
  return undirected_graph(
      nodes, edges_by_row(trees, [&](std::int64_t tree, const auto& emit) {
        const std::int64_t first = group_begin(nodes, trees, tree);
        const std::int64_t end = group_begin(nodes, trees, tree + 1);
        for (std::int64_t v = first + 1; v < end; ++v) {
          const auto earlier = stream.below(static_cast<std::uint64_t>(v), static_cast<std::uint64_t>(v - first));
          emit(Arc{static_cast<NodeId>(v), static_cast<NodeId>(first + static_cast<std::int64_t>(earlier))});
        }
      }));
}

const Registered<Generator> random_tree{
    {.name = "random-tree",
     .summary = "disjoint random recursive trees: each node is joined to an earlier one",
     .parameters =
         {nodes_parameter(1000),
          {.name = "trees", .default_value = 1, .minimum = 1, .maximum = kMaxNodes, .meaning = "number of components"}},
     .make = make_random_tree}};

}  // namespace
}  // namespace gir::generators
