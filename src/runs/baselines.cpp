#include "gir/runs/baselines.h"

#include <limits>

#include "gir/learn/metrics.h"
#include "gir/pairs/pair_features.h"

namespace gir {
namespace {

struct Heuristic {
  const char* name;
  const char* feature;  ///< pair feature whose first column is the score
};

constexpr Heuristic kHeuristics[] = {{"common_neighbors", "common-neighbors"}, {"distance", "pair-distance"}};

std::vector<float> scores_of(const PairDescription& description, const std::vector<NodePair>& pairs) {
  const std::vector<float> rows = description.describe(pairs, 0);
  std::vector<float> scores;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    scores.push_back(rows[i * static_cast<std::size_t>(description.width())]);
  }
  return scores;
}

double auc_of(const Heuristic& heuristic, const Graph& graph, const EvaluationPairs& pairs) {
  if (pairs.positives.empty()) return std::numeric_limits<double>::quiet_NaN();
  const PairDescription description(heuristic.feature, {.graphs = {.graph = graph}});
  return roc_auc(scores_of(description, pairs.positives), scores_of(description, pairs.negatives));
}

}  // namespace

std::vector<Baseline> link_baselines(const PairSplit& split, const Graph& valid_graph, const Graph& test_graph) {
  std::vector<Baseline> baselines;
  for (const Heuristic& heuristic : kHeuristics) {
    baselines.push_back(
        {heuristic.name, auc_of(heuristic, valid_graph, split.valid()), auc_of(heuristic, test_graph, split.test())});
  }
  return baselines;
}

}  // namespace gir
