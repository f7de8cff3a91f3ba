#include <ATen/TensorOperators.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/nll_loss.h>

#include <algorithm>
#include <array>
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

/// What metrics of predicted classes, or of scores, are computed from.
struct EvaluatedNodes {
  std::span<const std::int32_t> truth;
  std::int64_t classes;
};

struct NodeMetric {
  std::string_view name;
  double (*of_classes)(std::span<const std::int32_t> predicted, const EvaluatedNodes& nodes) = nullptr;
  ClassMean (*of_scores)(std::span<const float> scores,
                         const EvaluatedNodes& nodes) = nullptr;  ///< slow: sorts the
                                                                  ///< nodes once per class
};

/// The main one first.
constexpr std::array<NodeMetric, 5> kMetrics = {{
    {.name = kNodeMetric,
     .of_classes = [](auto predicted, const EvaluatedNodes& nodes) { return accuracy(predicted, nodes.truth); }},
    {.name = "macro_f1",
     .of_classes = [](auto predicted,
                      const EvaluatedNodes& nodes) { return macro_f1(predicted, nodes.truth, nodes.classes); }},
    {.name = "balanced_accuracy",
     .of_classes =
         [](auto predicted, const EvaluatedNodes& nodes) {
           return balanced_accuracy(predicted, nodes.truth, nodes.classes);
         }},
    {.name = "macro_auc",
     .of_scores = [](auto scores,
                     const EvaluatedNodes& nodes) { return macro_auc(scores, nodes.truth, nodes.classes); }},
    {.name = "macro_ap",
     .of_scores =
         [](auto scores, const EvaluatedNodes& nodes) {
           return macro_average_precision(scores, nodes.truth, nodes.classes);
         }},
}};

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

/// log(sum(exp(row))) without overflow.
double log_sum_exp(const float* row, std::int64_t width) {
  const double largest = *std::max_element(row, row + width);
  double sum = 0;
  for (std::int64_t c = 0; c < width; ++c) sum += std::exp(row[c] - largest);
  return largest + std::log(sum);
}

/// Mean cross entropy of the logits of `nodes`, finite values in host memory.
double loss_of(const at::Tensor& outputs, std::span<const NodeId> nodes, std::span<const std::int32_t> classes) {
  const at::Tensor values = outputs.contiguous();
  const std::int64_t width = values.size(1);
  double sum = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const float* row = values.data_ptr<float>() + nodes[i] * width;
    sum += log_sum_exp(row, width) - row[classes[i]];
  }
  return sum / static_cast<double>(std::max<std::size_t>(1, nodes.size()));
}

/// The logarithms of the class probabilities of `nodes`, [nodes, classes]: their order is that of the probabilities,
/// but those close to 1 stay distinct.
std::vector<float> log_probabilities(const at::Tensor& outputs, std::span<const NodeId> nodes) {
  const at::Tensor values = outputs.contiguous();
  const std::int64_t width = values.size(1);
  std::vector<float> result;
  result.reserve(nodes.size() * static_cast<std::size_t>(width));
  for (const NodeId node : nodes) {
    const float* row = values.data_ptr<float>() + node * width;
    const double scale = log_sum_exp(row, width);
    for (std::int64_t c = 0; c < width; ++c) result.push_back(static_cast<float>(row[c] - scale));
  }
  return result;
}

class NodeObjective : public Objective {
 public:
  NodeObjective(const Labels& labels, const NodeSplit& split, const NodeObjectiveOptions& options)
      : labels_(labels), split_(split), by_loss_(options.select_by == kSelectByLoss) {
    if (!options.select_by.empty() && !by_loss_) metric_ = options.select_by;
    const auto classes = classes_of(labels, split.train);
    train_nodes_ = to_tensor(split.train);
    train_classes_ = to_tensor(classes);
    if (options.class_weights) class_weights_ = balanced_weights(classes, labels);
  }

  std::string metric() const override { return metric_; }

  at::Tensor loss(const ModelOutput& output, const ForwardOptions&) override {
    move_to(output.outputs.device());
    if (output.members.empty()) return loss_of(output.outputs);
    at::Tensor sum;
    for (const at::Tensor& logits : output.members) sum = sum.defined() ? sum + loss_of(logits) : loss_of(logits);
    return sum / static_cast<double>(output.members.size());
  }

  bool repeats() const override { return true; }

  /// The selected rows, their log-softmax and the gradients of both.
  std::int64_t loss_bytes() const override {
    return 4 * std::ssize(split_.train) * labels_.num_classes() * static_cast<std::int64_t>(sizeof(float));
  }

  /// A class cannot be ranked before others where there are none.
  void check_selection() const override {
    const auto selects = [&](const NodeMetric& each) { return each.of_scores != nullptr && metric_ == each.name; };
    if (std::none_of(kMetrics.begin(), kMetrics.end(), selects) || split_.valid.empty()) return;
    const std::vector<std::int32_t> classes = classes_of(labels_, split_.valid);
    const std::int32_t first = classes.front();
    if (std::any_of(classes.begin(), classes.end(), [first](std::int32_t each) { return each != first; })) return;
    throw UserError(
        "`select-by`: {} is undefined, since all {} validation nodes have class {} [use another metric or `split`]",
        metric_, classes.size(), quoted(labels_.names[static_cast<std::size_t>(first)]));
  }

  Metrics evaluate(const ModelOutput& output, EvaluationSet set) const override {
    return evaluate(output, set, [this](std::string_view slow_metric) { return metric_ == slow_metric; });
  }

  Metrics evaluate_all(const ModelOutput& output, EvaluationSet set) const override {
    return evaluate(output, set, [](std::string_view) { return true; });
  }

 private:
  /// `wants` decides on metrics that sort the nodes once per class.
  template <typename Wants>
  Metrics evaluate(const ModelOutput& output, EvaluationSet set, const Wants& wants) const {
    const std::vector<NodeId>& nodes = set == EvaluationSet::kValid ? split_.valid : split_.test;
    if (!output.outputs.isfinite().all().item<bool>()) return {.values = {{metric(), std::nan("")}}};
    const at::Tensor outputs = output.outputs.cpu();
    const auto predicted = predicted_classes(outputs, nodes);
    const auto truth = classes_of(labels_, nodes);
    const EvaluatedNodes evaluated{.truth = truth, .classes = labels_.num_classes()};
    Metrics metrics{.values = {}, .by_loss = by_loss_};
    std::vector<float> scores;
    for (const NodeMetric& each : kMetrics) {
      if (each.of_classes != nullptr) {
        metrics.values.emplace_back(each.name, each.of_classes(predicted, evaluated));
      } else if (wants(each.name)) {
        if (scores.empty()) scores = log_probabilities(outputs, nodes);
        const ClassMean mean = each.of_scores(scores, evaluated);
        metrics.values.emplace_back(each.name, mean.value);
        metrics.ranked_classes = mean.classes;
      }
    }
    metrics.put_first(metric_);
    if (metrics.has_loss()) metrics.loss = gir::loss_of(outputs, nodes, truth);
    return metrics;
  }

  at::Tensor loss_of(const at::Tensor& logits) const {
    if (!logits.is_cpu()) return loss_of_all(logits);
    return at::nll_loss(at::log_softmax(logits.index_select(0, train_nodes_), 1), train_classes_, class_weights_);
  }

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
  std::string metric_{kNodeMetric};
  bool by_loss_ = false;
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
    .is_default = true,
    .metrics = node_metrics(),
    .make =
        [](const ObjectiveInputs& inputs) {
          return node_objective(*inputs.labels, *inputs.nodes, inputs.options.nodes);
        },
}};

}  // namespace

std::vector<std::string> node_metrics() {
  std::vector<std::string> names;
  for (const NodeMetric& each : kMetrics) names.emplace_back(each.name);
  names.emplace_back(kSelectByLoss);
  return names;
}

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
