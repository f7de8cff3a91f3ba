#include "assembly.h"

namespace gir::generators {
namespace {

Arc edge(std::int64_t source, std::int64_t target) {
  return {static_cast<NodeId>(source), static_cast<NodeId>(target)};
}

/// An integer parameter with the upper limit of a number of nodes.
GeneratorParameter count_parameter(std::string name, std::int64_t default_value, std::int64_t minimum,
                                   std::string meaning) {
  GeneratorParameter parameter = nodes_parameter(default_value, minimum);
  parameter.name = std::move(name);
  parameter.meaning = std::move(meaning);
  return parameter;
}

AttributedGraph make_path(const GeneratorParameters& parameters, std::uint64_t) {
  const std::int64_t nodes = parameters.integer("nodes");
  check_size("path", static_cast<double>(nodes), static_cast<double>(nodes));
  return undirected_graph(nodes, edges_by_index(nodes - 1, [](std::int64_t i) { return edge(i, i + 1); }));
}

AttributedGraph make_ring(const GeneratorParameters& parameters, std::uint64_t) {
  const std::int64_t nodes = parameters.integer("nodes");
  check_size("ring", static_cast<double>(nodes), static_cast<double>(nodes));
  return undirected_graph(nodes, edges_by_index(nodes, [&](std::int64_t i) { return edge(i, (i + 1) % nodes); }));
}

AttributedGraph make_star(const GeneratorParameters& parameters, std::uint64_t) {
  const std::int64_t nodes = parameters.integer("nodes");
  check_size("star", static_cast<double>(nodes), static_cast<double>(nodes));
  return undirected_graph(nodes, edges_by_index(nodes - 1, [](std::int64_t i) { return edge(0, i + 1); }));
}

/// Node v is in row v / columns and column v % columns; it is joined to the node on its right and the one below.
AttributedGraph make_grid(const GeneratorParameters& parameters, std::uint64_t) {
  const std::int64_t rows = parameters.integer("rows");
  const std::int64_t columns = parameters.integer("columns");
  const double size = static_cast<double>(rows) * static_cast<double>(columns);
  check_size("grid", size, 2 * size);
  const std::int64_t nodes = rows * columns;
  return undirected_graph(nodes, edges_by_row(nodes, [&](std::int64_t v, const auto& emit) {
                            if ((v + 1) % columns != 0) emit(edge(v, v + 1));
                            if (v + columns < nodes) emit(edge(v, v + columns));
                          }));
}

/// The parent of node i + 1 is node i / branching.
AttributedGraph make_tree(const GeneratorParameters& parameters, std::uint64_t) {
  const std::int64_t branching = parameters.integer("branching");
  // In real numbers, which cannot overflow, and only until the size is known to be too large.
  double size = 1;
  double level = 1;
  for (std::int64_t depth = 0; depth < parameters.integer("depth") && size <= kMaxNodes; ++depth) {
    level *= static_cast<double>(branching);
    size += level;
  }
  check_size("tree", size, size);
  const auto nodes = static_cast<std::int64_t>(size);
  return undirected_graph(nodes, edges_by_index(nodes - 1, [&](std::int64_t i) { return edge(i / branching, i + 1); }));
}

AttributedGraph make_barbell(const GeneratorParameters& parameters, std::uint64_t) {
  const std::int64_t clique = parameters.integer("clique");
  const std::int64_t between = parameters.integer("path");
  const auto size = static_cast<double>(clique);
  check_size("barbell", 2 * size + static_cast<double>(between), size * (size - 1) + static_cast<double>(between) + 1);
  const std::int64_t nodes = 2 * clique + between;
  Array<Arc> edges(clique * (clique - 1) + between + 1);
  Arc* next = fill_clique(0, clique, edges.data());
  next = fill_clique(static_cast<NodeId>(clique + between), clique, next);
  for (std::int64_t v = clique - 1; v < clique + between; ++v) *next++ = edge(v, v + 1);
  return undirected_graph(nodes, std::move(edges));
}

const Registered<Generator> path{
    {.name = "path", .summary = "nodes in a row", .parameters = {nodes_parameter(10)}, .make = make_path}};

const Registered<Generator> ring{
    {.name = "ring", .summary = "nodes in a circle", .parameters = {nodes_parameter(10, 3)}, .make = make_ring}};

const Registered<Generator> star{
    {.name = "star", .summary = "node 0 joined to all others", .parameters = {nodes_parameter(10)}, .make = make_star}};

const Registered<Generator> grid{{.name = "grid",
                                  .summary = "rectangular lattice, numbered row by row",
                                  .parameters = {count_parameter("rows", 20, 1, "nodes from top to bottom"),
                                                 count_parameter("columns", 20, 1, "nodes from left to right")},
                                  .make = make_grid}};

const Registered<Generator> tree{{.name = "tree",
                                  .summary = "complete tree, numbered level by level from its root",
                                  .parameters = {count_parameter("branching", 2, 1, "children of an inner node"),
                                                 count_parameter("depth", 5, 0, "edges from the root to a leaf")},
                                  .make = make_tree}};

const Registered<Generator> barbell{{.name = "barbell",
                                     .summary = "two complete graphs joined by a path",
                                     .parameters = {count_parameter("clique", 10, 1, "nodes of each complete graph"),
                                                    count_parameter("path", 5, 0, "nodes between the two")},
                                     .make = make_barbell}};

}  // namespace
}  // namespace gir::generators
