#include <array>
#include <optional>

#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/graph/eigenvectors.h"
#include "gir/pairs/pair_features.h"

namespace gir {
namespace {

constexpr std::int64_t kPairsPerBlock = 1 << 10;
constexpr std::array<std::int64_t, 5> kRanks = {2, 4, 8, 16, 32};
constexpr std::int64_t kWidth = 2 * std::ssize(kRanks);

/// The entry of the pair in approximations of low rank of the adjacency matrix and of the normalised one: how strongly
/// the two nodes would be linked if the graph had only its 2, 4, ..., 32 strongest patterns.
class Spectral : public PairFeature {
 public:
  explicit Spectral(const PairInputs& inputs) {
    for (std::int64_t view = 0; view < inputs.graphs.size(); ++view) {
      const Graph& given = inputs.graphs[view];
      std::optional<Graph> undirected;
      if (given.directed()) undirected = as_undirected(given);
      const Graph& graph = undirected ? *undirected : given;
      views_.push_back({leading_eigenpairs(graph, GraphMatrix::kAdjacency, kRanks.back()),
                        leading_eigenpairs(graph, GraphMatrix::kNormalised, kRanks.back())});
    }
  }

  std::int64_t width() const override { return kWidth; }

  void describe(std::span<const NodePair> pairs, std::int64_t number, float* out, std::int64_t stride) const override {
    ensure(number >= 0 && number < std::ssize(views_), "no such view of the graph");
    const View& view = views_[static_cast<std::size_t>(number)];
    parallel_for(std::ssize(pairs), kPairsPerBlock, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        float* row = out + i * stride;
        for (const Eigenpairs& matrix : view) row = write(matrix, pairs[static_cast<std::size_t>(i)], row);
      }
    });
  }

 private:
  using View = std::array<Eigenpairs, 2>;

  /// Returns the end of what it has written.
  static float* write(const Eigenpairs& matrix, NodePair pair, float* out) {
    const auto columns = std::ssize(matrix.values);
    const double* u = matrix.vectors.begin() + pair.first * columns;
    const double* v = matrix.vectors.begin() + pair.second * columns;
    double sum = 0;
    std::int64_t column = 0;
    for (const std::int64_t rank : kRanks) {
      for (; column < std::min(rank, columns); ++column) {
        sum += u[column] * matrix.values[static_cast<std::size_t>(column)] * v[column];
      }
      *out++ = static_cast<float>(sum);
    }
    return out;
  }

  std::vector<View> views_;
};

const Registered<PairFeatureEntry> entry{{
    .name = "spectral",
    .summary = "the pair's entries in approximations of rank 2 to 32 of the adjacency matrix and the normalised one",
    .sees_own_edge = true,
    .make = [](const PairInputs& inputs) -> std::unique_ptr<PairFeature> { return std::make_unique<Spectral>(inputs); },
}};

}  // namespace
}  // namespace gir
