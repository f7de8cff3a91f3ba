#include <ATen/TensorOperators.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/nll_loss.h>

#include <algorithm>
#include <cmath>

#include "gir/core/error.h"
#include "gir/learn/metrics.h"
#include "gir/learn/objective.h"
#include "node_labels.h"

namespace gir {

std::vector<std::int32_t> classes_of(const Labels& labels, std::span<const NodeId> nodes) {
  std::vector<std::int32_t> classes;
  classes.reserve(nodes.size());
  for (const NodeId node : nodes) classes.push_back(labels.classes[node]);
  return classes;
}

at::Tensor to_tensor(std::span<const std::int32_t> values) {
  const at::Tensor tensor = at::empty({std::ssize(values)}, at::kLong);
  std::copy(values.begin(), values.end(), tensor.data_ptr<std::int64_t>());
  return tensor;
}

namespace {

/// nodes / (classes * nodes of the class), so that all classes have the same total weight.
at::Tensor balanced_weights(std::span<const std::int32_t> classes, const Labels& labels) {
  std::vector<std::int64_t> counts(labels.names.size(), 0);
  for (const std::int32_t each : classes) ++counts[static_cast<std::size_t>(each)];
  const at::Tensor weights = at::empty({labels.num_classes()}, at::kFloat);
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] == 0) {
      throw UserError("no training node has class {}, so it cannot be weighted [omit `class-weights`]",
                      quoted(labels.names[c]));
    }
    weights.data_ptr<float>()[c] =
        static_cast<float>(classes.size()) / (static_cast<float>(counts.size()) * static_cast<float>(counts[c]));
  }
  return weights;
}

/// Mean cross entropy of the logits of `nodes`, finite values in host memory.
double loss_of(const at::Tensor& outputs, std::span<const NodeId> nodes, std::span<const std::int32_t> classes) {
  const at::Tensor values = outputs.contiguous();
  const std::int64_t width = values.size(1);
  double sum = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const float* row = values.data_ptr<float>() + nodes[i] * width;
    const double largest = *std::max_element(row, row + width);
    double all = 0;
    for (std::int64_t c = 0; c < width; ++c) all += std::exp(row[c] - largest);
    sum += largest + std::log(all) - row[classes[i]];
  }
  return sum / static_cast<double>(std::max<std::size_t>(1, nodes.size()));
}

class NodeObjective : public Objective {
 public:
  NodeObjective(const Labels& labels, const NodeSplit& split, const NodeObjectiveOptions& options)
      : labels_(labels), split_(split) {
    const auto classes = classes_of(labels, split.train);
    train_nodes_ = to_tensor(split.train);
    train_classes_ = to_tensor(classes);
    if (options.class_weights) class_weights_ = balanced_weights(classes, labels);
  }

  std::string metric() const override { return "accuracy"; }

  at::Tensor loss(const ModelOutput& output, const ForwardOptions&) override {
    move_to(output.outputs.device());
    if (!output.outputs.is_cpu()) return loss_of_all(output.outputs);
    const at::Tensor chosen = output.outputs.index_select(0, train_nodes_);
    return at::nll_loss(at::log_softmax(chosen, 1), train_classes_, class_weights_);
  }

  bool repeats() const override { return true; }

  /// The selected rows, their log-softmax and the gradients of both.
  std::int64_t loss_bytes() const override {
    return 4 * std::ssize(split_.train) * labels_.num_classes() * static_cast<std::int64_t>(sizeof(float));
  }

  Metrics evaluate(const ModelOutput& output, EvaluationSet set) const override {
    const std::vector<NodeId>& nodes = set == EvaluationSet::kValid ? split_.valid : split_.test;
    if (!output.outputs.isfinite().all().item<bool>()) return {.values = {{metric(), std::nan("")}}};
    const at::Tensor outputs = output.outputs.cpu();
    const auto predicted = predicted_classes(outputs, nodes);
    const auto truth = classes_of(labels_, nodes);
    Metrics metrics{.values = {{"accuracy", accuracy(predicted, truth)},
                               {"macro_f1", macro_f1(predicted, truth, labels_.num_classes())}}};
    if (metrics.main() == 1) metrics.loss = loss_of(outputs, nodes, truth);
    return metrics;
  }

 private:
  static constexpr std::int64_t kIgnored = -100;

  /// The same loss computed over all nodes, where all but the training nodes are ignored. On a GPU gathering rows takes
  /// longer than processing all of them, and the mean reduction of nll_loss runs in a single thread block.
  at::Tensor loss_of_all(const at::Tensor& outputs) const {
    const at::Tensor losses =
        at::nll_loss(at::log_softmax(outputs, 1), targets_, class_weights_, at::Reduction::None, kIgnored);
    return losses.sum() / total_weight_;
  }

  /// Moves the tensors of the loss to the device of the outputs.
  void move_to(const at::Device& device) {
    if (train_nodes_.device() == device) return;
    const auto nodes = static_cast<std::int64_t>(labels_.classes.size());
    targets_ = at::full({nodes}, kIgnored, at::kLong).index_copy_(0, train_nodes_, train_classes_).to(device);
    total_weight_ = class_weights_.defined() ? class_weights_.index_select(0, train_classes_).sum().item<double>()
                                             : static_cast<double>(split_.train.size());
    for (at::Tensor* each : {&train_nodes_, &train_classes_, &class_weights_}) {
      if (each->defined()) *each = each->to(device);
    }
  }

  const Labels& labels_;
  const NodeSplit& split_;
  at::Tensor train_nodes_;
  at::Tensor train_classes_;
  at::Tensor class_weights_;
  at::Tensor targets_;  ///< int64 [nodes] on a GPU: the class, or kIgnored for nodes that are not in the training set
  double total_weight_ = 0;  ///< of the training nodes, on a GPU
};

const Registered<ObjectiveEntry> entry{{
    .name = "nodes",
    .summary = "cross entropy of the training nodes' classes",
    .tasks = {Task::kNodeClassification},
    .make =
        [](const ObjectiveInputs& inputs) {
          return node_objective(*inputs.labels, *inputs.nodes, inputs.options.nodes);
        },
}};

}  // namespace

std::unique_ptr<Objective> node_objective(const Labels& labels, const NodeSplit& split,
                                          const NodeObjectiveOptions& options) {
  return std::make_unique<NodeObjective>(labels, split, options);
}

std::vector<std::int32_t> predicted_classes(const at::Tensor& outputs, std::span<const NodeId> nodes) {
  const at::Tensor values = outputs.cpu().contiguous();
  const std::int64_t classes = values.size(1);
  std::vector<std::int32_t> predicted;
  predicted.reserve(nodes.size());
  for (const NodeId node : nodes) {
    const float* row = values.data_ptr<float>() + node * classes;
    predicted.push_back(static_cast<std::int32_t>(std::max_element(row, row + classes) - row));
  }
  return predicted;
}

}  // namespace gir
