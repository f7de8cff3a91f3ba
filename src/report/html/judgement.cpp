// What a finished run's model says about the nodes or pairs that it is judged on.

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>

#include "gir/train/metrics.h"
#include "gir/train/predictions.h"
#include "payload.h"

namespace gir::html {
namespace {

constexpr double kDeviations = 1.959964;  // 95 % of a normal distribution are within so many
constexpr std::size_t kScoreBins = 40;
constexpr std::size_t kGateBins = 20;
constexpr std::size_t kMostCurvePoints = 400;

/// The bin of a share in [0, 1].
std::size_t bin_of(double share, std::size_t bins) {
  return static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(bins) * (1 - 1e-12));
}

ordered_json interval(double low, double high, std::int64_t judged, const char* what) {
  return {{"low", std::max(0.0, low)}, {"high", std::min(1.0, high)}, {"judged", judged}, {"what", what}};
}

/// Wilson's interval of a share.
ordered_json share_interval(double share, std::int64_t judged) {
  const auto n = static_cast<double>(judged);
  const double square = kDeviations * kDeviations;
  const double middle = (share + square / (2 * n)) / (1 + square / n);
  const double half = kDeviations * std::sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n);
  return interval(middle - half, middle + half, judged, "nodes");
}

/// Hanley and McNeil's interval of an area under a ROC curve.
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

ordered_json confusion(const Labels& labels, std::span<const std::int32_t> truth,
                       std::span<const std::int32_t> predicted) {
  const std::size_t classes = labels.names.size();
  std::vector<std::vector<std::int64_t>> matrix(classes, std::vector<std::int64_t>(classes, 0));
  for (std::size_t i = 0; i < truth.size(); ++i) {
    ++matrix[static_cast<std::size_t>(truth[i])][static_cast<std::size_t>(predicted[i])];
  }
  return {{"names", labels.names}, {"matrix", matrix}};
}

/// At most so many points of the curve, the corners among them where there are few.
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
  const std::size_t kept = std::min(points, kMostCurvePoints);
  for (std::size_t i = 0; i < kept; ++i) {
    const std::size_t place = kept == 1 ? 0 : i * (points - 1) / (kept - 1);
    x.push_back(false_positive[place]);
    y.push_back(true_positive[place]);
  }
  return {{"false_positive", x}, {"true_positive", y}};
}

ordered_json pair_figures(const std::vector<float>& positives, const std::vector<float>& negatives) {
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

/// What the experts of a fused model say about the same nodes.
struct ExpertAnswers {
  std::vector<std::string> names;
  std::vector<std::vector<std::int32_t>> predicted;
};

/// Who is right on how many nodes, and how often the fusion is: every set of experts that occurs, larger sets first.
ordered_json outcomes(const ExpertAnswers& experts, std::span<const std::int32_t> truth,
                      std::span<const std::int32_t> fused) {
  struct Outcome {
    std::int64_t nodes = 0;
    std::int64_t fused_right = 0;
  };
  std::vector<Outcome> found(std::size_t{1} << experts.names.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    std::size_t right = 0;
    for (std::size_t e = 0; e < experts.names.size(); ++e) {
      right |= static_cast<std::size_t>(experts.predicted[e][i] == truth[i]) << e;
    }
    ++found[right].nodes;
    found[right].fused_right += fused[i] == truth[i] ? 1 : 0;
  }
  ordered_json list = ordered_json::array();
  for (std::size_t right = found.size(); right-- > 0;) {
    std::vector<std::string> names;
    for (std::size_t e = 0; e < experts.names.size(); ++e) {
      if ((right >> e & 1) != 0) names.push_back(experts.names[e]);
    }
    list.push_back({{"right", names}, {"nodes", found[right].nodes}, {"fused_right", found[right].fused_right}});
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

ordered_json fusion(const ordered_json& figures, const std::vector<std::string>& names, const ModelOutput& output,
                    std::span<const NodeId> nodes, std::span<const std::int32_t> truth,
                    std::span<const std::int32_t> fused) {
  ExpertAnswers answers{.names = names, .predicted = {}};
  ordered_json experts = ordered_json::array();
  const auto figure = [&](const std::string& name) { return figures.value(name, ordered_json()); };
  for (std::size_t e = 0; e < output.experts.size(); ++e) {
    answers.predicted.push_back(predicted_classes(output.experts[e], nodes));
    experts.push_back({{"name", names[e]},
                       {"accuracy", figure(fmt::format("accuracy_{}", e + 1))},
                       {"ec", figure(fmt::format("ec_{}", e + 1))}});
  }
  return {{"experts", experts},
          {"accuracy", figure("accuracy")},
          {"ec", figure("ec")},
          {"gates", gate_histograms(output.gate, nodes)},
          {"outcomes", outcomes(answers, truth, fused)}};
}

}  // namespace

void add_judgement(ordered_json& run, const Dataset& data, Experiment& experiment, const ModelOutput& output) {
  ordered_json& result = run["result"];
  const ordered_json& deciding = result["test"][run["metric"].get<std::string>()];
  if (const PairSplit* split = experiment.pair_split()) {
    const JudgedPairs& test = split->test();
    const auto positives = shares_of_pairs(experiment, output.outputs, test.positives);
    const auto negatives = shares_of_pairs(experiment, output.outputs, test.negatives);
    if (positives.empty() || negatives.empty()) return;
    run["pairs"] = pair_figures(positives, negatives);
    if (deciding.is_number()) result["interval"] = auc_interval(deciding, positives.size(), negatives.size());
    return;
  }
  const std::vector<NodeId>& test = experiment.node_split().test;
  const Labels& labels = data.data.labels;
  const auto truth = labels_of(labels, test);
  const auto predicted = predicted_classes(output.outputs, test);
  run["classes"] = confusion(labels, truth, predicted);
  if (deciding.is_number()) result["interval"] = share_interval(deciding, std::ssize(test));
  if (output.gate.defined()) {
    run["fusion"] =
        fusion(result["test"], run["experts"].get<std::vector<std::string>>(), output, test, truth, predicted);
  }
}

}  // namespace gir::html
