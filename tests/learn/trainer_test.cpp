#include "gir/learn/trainer.h"

#include <gmock/gmock.h>
#include <torch/torch.h>

#include "gir/core/error.h"
#include "gir/graph/generators.h"
#include "graph/random_graphs.h"
#include "nn/gradients.h"
#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;
using testing::random_tensor;

/// A model with one parameter, to observe the trainer.
class OneNumber : public Model {
 public:
  explicit OneNumber(double start) : Model(0, Initial::kUniform) { value = parameters().constant("value", 1, start); }
  ModelOutput forward(const ForwardOptions& options) override {
    if (options.recalibrate_norms) ++recalibrated;
    EXPECT_NE(options.recalibrate_norms, options.training) << "only evaluations re-estimate the batch-norm statistics";
    return {value, value};
  }
  std::int64_t output_width() const override { return 1; }
  at::Tensor value;
  int recalibrated = 0;
};

/// The loss pulls the number towards `target`; validation metrics come from a list.
class Scripted : public Objective {
 public:
  std::string metric() const override { return "metric"; }
  std::int64_t loss_bytes() const override { return 0; }
  at::Tensor loss(const ModelOutput& output, const ForwardOptions& options) override {
    const at::Tensor off = (output.outputs - target).pow(2).sum();
    return static_cast<std::int64_t>(options.epoch) == bad_epoch ? off / 0 : off;
  }
  Metrics evaluate(const ModelOutput& output, EvaluationSet) const override {
    evaluated.push_back(output.outputs.item<float>());
    const std::size_t evaluation = evaluated.size() - 1;
    return {.values = {{"metric", metrics.at(evaluation)}},
            .loss = evaluation < losses.size() ? losses[evaluation] : 0,
            .by_loss = by_loss};
  }

  double target = 1;
  std::int64_t bad_epoch = -1;
  std::vector<double> metrics = std::vector<double>(100, 0.5);
  std::vector<double> losses = {};  ///< on validation data
  bool by_loss = false;
  mutable std::vector<float> evaluated;
};

TEST(Trainer, KeepsTheParametersOfTheBestValidationEpoch) {
  OneNumber model(0);
  Scripted objective;
  objective.metrics = {0.1, 0.7, 0.3, 0.7, 0.2};
  Trainer trainer(model, objective, {.epochs = 10, .evaluate_every = 2});
  const TrainOutcome outcome = trainer.run();
  EXPECT_EQ(outcome.epochs, 10);
  EXPECT_EQ(outcome.best_epoch, 4) << "the first of equal evaluations";
  EXPECT_EQ(model.value.item<float>(), objective.evaluated[1]);
}

TEST(Trainer, OrdersPerfectEvaluationsByTheirLoss) {
  OneNumber model(0);
  Scripted objective;
  objective.metrics = {0.9, 1, 1, 0.99, 1, 1, 1, 1, 1};
  objective.losses = {0.9, 0.5, 0.4, 0.1, 0.3, 0.3, 0.35, 0.3, 0.2};
  Trainer trainer(model, objective, {.epochs = 9, .evaluate_every = 1, .patience = 3});
  const TrainOutcome outcome = trainer.run();
  EXPECT_EQ(outcome.epochs, 8) << "no lower loss in three evaluations";
  EXPECT_EQ(outcome.best_epoch, 5);
  EXPECT_EQ(model.value.item<float>(), objective.evaluated[4]);
}

TEST(Trainer, SelectsTheLowestLossWhereTheObjectiveSaysSo) {
  OneNumber model(0);
  Scripted objective;
  objective.by_loss = true;
  objective.metrics = {0.1, 0.9, 1, 0.2, 0.3, 1};
  objective.losses = {3, 2.5, 2.5, 1.5, 1.5, 2};
  Trainer trainer(model, objective, {.epochs = 9, .evaluate_every = 1, .patience = 2});
  double best = -1;
  const TrainOutcome outcome = trainer.run([&](const EpochReport& report) { best = report.best_valid; });
  EXPECT_EQ(outcome.best_epoch, 4) << "the first of equal losses, above 1 and with whatever metric";
  EXPECT_EQ(outcome.epochs, 6) << "no lower loss in two evaluations";
  EXPECT_EQ(best, 0.2) << "the metric of the best epoch";
  EXPECT_EQ(model.value.item<float>(), objective.evaluated[3]);
}

TEST(Trainer, RestoresTheBestLossFromACheckpoint) {
  const TrainerOptions options{.epochs = 5, .evaluate_every = 1};
  OneNumber model(0);
  Scripted objective;
  objective.metrics = {0.9, 1, 1};
  objective.losses = {0.1, 0.5, 0.4};
  Trainer stopped(model, objective, options);
  std::vector<at::Tensor> checkpoint;
  stopped.run([&](const EpochReport& report) {
    if (report.epoch < 3) return;
    for (const NamedTensor& each : stopped.state()) checkpoint.push_back(each.tensor.clone());
    throw Interrupted();
  });

  OneNumber again(0);
  Scripted rest;
  rest.metrics = {1, 1};
  rest.losses = {0.45, 0.41};
  Trainer resumed(again, rest, options);
  const std::vector<NamedTensor> state = resumed.state();
  ASSERT_EQ(state.size(), checkpoint.size());
  for (std::size_t i = 0; i < state.size(); ++i) state[i].tensor.copy_(checkpoint[i]);
  EXPECT_EQ(resumed.run().best_epoch, 3) << "the checkpoint contains the best loss";
  EXPECT_EQ(again.value.item<float>(), objective.evaluated[2]);
}

TEST(Trainer, StopsEarlyWhenPatienceIsExhausted) {
  OneNumber model(0);
  Scripted objective;
  objective.metrics = {0.1, 0.7, 0.3, 0.6, 0.6, 0.9};
  Trainer trainer(model, objective, {.epochs = 50, .evaluate_every = 1, .patience = 3});
  const TrainOutcome outcome = trainer.run();
  EXPECT_EQ(outcome.epochs, 5);
  EXPECT_EQ(outcome.best_epoch, 2);
}

TEST(Trainer, AlwaysEvaluatesTheLastEpoch) {
  OneNumber model(0);
  Scripted objective;
  Trainer trainer(model, objective, {.epochs = 7, .evaluate_every = 5});
  trainer.run();
  EXPECT_EQ(objective.evaluated.size(), 2u);
  EXPECT_EQ(model.recalibrated, 2);
}

TEST(Trainer, StopsWhenTheLossIsNanAndKeepsTheBest) {
  OneNumber model(0);
  Scripted objective;
  objective.bad_epoch = 7;
  Trainer trainer(model, objective, {.epochs = 50, .evaluate_every = 2});
  const TrainOutcome outcome = trainer.run();
  EXPECT_EQ(outcome.bad_epoch, 7);
  EXPECT_EQ(outcome.epochs, 6);
  EXPECT_EQ(outcome.best_epoch, 2);
  EXPECT_EQ(model.value.item<float>(), objective.evaluated[0]);
}

TEST(Trainer, DoesNotKeepAModelWithNanMetrics) {
  OneNumber model(0);
  Scripted objective;
  objective.metrics = {0.1, std::nan(""), 0.9};
  Trainer trainer(model, objective, {.epochs = 50, .evaluate_every = 2});
  std::int64_t reports = 0;
  const TrainOutcome outcome = trainer.run([&](const EpochReport&) { ++reports; });
  EXPECT_EQ(outcome.bad_epoch, 4);
  EXPECT_EQ(outcome.best_epoch, 2);
  EXPECT_EQ(reports, 3) << "the bad epoch is not reported, so no checkpoint contains it";
  EXPECT_EQ(model.value.item<float>(), objective.evaluated[0]);
}

TEST(Trainer, KeepsTheBestModelWhenInterrupted) {
  OneNumber model(0);
  Scripted objective;
  Trainer trainer(model, objective, {.epochs = 50, .evaluate_every = 2});
  const TrainOutcome outcome = trainer.run([](const EpochReport& report) {
    if (report.epoch == 5) throw Interrupted();
  });
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_EQ(outcome.epochs, 5);
  EXPECT_EQ(model.value.item<float>(), objective.evaluated[0]);
}

/// Step sizes towards a distant target: with Adam each is about the learning rate.
std::vector<double> step_sizes(const TrainerOptions& options) {
  OneNumber model(0);
  Scripted objective;
  objective.target = 1e6;
  Trainer trainer(model, objective, options);
  std::vector<double> values = {0};
  std::vector<double> steps;
  trainer.run([&](const EpochReport&) {
    values.push_back(model.value.item<float>());
    steps.push_back(values.back() - values[values.size() - 2]);
  });
  return steps;
}

TEST(Trainer, FollowsTheSchedule) {
  const TrainerOptions options{.epochs = 10, .evaluate_every = 100, .learning_rate = 1, .weight_decay = 0};
  const auto with = [&](Schedule schedule) {
    TrainerOptions changed = options;
    changed.schedule = schedule;
    return step_sizes(changed);
  };
  for (const double step : with(Schedule::kConstant)) EXPECT_NEAR(step, 1, 0.01);
  const auto linear = with(Schedule::kLinear);
  const auto cosine = with(Schedule::kCosine);
  const auto hold = with(Schedule::kHold);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_NEAR(linear[i], 1 - static_cast<double>(i) / 10, 0.01);
    EXPECT_NEAR(hold[i], i <= 5 ? 1 : 2 * (1 - static_cast<double>(i) / 10), 0.01);
    EXPECT_NEAR(cosine[i], 0.5 * (1 + std::cos(3.14159265 * static_cast<double>(i) / 10)), 0.01);
  }
}

TEST(Trainer, RejectsInvalidOptions) {
  OneNumber model(0);
  Scripted objective;
  const auto with = [&](const TrainerOptions& options) {
    return [&model, &objective, options] { Trainer(model, objective, options); };
  };
  EXPECT_THROW(with({.epochs = 0})(), InternalError);
  EXPECT_THROW(with({.evaluate_every = 0})(), InternalError);
  EXPECT_THROW(with({.patience = -1})(), InternalError);
  EXPECT_THROW(with({.learning_rate = 0})(), InternalError);
  EXPECT_THROW(with({.clip = -1})(), InternalError);
  expect_user_error(with({.optimizer = "adamm"}), "unknown optimizer \"adamm\"", "[known: adam");
  expect_user_error([] { parse_name<Schedule>("cosin"); }, "unknown schedule \"cosin\"", "[known: cosine");
}

TEST(Adam, EqualsTorchOverManySteps) {
  Parameters parameters(1);
  const at::Tensor ours = parameters.weight("w", 5, 4);
  at::Tensor theirs = ours.detach().clone().requires_grad_();
  const auto optimizer = Registry<OptimizerEntry>::get("adam").make(parameters.trained(), {.weight_decay = 0.01});
  torch::optim::Adam reference({theirs}, torch::optim::AdamOptions(0.05).weight_decay(0.01));
  for (std::uint64_t step = 0; step < 50; ++step) {
    const at::Tensor target = random_tensor({5, 4}, step, torch::kFloat);
    optimizer->clear_gradients();
    reference.zero_grad();
    (ours - target).pow(2).sum().backward();
    (theirs - target).pow(2).sum().backward();
    optimizer->step(0.05);
    reference.step();
    ASSERT_TRUE(torch::allclose(ours, theirs, 1e-5, 1e-6)) << step;
  }
}

TEST(Optimizer, ClipsTheNormOfAllGradientsTogether) {
  Parameters parameters(1);
  const at::Tensor a = parameters.weight("a", 2, 2);
  const at::Tensor b = parameters.weight("b", 3, 1);
  const auto optimizer = Registry<OptimizerEntry>::get("adam").make(parameters.trained(), {});
  (3 * a.sum() + 4 * b.sum()).backward();
  EXPECT_NEAR(optimizer->gradient_norm(), std::sqrt(4 * 9 + 3 * 16), 1e-6);
  optimizer->clip_gradients(100);
  EXPECT_EQ(a.grad()[0][0].item<float>(), 3);
  optimizer->clip_gradients(1);
  EXPECT_NEAR(optimizer->gradient_norm(), 1, 1e-6);
  EXPECT_NEAR(b.grad()[0][0].item<float>() / a.grad()[0][0].item<float>(), 4.0 / 3, 1e-6);
}

}  // namespace
}  // namespace gir
