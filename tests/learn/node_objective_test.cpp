#include <torch/torch.h>

#include "gir/learn/objective.h"
#include "support.h"

namespace gir {
namespace {

TEST(NodeObjective, ReportsTheLossOfPerfectPredictions) {
  const Labels labels = labels_from_integers({0, 1, 2, 1, 0});
  const NodeSplit split{.train = {0, 1, 2}, .valid = {4, 3}, .test = {2}};
  const auto objective = node_objective(labels, split);
  const auto outputs =
      torch::tensor({{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}, {900., 901., -900.}, {2., 1., 0.5}}, torch::kFloat);
  const Metrics metrics = objective->evaluate({outputs, outputs}, EvaluationSet::kValid);
  EXPECT_EQ(metrics.main(), 1);
  const auto chosen = torch::stack({outputs[4], outputs[3]}).to(torch::kDouble);
  const auto truth = torch::tensor({0, 1}, torch::kLong);
  EXPECT_NEAR(metrics.loss, torch::nll_loss(torch::log_softmax(chosen, 1), truth).item<double>(), 1e-9);
  EXPECT_EQ(objective->evaluate({-outputs, -outputs}, EvaluationSet::kValid).loss, 0);
}

/// Names of the metrics of an evaluation, in their order.
std::vector<std::string> names_of(const Metrics& metrics) {
  std::vector<std::string> names;
  for (const auto& [name, value] : metrics.values) names.push_back(name);
  return names;
}

struct FiveNodes {
  Labels labels = labels_from_integers({0, 1, 2, 1, 0});
  NodeSplit split{.train = {0, 1, 2}, .valid = {0, 1, 3, 4}, .test = {2, 3, 4}};
  at::Tensor outputs =
      torch::tensor({{3., 0., 0.}, {2., 1., 0.}, {0., 0., 1.}, {0., 9., 0.}, {2., 1., 0.5}}, torch::kFloat);

  Metrics evaluate(const char* select_by, bool all = false) const {
    const auto objective = node_objective(labels, split, {.select_by = select_by});
    const ModelOutput output{outputs, outputs};
    return all ? objective->evaluate_all(output, EvaluationSet::kValid)
               : objective->evaluate(output, EvaluationSet::kValid);
  }
};

TEST(NodeObjective, ComputesMetricsThatSortOnlyAtTheEndOrWhereTheySelectTheEpoch) {
  const FiveNodes nodes;
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of(nodes.evaluate("")), (Names{"accuracy", "macro_f1", "balanced_accuracy"}));
  EXPECT_EQ(names_of(nodes.evaluate("macro_f1")), (Names{"macro_f1", "accuracy", "balanced_accuracy"}));
  EXPECT_EQ(names_of(nodes.evaluate("macro_auc")), (Names{"macro_auc", "accuracy", "macro_f1", "balanced_accuracy"}));
  EXPECT_EQ(names_of(nodes.evaluate("", true)),
            (Names{"accuracy", "macro_f1", "balanced_accuracy", "macro_auc", "macro_ap"}));
}

TEST(NodeObjective, RanksNodesByTheirClassProbabilities) {
  const FiveNodes nodes;
  const Metrics metrics = nodes.evaluate("macro_auc");
  // Class 0: nodes 0 and 4 against 1 and 3, p = 0.91, 0.63 against 0.67, 0.00; class 1: 0.24, 1.00 against 0.05, 0.23.
  EXPECT_NEAR(metrics.main(), (0.75 + 1) / 2, 1e-12) << "no validation node has class 2";
}

TEST(NodeObjective, SaysOverHowManyClassesItAverages) {
  FiveNodes nodes;
  EXPECT_EQ(nodes.evaluate("", true).ranked_classes, 2) << "no validation node has class 2";
  nodes.split.valid = {1, 3};
  const Metrics metrics = nodes.evaluate("", true);
  EXPECT_EQ(metrics.ranked_classes, 0);
  for (const auto& [name, value] : metrics.values) EXPECT_EQ(std::isnan(value), name.starts_with("macro_a")) << name;
}

TEST(NodeObjective, RefusesToSelectEpochsByAMetricThatIsUndefined) {
  FiveNodes nodes;
  nodes.split.valid = {1, 3};
  for (const char* metric : {"macro_auc", "macro_ap"}) {
    const auto objective = node_objective(nodes.labels, nodes.split, {.select_by = metric});
    testing::expect_user_error([&] { objective->check_selection(); }, "`select-by`: ", metric,
                               "all 2 validation nodes have class \"1\"");
  }
  node_objective(nodes.labels, nodes.split, {.select_by = "macro_f1"})->check_selection();
}

TEST(NodeObjective, SelectsByTheLossWithAccuracyAsTheMainMetric) {
  const FiveNodes nodes;
  const Metrics metrics = nodes.evaluate("loss");
  EXPECT_TRUE(metrics.by_loss);
  EXPECT_EQ(names_of(metrics).front(), "accuracy");
  EXPECT_LT(metrics.main(), 1);
  EXPECT_GT(metrics.loss, 0);
}

TEST(SelectBy, AcceptsTheMetricsOfTheTaskAndTheirShortNames) {
  const ObjectiveEntry& nodes = objective_entry("", Task::kNodeClassification, false);
  const ObjectiveEntry& pairs = objective_entry("", Task::kLinkPrediction, false);
  EXPECT_EQ(selection_metric(nodes, ""), "");
  EXPECT_EQ(selection_metric(nodes, "accuracy"), "") << "the default";
  EXPECT_EQ(selection_metric(nodes, "macro-f1"), "macro_f1");
  EXPECT_EQ(selection_metric(nodes, "f1"), "macro_f1");
  EXPECT_EQ(selection_metric(nodes, "auc"), "macro_auc");
  EXPECT_EQ(selection_metric(pairs, "auc"), "");
  EXPECT_EQ(selection_metric(pairs, "average_precision"), "average_precision");
  EXPECT_EQ(selection_metric(pairs, "loss"), "loss");
  EXPECT_EQ(selection_metric(objective_entry("", Task::kNodeClassification, true), "loss"), "loss");
  testing::expect_user_error([&] { selection_metric(nodes, "mrr"); }, "`select-by`", "\"mrr\"",
                             "[known: accuracy, macro_f1");
  testing::expect_user_error([&] { selection_metric(pairs, "accuracy"); }, "[known: roc_auc, average_precision");
}

}  // namespace
}  // namespace gir
