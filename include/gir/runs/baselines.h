#pragma once

#include <string>
#include <vector>

#include "gir/core/export.h"
#include "gir/data/split.h"

namespace gir {

/// ROC AUC of a heuristic that learns nothing, on the same pairs as a model.
struct GIR_API Baseline {
  std::string name;
  double valid = 0;
  double test = 0;

  friend bool operator==(const Baseline&, const Baseline&) = default;
};

/// Heuristics for links without the pair's own edge: "common_neighbors" (their number) and "distance" (the shorter, the
/// likelier). `valid_graph` and `test_graph` have the edges that are known when the pairs of a set are scored. A model
/// that is not better than these has learnt nothing worth its time.
GIR_API std::vector<Baseline> link_baselines(const PairSplit& split, const Graph& valid_graph, const Graph& test_graph);

}  // namespace gir
