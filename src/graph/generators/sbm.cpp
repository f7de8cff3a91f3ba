#include "assembly.h"
#include "gir/core/error.h"

namespace gir::generators {
namespace {

/// Stochastic block model: nodes in blocks of equal size, edges inside a block with probability p_in, else p_out.
struct BlockModel {
  std::int64_t nodes;
  std::int64_t blocks;
  double p_in;
  double p_out;
};

double expected_edges(const BlockModel& model) {
  const auto nodes = static_cast<double>(model.nodes);
  const double pairs = nodes * (nodes - 1) / 2;
  const double inside = nodes * (nodes / static_cast<double>(model.blocks) - 1) / 2;
  return model.p_in * inside + model.p_out * (pairs - inside);
}

Array<Arc> draw_edges(const BlockModel& model, const Labels& block_of, std::uint64_t seed) {
  return edges_by_row(model.nodes, [&](std::int64_t u, const auto& emit) {
    const std::int64_t block_end = group_begin(model.nodes, model.blocks, block_of.classes[u] + std::int64_t{1});
    Rng rng(seed, "sbm", static_cast<std::uint64_t>(u));
    const auto join = [&](std::int64_t v) { emit({static_cast<NodeId>(u), static_cast<NodeId>(v)}); };
    for_each_hit(rng, u + 1, block_end, model.p_in, join);
    for_each_hit(rng, block_end, model.nodes, model.p_out, join);
  });
}

AttributedGraph make_sbm(const GeneratorParameters& parameters, std::uint64_t seed) {
  const BlockModel model{.nodes = parameters.integer("nodes"),
                         .blocks = parameters.integer("blocks"),
                         .p_in = parameters.real("p-in"),
                         .p_out = parameters.real("p-out")};
  if (model.blocks > model.nodes) {
    throw UserError("sbm: `blocks` is {}, more than the {} nodes [choose 1 .. {}]", model.blocks, model.nodes,
                    model.nodes);
  }
  check_size("sbm", static_cast<double>(model.nodes), expected_edges(model));
  Labels labels = group_labels(model.nodes, model.blocks);
  AttributedGraph result = undirected_graph(model.nodes, draw_edges(model, labels, seed));
  result.labels = std::move(labels);
  return result;
}

const Registered<Generator> sbm{
    {.name = "sbm",
     .summary = "stochastic block model of equal blocks; classes are the blocks",
     .parameters =
         {nodes_parameter(1000),
          {.name = "blocks", .default_value = 4, .minimum = 1, .maximum = kMaxNodes, .meaning = "number of blocks"},
          {.name = "p-in",
           .default_value = 0.05,
           .minimum = 0,
           .maximum = 1,
           .meaning = "probability of an edge inside a block"},
          {.name = "p-out",
           .default_value = 0.005,
           .minimum = 0,
           .maximum = 1,
           .meaning = "probability of an edge between blocks"}},
     .make = make_sbm}};

}  // namespace
}  // namespace gir::generators
