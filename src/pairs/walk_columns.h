#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>

#include "gir/core/error.h"
#include "gir/graph/attributes.h"
#include "gir/graph/structure.h"

namespace gir {

/// The features of `walks` and `local-walks`, in the same columns: exact in the former, approximate in the latter.
///
/// With S = D^-1/2 A D^-1/2, the entry S^k[u, v] is the geometric mean of the probabilities that a random walk of k
/// steps leads from u to v and from v to u.
namespace walk_columns {

/// Numbers of steps that have columns of their own, then windows of steps whose entries are summed.
constexpr std::int64_t kFirstStep = 2;
constexpr std::int64_t kLastStep = 8;
constexpr std::int64_t kSteps = 16;
constexpr std::int64_t kWindow = 4;
constexpr std::int64_t kRecords = kLastStep - kFirstStep + 1 + (kSteps - kLastStep) / kWindow;

/// The column block of walks of `step` steps.
constexpr std::int64_t record_of(std::int64_t step) {
  return step <= kLastStep ? step - kFirstStep : kLastStep - kFirstStep + 1 + (step - kLastStep - 1) / kWindow;
}

constexpr std::int64_t kPerRecord = 5;  ///< S^k[u, v], the two probabilities, the two probabilities of a return
constexpr std::int64_t kStructural = 6;
constexpr std::array<std::int64_t, 5> kBalls = {2, 3, 4, 6, 10};  ///< radii of the neighbourhoods that are counted
constexpr std::int64_t kWidth = kRecords * kPerRecord + 4 + 2 * kStructural + 2 * std::ssize(kBalls);

constexpr double kDamping = 0.85;  ///< of the personalised PageRank

/// A view of the graph, without directions, and the structural features of its nodes.
class WalkView {
 public:
  explicit WalkView(const Graph& given) : given_(given), structural_(structural_features(given)) {
    ensure(structural_.columns == kStructural, "the structural features that have columns");
    if (given.directed()) undirected_ = as_undirected(given);
  }

  const Graph& graph() const { return undirected_ ? *undirected_ : given_; }
  const float* structural_of(NodeId node) const { return structural_.values.begin() + node * kStructural; }

 private:
  const Graph& given_;
  std::optional<Graph> undirected_;  ///< of a directed graph
  DenseMatrix structural_;
};

/// The walks between two nodes.
struct PairWalks {
  std::array<double, kRecords> mean = {};         ///< S^k[u, v], summed over the steps of a window
  std::array<double, kRecords> first = {};        ///< S^k[u, u]
  std::array<double, kRecords> second = {};       ///< S^k[v, v]
  double page_rank = 0;                           ///< Σ (1 - damping) damping^k S^k[u, v]
  double shortest = 0;                            ///< 1 / the least number of steps, 0 if that is unknown
  std::array<double, kBalls.size()> ball_u = {};  ///< numbers of nodes within these radii
  std::array<double, kBalls.size()> ball_v = {};
  double root_u = 1;  ///< square roots of the degrees
  double root_v = 1;
};

inline void put_low_high(double a, double b, float*& out) {
  *out++ = static_cast<float>(std::min(a, b));
  *out++ = static_cast<float>(std::max(a, b));
}

/// Writes the columns of one pair; the rows of structural_features() are those of its nodes.
inline void write(const PairWalks& walks, const float* structural_u, const float* structural_v, float* out) {
  const double to_v = walks.root_v / walks.root_u;  // S^k[u, v] to_v is the probability of reaching v from u
  for (std::size_t i = 0; i < kRecords; ++i) {
    *out++ = static_cast<float>(walks.mean[i]);
    put_low_high(walks.mean[i] * to_v, walks.mean[i] / to_v, out);
    put_low_high(walks.first[i], walks.second[i], out);
  }
  *out++ = static_cast<float>(walks.page_rank);
  put_low_high(walks.page_rank * to_v, walks.page_rank / to_v, out);
  *out++ = static_cast<float>(walks.shortest);
  for (std::int64_t i = 0; i < kStructural; ++i) put_low_high(structural_u[i], structural_v[i], out);
  for (std::size_t i = 0; i < kBalls.size(); ++i) put_low_high(walks.ball_u[i], walks.ball_v[i], out);
}

}  // namespace walk_columns
}  // namespace gir
