// Epochs that are replayed as a CUDA graph are bit-identical to epochs whose kernels are launched one by one.

#include "gir/nn/recording.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros_like.h>

#include <thread>

#include "cuda/training.h"
#include "gir/learn/optimizer.h"
#include "gir/models/model.h"

namespace gir {
namespace {

using testing::open_known;
using testing::train;
using testing::TrainingTrace;

constexpr std::int64_t kEpochs = 12;

/// Warm-up epochs before the capture.
constexpr std::int64_t kWarmUp = 2;

/// Trains with and without CUDA graphs; `replayed` is the expected number of replays.
void expect_bit_identical(const Context& context, const Dataset& dataset, const std::string& recipe,
                          const SettingValues& settings, std::int64_t replayed) {
  const TrainingTrace captured = train(context, dataset, recipe, settings, kEpochs);
  const TrainingTrace launched = train(context, dataset, recipe, settings, kEpochs, /*record=*/false);
  EXPECT_EQ(captured, launched) << settings.at("model");
  EXPECT_EQ(captured.replayed, replayed) << settings.at("model");
  EXPECT_EQ(launched.replayed, 0);
}

TEST(ReplayedEpochs, AreBitIdenticalForEveryModelOnPairs) {
  const Dataset dataset = open_known("celegans");
  const Context context = make_context("cuda");
  ASSERT_TRUE(Recording::is_possible(context.device));
  for (const ModelEntry& entry : Registry<ModelEntry>::all()) {
    if (entry.fuses) continue;
    // In these the CPU takes part in every epoch: it samples anchor sets, or computes pair features.
    const bool is_plain = entry.name != "gir-x" && !entry.name.starts_with("pgnn");
    for (const char* recipe : {"paper", "strong"}) {
      expect_bit_identical(context, dataset, recipe, {{"model", entry.name}}, is_plain ? kEpochs - kWarmUp : 0);
    }
  }
}

TEST(ReplayedEpochs, AreBitIdenticalWithOtherSettings) {
  const Dataset dataset = open_known("celegans");
  const Context context = make_context("cuda");
  for (const SettingValues& settings :
       {SettingValues{{"decoder", "dot"}}, SettingValues{{"decoder-dropout", "0.3"}},
        SettingValues{{"norm", "layer"}, {"schedule", "cosine"}}, SettingValues{{"message", "attention"}},
        SettingValues{{"message", "max"}, {"jump", "true"}}, SettingValues{{"optimizer", "lamb"}}}) {
    SettingValues whole = settings;
    whole["model"] = "gir-a";
    expect_bit_identical(context, dataset, "paper", whole, kEpochs - kWarmUp);
  }
}

/// An optimiser made of plain torch operations, as a user would add one.
class Momentum : public Optimizer {
 public:
  explicit Momentum(std::vector<NamedTensor> parameters) : Optimizer(std::move(parameters)) {
    for (const NamedTensor& each : this->parameters()) {
      velocities_.push_back({"velocity/" + each.name, at::zeros_like(each.tensor.detach())});
    }
  }

  StepNumbers step_numbers(double learning_rate, std::int64_t) const override { return {learning_rate, 0.9}; }

  void apply(const at::Tensor& numbers) override {
    const at::NoGradGuard no_gradients;
    for (std::size_t k = 0; k < parameters().size(); ++k) {
      at::Tensor parameter = parameters()[k].tensor;
      if (!parameter.grad().defined()) continue;
      velocities_[k].tensor.mul_(numbers[1]).add_(parameter.grad());
      parameter.sub_(velocities_[k].tensor * numbers[0]);
    }
  }

 private:
  std::vector<NamedTensor> memory() const override { return velocities_; }

  std::vector<NamedTensor> velocities_;
};

const Registered<OptimizerEntry> momentum{{
    .name = "test-momentum",
    .summary = "gradient descent with momentum",
    .make = [](std::vector<NamedTensor> parameters, const OptimizerOptions&) -> std::unique_ptr<Optimizer> {
      return std::make_unique<Momentum>(std::move(parameters));
    },
}};

TEST(ReplayedEpochs, FollowTheScheduleOfAnOptimizerOfPlainOperations) {
  const Dataset dataset = open_known("celegans");
  const Context context = make_context("cuda");
  expect_bit_identical(context, dataset, "paper",
                       {{"model", "gir-a"}, {"optimizer", "test-momentum"}, {"schedule", "linear"}, {"lr", "0.1"}},
                       kEpochs - kWarmUp);
}

TEST(ReplayedEpochs, AreNotUsedIfTheKernelsOfAnEpochVary) {
  const Dataset dataset = open_known("celegans");
  const Context context = make_context("cuda");
  for (const SettingValues& settings : {SettingValues{{"model", "gir-a"}, {"clip", "0.1"}},
                                        SettingValues{{"model", "gir-a"}, {"epoch-pairs", "100"}}}) {
    expect_bit_identical(context, dataset, "paper", settings, 0);
  }
}

TEST(ReplayedEpochs, AreBitIdenticalWithFeaturesAndForFusions) {
  const Dataset dataset = open_known("cora");
  const Context context = make_context("cuda");
  const auto compare = [&](const char* model, std::int64_t trainings) {
    for (const char* recipe : {"fusion", "fusion-strong"}) {
      expect_bit_identical(context, dataset, recipe, {{"model", model}, {"input-dropout", "0.1"}},
                           trainings * (kEpochs - kWarmUp));
    }
  };
  compare("gcn-3", 1);
  compare("gir-5", 1);
  compare("gcn-gir", 3);  // two experts and the gate
  compare("gcn-gir-nf", 3);
  compare("gcn-gir-ja", 1);
}

TEST(ReplayedEpochs, AreBitIdenticalInOtherPrecisions) {
  const Dataset dataset = open_known("cora");
  for (const char* precision : {"tf32", "bf16"}) {
    const Context context = make_context("cuda", precision);
    expect_bit_identical(context, dataset, "fusion", {{"model", "gir-5"}}, kEpochs - kWarmUp);
  }
}

TEST(ReplayedEpochs, AreBitIdenticalInConcurrentTrainings) {
  const Dataset dataset = open_known("celegans");
  const Context context = make_context("cuda");
  // More threads than torch has streams in its pool.
  constexpr std::size_t kThreads = 40;
  const std::vector<std::string> models = {"gir-a", "gcn-o", "gir-mix", "agnn-f", "pgnn-f", "gir-x"};
  const auto trace = [&](std::size_t i) {
    return train(context, dataset, "strong", {{"model", models[i % models.size()]}}, kEpochs);
  };
  std::vector<TrainingTrace> alone;
  for (std::size_t i = 0; i < models.size(); ++i) alone.push_back(trace(i));
  std::vector<TrainingTrace> together(kThreads);
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) threads.emplace_back([&, i] { together[i] = trace(i); });
  threads.clear();
  for (std::size_t i = 0; i < kThreads; ++i) EXPECT_EQ(together[i], alone[i % models.size()]) << i;
}

}  // namespace
}  // namespace gir
