// What a finished run's model says about the nodes or pairs that it is judged on.

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

constexpr double kDeviations = 1.959964;  // 95 % of a normal distribution are within so many
constexpr std::size_t kScoreBins = 40;
constexpr std::size_t kGateBins = 20;
constexpr std::size_t kMostCurvePoints = 400;
constexpr std::size_t kMostClasses = 60;

/// The bin of a share in [0, 1].
std::size_t bin_of(double share, std::size_t bins) {
  ensure(std::isfinite(share), "a share that is a number");
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

/// Where classes stand in the matrix: all, or the most frequent ones and a last place for the others.
struct ShownClasses {
  std::vector<std::string> names;
  std::vector<std::size_t> place;
};

ShownClasses choose_classes(const Labels& labels, std::span<const std::int32_t> truth) {
  std::vector<std::size_t> order(labels.names.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() > kMostClasses) {
    std::vector<std::int64_t> counts(order.size(), 0);
    for (const std::int32_t each : truth) ++counts[static_cast<std::size_t>(each)];
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
    order.resize(kMostClasses);
    std::sort(order.begin(), order.end());
  }
  ShownClasses shown{.names = {}, .place = std::vector<std::size_t>(labels.names.size(), order.size())};
  for (const std::size_t each : order) {
    shown.place[each] = shown.names.size();
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
    ++matrix[shown.place[static_cast<std::size_t>(truth[i])]][shown.place[static_cast<std::size_t>(predicted[i])]];
  }
  return {{"names", shown.names}, {"matrix", matrix}};
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

ordered_json fusion(const JudgedRun& run, std::span<const NodeId> nodes, std::span<const std::int32_t> truth,
                    std::span<const std::int32_t> fused) {
  ExpertAnswers answers;
  ordered_json experts = ordered_json::array();
  const auto figure = [&](const std::string& name) { return run.figures.value(name, ordered_json()); };
  for (const ExpertSpec& spec : run.config.fusion.experts) {
    const std::size_t number = answers.names.size() + 1;
    answers.names.push_back(spec.text());
    answers.predicted.push_back(predicted_classes(run.output.experts[number - 1], nodes));
    experts.push_back({{"name", spec.text()},
                       {"accuracy", figure(fmt::format("accuracy_{}", number))},
                       {"ec", figure(fmt::format("ec_{}", number))}});
  }
  return {{"experts", experts},
          {"accuracy", figure("accuracy")},
          {"ec", figure("ec")},
          {"gates", gate_histograms(run.output.gate, nodes)},
          {"outcomes", outcomes(answers, truth, fused)}};
}

ordered_json judged_pairs(const JudgedRun& run, const JudgedPairs& test) {
  const auto positives = pair_probabilities(run.experiment, run.outputs_there, test.positives);
  const auto negatives = pair_probabilities(run.experiment, run.outputs_there, test.negatives);
  if (positives.empty() || negatives.empty()) return ordered_json::object();
  ordered_json made = {{"pairs", pair_figures(positives, negatives)}};
  const ordered_json auc = run.figures.value("roc_auc", ordered_json());
  if (auc.is_number()) made["interval"] = auc_interval(auc, positives.size(), negatives.size());
  return made;
}

}  // namespace

ordered_json judgement(const JudgedRun& run) {
  if (const PairSplit* split = run.experiment.pair_split()) return judged_pairs(run, split->test());
  const std::vector<NodeId>& test = run.experiment.node_split().test;
  const Labels& labels = run.data.data.labels;
  const auto truth = labels_of(labels, test);
  const auto predicted = predicted_classes(run.output.outputs, test);
  ordered_json made = {{"classes", confusion(labels, truth, predicted)}};
  const ordered_json share = run.figures.value("accuracy", ordered_json());
  if (share.is_number()) made["interval"] = share_interval(share, std::ssize(test));
  if (run.output.gate.defined()) made["fusion"] = fusion(run, test, truth, predicted);
  return made;
}

}  // namespace gir::html
