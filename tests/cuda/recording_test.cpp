// Epochs that were recorded are those that are asked for step by step.

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
using testing::Story;
using testing::train;

constexpr std::int64_t kEpochs = 12;

/// So many epochs come before the recording.
constexpr std::int64_t kWarm = 2;

/// Trains with and without a recording.
void expect_the_same_bits(const Context& context, const Dataset& dataset, const std::string& recipe,
                          const SettingValues& settings, std::int64_t repeated) {
  const Story recorded = train(context, dataset, recipe, settings, kEpochs);
  const Story step_by_step = train(context, dataset, recipe, settings, kEpochs, /*record=*/false);
  EXPECT_EQ(recorded, step_by_step) << settings.at("model");
  EXPECT_EQ(recorded.repeated, repeated) << settings.at("model");
  EXPECT_EQ(step_by_step.repeated, 0);
}

TEST(RecordedEpochs, HaveTheBitsOfEveryModelOnPairs) {
  const Dataset dataset = open_known("celegans");
  const Context there = make_context("cuda");
  ASSERT_TRUE(Recording::is_possible(there.device));
  for (const ModelEntry& entry : Registry<ModelEntry>::all()) {
    if (entry.fuses) continue;
    // The processor has a hand in these: it draws sets, or describes pairs.
    const bool is_plain = entry.name != "gir-x" && !entry.name.starts_with("pgnn");
    for (const char* recipe : {"paper", "strong"}) {
      expect_the_same_bits(there, dataset, recipe, {{"model", entry.name}}, is_plain ? kEpochs - kWarm : 0);
    }
  }
}

TEST(RecordedEpochs, HaveTheBitsWithOtherSettings) {
  const Dataset dataset = open_known("celegans");
  const Context there = make_context("cuda");
  for (const SettingValues& settings :
       {SettingValues{{"decoder", "dot"}}, SettingValues{{"decoder-dropout", "0.3"}},
        SettingValues{{"norm", "layer"}, {"schedule", "cosine"}}, SettingValues{{"message", "attention"}},
        SettingValues{{"message", "max"}, {"jump", "true"}}, SettingValues{{"optimizer", "lamb"}}}) {
    SettingValues whole = settings;
    whole["model"] = "gir-a";
    expect_the_same_bits(there, dataset, "paper", whole, kEpochs - kWarm);
  }
}

/// An optimiser of plain torch operations, as somebody would add one.
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

TEST(RecordedEpochs, FollowTheScheduleOfAnOptimizerOfPlainOperations) {
  const Dataset dataset = open_known("celegans");
  const Context there = make_context("cuda");
  expect_the_same_bits(there, dataset, "paper",
                       {{"model", "gir-a"}, {"optimizer", "test-momentum"}, {"schedule", "linear"}, {"lr", "0.1"}},
                       kEpochs - kWarm);
}

TEST(RecordedEpochs, AreNotMadeOfWhatChanges) {
  const Dataset dataset = open_known("celegans");
  const Context there = make_context("cuda");
  for (const SettingValues& settings : {SettingValues{{"model", "gir-a"}, {"clip", "0.1"}},
                                        SettingValues{{"model", "gir-a"}, {"epoch-pairs", "100"}}}) {
    expect_the_same_bits(there, dataset, "paper", settings, 0);
  }
}

TEST(RecordedEpochs, HaveTheBitsOnFeaturesAndOfFusions) {
  const Dataset dataset = open_known("cora");
  const Context there = make_context("cuda");
  const auto compare = [&](const char* model, std::int64_t trainings) {
    for (const char* recipe : {"fusion", "fusion-strong"}) {
      expect_the_same_bits(there, dataset, recipe, {{"model", model}, {"input-dropout", "0.1"}},
                           trainings * (kEpochs - kWarm));
    }
  };
  compare("gcn-3", 1);
  compare("gir-5", 1);
  compare("gcn-gir", 3);  // two experts and the gate
  compare("gcn-gir-nf", 3);
  compare("gcn-gir-ja", 1);
}

TEST(RecordedEpochs, HaveTheBitsInOtherPrecisions) {
  const Dataset dataset = open_known("cora");
  for (const char* precision : {"tf32", "bf16"}) {
    const Context there = make_context("cuda", precision);
    expect_the_same_bits(there, dataset, "fusion", {{"model", "gir-5"}}, kEpochs - kWarm);
  }
}

TEST(RecordedEpochs, HaveTheBitsBesideOthers) {
  const Dataset dataset = open_known("celegans");
  const Context there = make_context("cuda");
  // More threads than torch has streams.
  constexpr std::size_t kThreads = 40;
  const std::vector<std::string> models = {"gir-a", "gcn-o", "gir-mix", "agnn-f", "pgnn-f", "gir-x"};
  const auto story = [&](std::size_t i) {
    return train(there, dataset, "strong", {{"model", models[i % models.size()]}}, kEpochs);
  };
  std::vector<Story> alone;
  for (std::size_t i = 0; i < models.size(); ++i) alone.push_back(story(i));
  std::vector<Story> together(kThreads);
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) threads.emplace_back([&, i] { together[i] = story(i); });
  threads.clear();
  for (std::size_t i = 0; i < kThreads; ++i) EXPECT_EQ(together[i], alone[i % models.size()]) << i;
}

}  // namespace
}  // namespace gir
