#include "forest_mean.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/logaddexp.h>

#include <vector>

#include "gir/graph/structure.h"
#include "gir/nn/buffer_values.h"
#include "gir/trees/random_forest.h"

namespace gir {
namespace {

constexpr RandomForestOptions kForest;
constexpr std::int64_t kForestNodes = kForest.trees * (2 * kForest.leaves - 1);
constexpr double kMinProbability = 1e-9;  ///< whose logarithm is finite

class ForestMean : public Model {
 public:
  ForestMean(std::unique_ptr<Model> model, const ModelInputs& inputs)
      : Model(inputs.seed, Initial::kUniform),
        model_(std::move(model)),
        graph_(inputs.graph),
        classes_(inputs.classes),
        forest_seed_(inputs.seed) {
    parameters().adopt("", model_->parameters(), /*frozen=*/false);
    features_ = parameters().buffer("forest.features", kForestNodes, -1);
    thresholds_ = parameters().buffer("forest.thresholds", kForestNodes, 0);
    left_ = parameters().buffer("forest.left", kForestNodes, 0);
    shares_ = parameters().buffer("forest.shares", kForestNodes * classes_, 0);
  }

  std::int64_t output_width() const override { return model_->output_width(); }
  bool labels_all_nodes() const override { return model_->labels_all_nodes(); }
  bool repeats() const override { return model_->repeats(); }
  std::int64_t longest_segment() const override { return model_->longest_segment(); }
  void checkpoint_activations(std::int64_t segment) override { model_->checkpoint_activations(segment); }
  std::int64_t activation_bytes(std::int64_t segment) const override { return model_->activation_bytes(segment); }

  void fit(std::span<const NodeId> nodes, std::span<const std::int32_t> classes) override {
    const DenseMatrix structure = structural_features(graph_);
    std::vector<float> rows;
    for (const NodeId node : nodes) {
      const float* row = structure.values.begin() + node * structure.columns;
      rows.insert(rows.end(), row, row + structure.columns);
    }
    RandomForestOptions options = kForest;
    options.seed = forest_seed_;
    const RandomForest forest =
        RandomForest::train({.values = rows, .columns = structure.columns}, classes, classes_, options);
    write_values(features_, forest.arrays().features);
    write_values(thresholds_, forest.arrays().thresholds);
    write_values(left_, forest.arrays().left);
    write_values(shares_, forest.arrays().shares);
  }

  ModelOutput forward(const ForwardOptions& options) override {
    ModelOutput output = model_->forward(options);
    if (options.training) return output;
    const at::Tensor forest = log_probabilities().to(output.outputs.device());
    output.outputs = at::logaddexp(at::log_softmax(output.outputs, 1), forest);
    return output;
  }

 private:
  /// Of the forest, [nodes, classes]; computed again when the buffers have been written.
  const at::Tensor& log_probabilities() {
    const auto version = static_cast<std::int64_t>(shares_._version());
    if (computed_.defined() && computed_version_ == version) return computed_;
    const DenseMatrix structure = structural_features(graph_);
    const RandomForest forest({.classes = classes_,
                               .columns = structure.columns,
                               .trees = kForest.trees,
                               .nodes_per_tree = 2 * kForest.leaves - 1,
                               .features = read_numbers(features_),
                               .thresholds = read_values(thresholds_),
                               .left = read_numbers(left_),
                               .shares = read_values(shares_)});
    const at::Tensor probabilities = at::empty({graph_.num_nodes(), classes_});
    const std::span<const float> values(structure.values.begin(), structure.values.end());
    forest.probabilities({.values = values, .columns = structure.columns},
                         {probabilities.data_ptr<float>(), static_cast<std::size_t>(probabilities.numel())});
    computed_ = probabilities.clamp_min(kMinProbability).log();
    computed_version_ = version;
    return computed_;
  }

  std::unique_ptr<Model> model_;
  const Graph& graph_;
  std::int64_t classes_;
  std::uint64_t forest_seed_;
  at::Tensor features_, thresholds_, left_, shares_;
  at::Tensor computed_;
  std::int64_t computed_version_ = 0;  ///< of shares_
};

}  // namespace

std::unique_ptr<Model> make_forest_mean(std::unique_ptr<Model> model, const ModelInputs& inputs) {
  return std::make_unique<ForestMean>(std::move(model), inputs);
}

}  // namespace gir
