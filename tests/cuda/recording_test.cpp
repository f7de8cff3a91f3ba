// Epochs that were recorded are those that are asked for step by step.

#include "gir/nn/recording.h"

#include <thread>

#include "cuda/training.h"
#include "gir/models/model.h"

namespace gir {
namespace {

using testing::OnDevice;
using testing::open_known;
using testing::Story;
using testing::train;

constexpr std::int64_t kEpochs = 12;

/// So many epochs come before the recording.
constexpr std::int64_t kWarm = 2;

/// Trains with and without a recording.
void expect_the_same_bits(const Dataset& dataset, const std::string& recipe, const SettingValues& settings,
                          std::int64_t repeated) {
  const Story recorded = train(dataset, recipe, settings, kEpochs);
  const Story step_by_step = train(dataset, recipe, settings, kEpochs, /*record=*/false);
  EXPECT_EQ(recorded, step_by_step) << settings.at("model");
  EXPECT_EQ(recorded.repeated, repeated) << settings.at("model");
  EXPECT_EQ(step_by_step.repeated, 0);
}

TEST(RecordedEpochs, HaveTheBitsOfEveryModelOnPairs) {
  const Dataset dataset = open_known("celegans");
  const OnDevice there("cuda");
  ASSERT_TRUE(Recording::is_possible());
  for (const ModelEntry& entry : Registry<ModelEntry>::all()) {
    if (entry.fuses) continue;
    // The processor has a hand in these: it draws sets, or describes pairs.
    const bool is_plain = entry.name != "gir-x" && !entry.name.starts_with("pgnn");
    for (const char* recipe : {"paper", "strong"}) {
      expect_the_same_bits(dataset, recipe, {{"model", entry.name}}, is_plain ? kEpochs - kWarm : 0);
    }
  }
}

TEST(RecordedEpochs, HaveTheBitsWithOtherSettings) {
  const Dataset dataset = open_known("celegans");
  const OnDevice there("cuda");
  for (const SettingValues& settings :
       {SettingValues{{"decoder", "dot"}}, SettingValues{{"decoder-dropout", "0.3"}},
        SettingValues{{"norm", "layer"}, {"schedule", "cosine"}}, SettingValues{{"message", "attention"}},
        SettingValues{{"message", "max"}, {"jump", "true"}}, SettingValues{{"optimizer", "lamb"}}}) {
    SettingValues whole = settings;
    whole["model"] = "gir-a";
    expect_the_same_bits(dataset, "paper", whole, kEpochs - kWarm);
  }
}

TEST(RecordedEpochs, AreNotMadeOfWhatChanges) {
  const Dataset dataset = open_known("celegans");
  const OnDevice there("cuda");
  for (const SettingValues& settings : {SettingValues{{"model", "gir-a"}, {"clip", "0.1"}},
                                        SettingValues{{"model", "gir-a"}, {"epoch-pairs", "100"}}}) {
    expect_the_same_bits(dataset, "paper", settings, 0);
  }
}

TEST(RecordedEpochs, HaveTheBitsOnFeaturesAndOfFusions) {
  const Dataset dataset = open_known("cora");
  const OnDevice there("cuda");
  const auto compare = [&](const char* model, std::int64_t trainings) {
    for (const char* recipe : {"fusion", "fusion-strong"}) {
      expect_the_same_bits(dataset, recipe, {{"model", model}, {"input-dropout", "0.1"}},
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
    const OnDevice there("cuda", precision);
    expect_the_same_bits(dataset, "fusion", {{"model", "gir-5"}}, kEpochs - kWarm);
  }
}

TEST(RecordedEpochs, HaveTheBitsBesideOthers) {
  const Dataset dataset = open_known("celegans");
  const OnDevice there("cuda");
  // More threads than torch has streams.
  constexpr std::size_t kThreads = 40;
  const std::vector<std::string> models = {"gir-a", "gcn-o", "gir-mix", "agnn-f", "pgnn-f", "gir-x"};
  const auto story = [&](std::size_t i) {
    return train(dataset, "strong", {{"model", models[i % models.size()]}}, kEpochs);
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
