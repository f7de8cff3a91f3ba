// The evaluation of a finished run on its test set.

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "gir/core/error.h"
#include "gir/learn/metrics.h"
#include "gir/runs/expert_specs.h"
#include "gir/runs/predictions.h"
#include "payload.h"

namespace gir::html {
namespace {

constexpr double kDeviations = 1.959964;  // 95 % of a normal distribution lie within so many standard deviations
constexpr std::size_t kScoreBins = 40;
constexpr std::size_t kGateBins = 20;
constexpr std::size_t kMaxCurvePoints = 400;
constexpr std::size_t kMaxClasses = 60;

/// The histogram bin of a value in [0, 1].
std::size_t bin_of(double share, std::size_t bins) {
  ensure(std::isfinite(share), "a finite value");
  return static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(bins) * (1 - 1e-12));
}

ordered_json interval(double low, double high, std::int64_t count, const char* what) {
  return {{"low", std::max(0.0, low)}, {"high", std::min(1.0, high)}, {"judged", count}, {"what", what}};
}

/// Wilson score interval of an accuracy.
ordered_json accuracy_interval(double accuracy, std::int64_t count) {
  const auto n = static_cast<double>(count);
  const double square = kDeviations * kDeviations;
  const double middle = (accuracy + square / (2 * n)) / (1 + square / n);
  const double half = kDeviations * std::sqrt(accuracy * (1 - accuracy) / n + square / (4 * n * n)) / (1 + square / n);
  return interval(middle - half, middle + half, count, "nodes");
}

/// Confidence interval of a ROC AUC by Hanley and McNeil (1982).
ordered_json auc_interval(double auc, std::size_t positives, std::size_t negatives) {
  const auto p = static_cast<double>(positives);
  const auto n = static_cast<double>(negatives);
  const double two_positives = auc / (2 - auc);
  const double two_negatives = 2 * auc * auc / (1 + auc);
  const double variance =
      (auc * (1 - auc) + (p - 1) * (two_positives - auc * auc) + (n - 1) * (two_negatives - auc * auc)) / (p * n);
  const double half = kDeviations * std::sqrt(std::max(0.0, variance));
  return interval(auc - half, auc + half, static_cast<std::int64_t>(positives + negatives), "pairs");
}

std::vector<std::int32_t> labels_of(const Labels& labels, std::span<const NodeId> nodes) {
  std::vector<std::int32_t> classes;
  for (const NodeId node : nodes) classes.push_back(labels.classes[node]);
  return classes;
}

/// Rows and columns of the confusion matrix: all classes, or the most frequent ones and a last one for the others.
struct ShownClasses {
  std::vector<std::string> names;
  std::vector<std::size_t> index;
};

ShownClasses choose_classes(const Labels& labels, std::span<const std::int32_t> truth) {
  std::vector<std::size_t> order(labels.names.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() > kMaxClasses) {
    std::vector<std::int64_t> counts(order.size(), 0);
    for (const std::int32_t each : truth) ++counts[static_cast<std::size_t>(each)];
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
    order.resize(kMaxClasses);
    std::sort(order.begin(), order.end());
  }
  ShownClasses shown{.names = {}, .index = std::vector<std::size_t>(labels.names.size(), order.size())};
  for (const std::size_t each : order) {
    shown.index[each] = shown.names.size();
    shown.names.push_back(labels.names[each]);
  }
  if (order.size() < labels.names.size()) {
    shown.names.push_back(fmt::format("{} others", labels.names.size() - order.size()));
  }
  return shown;
}

ordered_json confusion(const Labels& labels, std::span<const std::int32_t> truth,
                       std::span<const std::int32_t> predicted) {
  const ShownClasses shown = choose_classes(labels, truth);
  std::vector<std::vector<std::int64_t>> matrix(shown.names.size(), std::vector<std::int64_t>(shown.names.size(), 0));
  for (std::size_t i = 0; i < truth.size(); ++i) {
    ++matrix[shown.index[static_cast<std::size_t>(truth[i])]][shown.index[static_cast<std::size_t>(predicted[i])]];
  }
  return {{"names", shown.names}, {"matrix", matrix}};
}

/// The ROC curve with at most kMaxCurvePoints points; shorter curves are exact.
ordered_json roc_curve(std::vector<float> positives, std::vector<float> negatives) {
  std::sort(positives.begin(), positives.end(), std::greater<>());
  std::sort(negatives.begin(), negatives.end(), std::greater<>());
  std::vector<double> false_positive = {0};
  std::vector<double> true_positive = {0};
  for (std::size_t p = 0, n = 0; p < positives.size() || n < negatives.size();) {
    const float score = std::max(p < positives.size() ? positives[p] : -1, n < negatives.size() ? negatives[n] : -1);
    while (p < positives.size() && positives[p] >= score) ++p;
    while (n < negatives.size() && negatives[n] >= score) ++n;
    false_positive.push_back(static_cast<double>(n) / static_cast<double>(negatives.size()));
    true_positive.push_back(static_cast<double>(p) / static_cast<double>(positives.size()));
  }
  const std::size_t points = false_positive.size();
  std::vector<double> x, y;
  const std::size_t kept = std::min(points, kMaxCurvePoints);
  for (std::size_t i = 0; i < kept; ++i) {
    const std::size_t index = kept == 1 ? 0 : i * (points - 1) / (kept - 1);
    x.push_back(false_positive[index]);
    y.push_back(true_positive[index]);
  }
  return {{"false_positive", x}, {"true_positive", y}};
}

ordered_json pair_evaluation(const std::vector<float>& positives, const std::vector<float>& negatives) {
  const auto histogram = [](const std::vector<float>& scores) {
    std::vector<std::int64_t> counts(kScoreBins, 0);
    for (const float score : scores) ++counts[bin_of(score, kScoreBins)];
    return counts;
  };
  return {{"positives", histogram(positives)},
          {"negatives", histogram(negatives)},
          {"roc", roc_curve(positives, negatives)},
          {"auc", roc_auc(positives, negatives)}};
}

/// The predictions of the experts of a fused model.
struct ExpertPredictions {
  std::vector<std::string> names;
  std::vector<std::vector<std::int32_t>> predicted;
};

/// For every set of experts that are correct on the same node: the number of nodes, and on how many of them the fusion
/// is correct. Larger sets first.
ordered_json outcomes(const ExpertPredictions& experts, std::span<const std::int32_t> truth,
                      std::span<const std::int32_t> fused) {
  struct Outcome {
    std::int64_t nodes = 0;
    std::int64_t fused_right = 0;
  };
  std::map<std::vector<std::string>, Outcome> found;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    std::vector<std::string> right;
    for (std::size_t e = 0; e < experts.names.size(); ++e) {
      if (experts.predicted[e][i] == truth[i]) right.push_back(experts.names[e]);
    }
    Outcome& outcome = found[right];
    ++outcome.nodes;
    outcome.fused_right += fused[i] == truth[i] ? 1 : 0;
  }
  std::vector<std::pair<std::vector<std::string>, Outcome>> sorted(found.begin(), found.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  ordered_json list = ordered_json::array();
  for (const auto& [right, outcome] : sorted) {
    list.push_back({{"right", right}, {"nodes", outcome.nodes}, {"fused_right", outcome.fused_right}});
  }
  return list;
}

ordered_json gate_histograms(const at::Tensor& gate, std::span<const NodeId> nodes) {
  const auto weights = gate.accessor<float, 2>();
  std::vector<std::vector<std::int64_t>> counts(static_cast<std::size_t>(gate.size(1)),
                                                std::vector<std::int64_t>(kGateBins, 0));
  for (const NodeId node : nodes) {
    for (std::size_t e = 0; e < counts.size(); ++e) {
      ++counts[e][bin_of(weights[node][static_cast<std::int64_t>(e)], kGateBins)];
    }
  }
  return counts;
}

ordered_json fusion(const EvaluatedRun& run, std::span<const NodeId> nodes, std::span<const std::int32_t> truth,
                    std::span<const std::int32_t> fused) {
  ExpertPredictions predictions;
  ordered_json experts = ordered_json::array();
  const auto metric = [&](const std::string& name) { return run.metrics.value(name, ordered_json()); };
  for (const ExpertSpec& spec : run.config.fusion.experts) {
    const std::size_t number = predictions.names.size() + 1;
    predictions.names.push_back(spec.text());
    predictions.predicted.push_back(predicted_classes(run.output.experts[number - 1], nodes));
    experts.push_back({{"name", spec.text()},
                       {"accuracy", metric(fmt::format("accuracy_{}", number))},
                       {"ec", metric(fmt::format("ec_{}", number))}});
  }
  return {{"experts", experts},
          {"accuracy", metric("accuracy")},
          {"ec", metric("ec")},
          {"gates", gate_histograms(run.output.gate, nodes)},
          {"outcomes", outcomes(predictions, truth, fused)}};
}

/// The main test metric if it is `name`: intervals are known for some metrics only. Null otherwise.
ordered_json main_metric_if(const EvaluatedRun& run, std::string_view name) {
  const auto first = run.metrics.begin();
  return first != run.metrics.end() && first.key() == name ? first.value() : ordered_json();
}

ordered_json evaluate_pairs(const EvaluatedRun& run, const EvaluationPairs& test) {
  if (test.positives.empty()) return ordered_json::object();
  const std::unique_ptr<Experiment> tested = run.experiment.with_test_messages();
  const Experiment& experiment = tested ? *tested : run.experiment;
  const at::Tensor outputs = tested ? tested->forward().outputs : run.device_outputs;
  const auto positives = pair_probabilities(experiment, outputs, test.positives);
  const auto negatives = pair_probabilities(experiment, outputs, test.negatives);
  if (positives.empty() || negatives.empty()) return ordered_json::object();
  ordered_json made = {{"pairs", pair_evaluation(positives, negatives)}};
  const ordered_json auc = main_metric_if(run, "roc_auc");
  if (auc.is_number()) made["interval"] = auc_interval(auc, positives.size(), negatives.size());
  return made;
}

}  // namespace

ordered_json evaluate(const EvaluatedRun& run) {
  if (const PairSplit* split = run.experiment.pair_split()) return evaluate_pairs(run, split->test());
  const std::vector<NodeId>& test = run.experiment.node_split().test;
  if (test.empty()) return ordered_json::object();
  const Labels& labels = run.data.data.labels;
  const auto truth = labels_of(labels, test);
  const auto predicted = predicted_classes(run.output.outputs, test);
  ordered_json made = {{"classes", confusion(labels, truth, predicted)}};
  const ordered_json accuracy = main_metric_if(run, "accuracy");
  if (accuracy.is_number()) made["interval"] = accuracy_interval(accuracy, std::ssize(test));
  if (run.output.gate.defined()) made["fusion"] = fusion(run, test, truth, predicted);
  return made;
}

}  // namespace gir::html
