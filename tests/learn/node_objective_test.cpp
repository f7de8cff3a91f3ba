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

}  // namespace
}  // namespace gir
