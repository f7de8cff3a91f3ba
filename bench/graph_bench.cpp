#include <benchmark/benchmark.h>

#include "gir/core/random.h"
#include "gir/data/split.h"
#include "gir/graph/components.h"
#include "gir/graph/generators.h"

namespace gir {
namespace {

EdgeInput random_edges(std::int64_t nodes, std::int64_t edges, bool weighted) {
  const RandomStream random(0, "bench/edges");
  EdgeInput input;
  input.arcs = Array<Arc>(edges);
  if (weighted) input.weights = Array<float>(edges, 1.0f);
  for (std::int64_t i = 0; i < edges; ++i) {
    const auto index = static_cast<std::uint64_t>(i) * 2;
    const auto bound = static_cast<std::uint64_t>(nodes);
    input.arcs[i] = {static_cast<NodeId>(random.below(index, bound)),
                     static_cast<NodeId>(random.below(index + 1, bound))};
  }
  input.names = NodeNames::positions(nodes);
  return input;
}

void build(benchmark::State& state, bool weighted) {
  const std::int64_t nodes = state.range(0);
  const EdgeInput edges = random_edges(nodes, nodes * 10, weighted);
  for (auto _ : state) {
    benchmark::DoNotOptimize(build_graph({.arcs = edges.arcs.clone(),
                                          .weights = edges.weights.clone(),
                                          .directed = false,
                                          .names = NodeNames::positions(nodes)}));
  }
  state.SetItemsProcessed(state.iterations() * nodes * 10);
}

void components(benchmark::State& state) {
  const Graph graph = build_graph(random_edges(state.range(0), state.range(0) * 10, false));
  for (auto _ : state) benchmark::DoNotOptimize(connected_components(graph));
  state.SetItemsProcessed(state.iterations() * graph.num_arcs());
}

void train_negatives(benchmark::State& state) {
  const Graph graph = build_graph(random_edges(state.range(0), state.range(0) * 10, false));
  const PairSplit split = PairSplit::of_links(graph, 0, default_shares(Task::kLinkPrediction));
  std::uint64_t epoch = 0;
  for (auto _ : state) benchmark::DoNotOptimize(split.train_negatives(epoch++, 0));
  state.SetItemsProcessed(state.iterations() * std::ssize(split.train_positives()));
}

BENCHMARK_CAPTURE(build, unweighted, false)->Arg(1 << 12)->Arg(1 << 18)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, weighted, true)->Arg(1 << 12)->Arg(1 << 18)->Unit(benchmark::kMillisecond);
BENCHMARK(components)->Arg(1 << 12)->Arg(1 << 18)->Unit(benchmark::kMillisecond);
BENCHMARK(train_negatives)->Arg(1 << 12)->Arg(1 << 16)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gir
