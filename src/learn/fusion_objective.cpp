#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>
#include <fmt/format.h>

#include <cmath>

#include "gir/core/error.h"
#include "gir/learn/metrics.h"
#include "gir/learn/objective.h"
#include "node_labels.h"

namespace gir {
namespace {

void reject_unseen_classes(const Labels& labels, const NodeSplit& split) {
  std::vector<bool> seen(labels.names.size(), false);
  for (const NodeId node : split.train) seen[static_cast<std::size_t>(labels.classes[node])] = true;
  for (std::size_t c = 0; c < seen.size(); ++c) {
    if (seen[c]) continue;
    throw UserError(
        "no training node has class {}, so no expert can learn it [use another `split`, or remove the class]",
        quoted(labels.names[c]));
  }
}

class FusionObjective : public Objective {
 public:
  FusionObjective(const Labels& labels, const NodeSplit& split, const FusionObjectiveOptions& options)
      : labels_(labels), split_(split), options_(options), base_(node_objective(labels, split, options.nodes)) {
    ensure(options.weight_regularisation >= 0, "a non-negative weight of the regulariser");
    reject_unseen_classes(labels, split);
    train_nodes_ = to_tensor(split.train);
    train_classes_ = to_tensor(classes_of(labels, split.train)).unsqueeze(1);
  }

  std::string metric() const override { return base_->metric(); }

  at::Tensor loss(const ModelOutput& output, const ForwardOptions& options) override {
    at::Tensor sum = base_->loss(output, options);
    if (options_.weight_regularisation > 0) sum = sum + options_.weight_regularisation * gate_distance(output);
    if (!options_.expert_losses) return sum;
    for (const at::Tensor& expert : output.experts)
      sum = sum + base_->loss({.embeddings = {}, .outputs = expert}, options);
    return sum;
  }

  bool repeats() const override { return base_->repeats(); }

  void check_selection() const override { base_->check_selection(); }

  std::int64_t loss_bytes() const override {
    return base_->loss_bytes() * (options_.expert_losses ? 1 + options_.experts : 1);
  }

  Metrics evaluate(const ModelOutput& output, EvaluationSet set) const override {
    return with_experts(base_->evaluate(output, set), output, set);
  }

  Metrics evaluate_all(const ModelOutput& output, EvaluationSet set) const override {
    return with_experts(base_->evaluate_all(output, set), output, set);
  }

 private:
  /// Adds the metrics of the experts.
  Metrics with_experts(Metrics metrics, const ModelOutput& output, EvaluationSet set) const {
    if (std::isnan(metrics.main())) return metrics;
    const std::vector<NodeId>& nodes = set == EvaluationSet::kValid ? split_.valid : split_.test;
    const auto truth = classes_of(labels_, nodes);
    std::vector<std::vector<std::int32_t>> predicted;
    for (const at::Tensor& expert : output.experts) predicted.push_back(predicted_classes(expert, nodes));
    const Complementarity ec = complementarity(predicted, truth);
    metrics.values.emplace_back("ec", ec.overall);
    for (std::size_t i = 0; i < predicted.size(); ++i) {
      metrics.values.emplace_back(fmt::format("ec_{}", i + 1), ec.of_experts[i]);
      metrics.values.emplace_back(fmt::format("accuracy_{}", i + 1), accuracy(predicted[i], truth));
    }
    return metrics;
  }

  /// FWR: mean over the training nodes of the squared distance between the gate weights and the softmax of the experts'
  /// negative losses.
  at::Tensor gate_distance(const ModelOutput& output) {
    const at::Device device = output.gate.device();
    train_nodes_ = train_nodes_.to(device);
    train_classes_ = train_classes_.to(device);
    std::vector<at::Tensor> scores;  // negative losses
    for (const at::Tensor& expert : output.experts) {
      const at::Tensor chosen = expert.detach().index_select(0, train_nodes_);
      scores.push_back(at::log_softmax(chosen, 1).gather(1, train_classes_).squeeze(1));
    }
    const at::Tensor target = at::softmax(at::stack(scores, 1), 1);
    return (output.gate.index_select(0, train_nodes_) - target).pow(2).sum(1).mean();
  }

  const Labels& labels_;
  const NodeSplit& split_;
  FusionObjectiveOptions options_;
  std::unique_ptr<Objective> base_;
  at::Tensor train_nodes_;    ///< int64 [nodes]
  at::Tensor train_classes_;  ///< int64 [nodes, 1]
};

const Registered<ObjectiveEntry> entry{{
    .name = "fusion",
    .summary = "cross entropy of a fused model's predictions, with FWR on the gate weights",
    .tasks = {Task::kNodeClassification},
    .fuses = true,
    .is_default = true,
    .metrics = node_metrics(),
    .make =
        [](const ObjectiveInputs& inputs) { return fusion_objective(*inputs.labels, *inputs.nodes, inputs.options); },
}};

}  // namespace

std::unique_ptr<Objective> fusion_objective(const Labels& labels, const NodeSplit& split,
                                            const FusionObjectiveOptions& options) {
  return std::make_unique<FusionObjective>(labels, split, options);
}

}  // namespace gir
