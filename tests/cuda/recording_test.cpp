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

/// Trains with and without a recording.
void expect_the_same_bits(const Dataset& dataset, const std::string& recipe, const SettingValues& settings) {
  const Story recorded = train(dataset, recipe, settings, kEpochs);
  EXPECT_EQ(recorded, train(dataset, recipe, settings, kEpochs, /*record=*/false)) << settings.at("model");
  EXPECT_GE(std::ssize(recorded.losses), kEpochs);  // experts have epochs of their own
}

TEST(RecordedEpochs, HaveTheBitsOfEveryModelOnPairs) {
  const Dataset dataset = open_known("celegans");
  const OnDevice there("cuda");
  ASSERT_TRUE(Recording::is_possible());
  for (const ModelEntry& entry : Registry<ModelEntry>::all()) {
    if (entry.fuses) continue;
    for (const char* recipe : {"paper", "strong"}) expect_the_same_bits(dataset, recipe, {{"model", entry.name}});
  }
}

TEST(RecordedEpochs, HaveTheBitsWithOtherSettings) {
  const Dataset dataset = open_known("celegans");
  const OnDevice there("cuda");
  for (const SettingValues& settings :
       {SettingValues{{"model", "gir-a"}, {"decoder", "dot"}},
        SettingValues{{"model", "gir-a"}, {"decoder-dropout", "0.3"}},
        SettingValues{{"model", "gir-a"}, {"norm", "layer"}, {"schedule", "cosine"}},
        SettingValues{{"model", "gir-a"}, {"message", "attention"}},
        SettingValues{{"model", "gir-a"}, {"message", "max"}, {"jump", "true"}},
        SettingValues{{"model", "gcn-a"}, {"optimizer", "lamb"}}, SettingValues{{"model", "gir-a"}, {"clip", "0.1"}},
        SettingValues{{"model", "gir-a"}, {"epoch-pairs", "100"}}}) {
    expect_the_same_bits(dataset, "paper", settings);
  }
}

TEST(RecordedEpochs, HaveTheBitsOnFeaturesAndOfFusions) {
  const Dataset dataset = open_known("cora");
  const OnDevice there("cuda");
  for (const char* model : {"gcn-3", "gir-5", "gcn-gir", "gcn-gir-nf", "gcn-gir-ja"}) {
    expect_the_same_bits(dataset, "fusion", {{"model", model}, {"input-dropout", "0.1"}});
  }
}

TEST(RecordedEpochs, HaveTheBitsInOtherPrecisions) {
  const Dataset dataset = open_known("cora");
  for (const char* precision : {"tf32", "bf16"}) {
    const OnDevice there("cuda", precision);
    expect_the_same_bits(dataset, "fusion", {{"model", "gir-5"}});
    EXPECT_EQ(train(dataset, "fusion", {{"model", "gir-5"}}, kEpochs),
              train(dataset, "fusion", {{"model", "gir-5"}}, kEpochs));
  }
}

TEST(RecordedEpochs, HaveTheBitsBesideOthers) {
  const Dataset dataset = open_known("celegans");
  const OnDevice there("cuda");
  const std::vector<std::string> models = {"gir-a", "gcn-o", "gir-mix", "agnn-f", "pgnn-f", "gir-x"};
  std::vector<Story> alone(models.size());
  for (std::size_t i = 0; i < models.size(); ++i) alone[i] = train(dataset, "strong", {{"model", models[i]}}, kEpochs);
  std::vector<Story> together(models.size());
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < models.size(); ++i) {
    threads.emplace_back([&, i] { together[i] = train(dataset, "strong", {{"model", models[i]}}, kEpochs); });
  }
  threads.clear();
  for (std::size_t i = 0; i < models.size(); ++i) EXPECT_EQ(together[i], alone[i]) << models[i];
}

}  // namespace
}  // namespace gir
