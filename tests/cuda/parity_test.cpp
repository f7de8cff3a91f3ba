// A GPU must tell the story that the processor tells.

#include <ATen/Context.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <thread>

#include "cuda/training.h"
#include "gir/models/model.h"

namespace gir {
namespace {

using testing::Story;
using testing::train;

constexpr const char* kGraphs[] = {"email", "europe", "usa", "celegans", "ns", "pb"};
constexpr std::int64_t kEpochs = 20;
constexpr double kTolerance = 1e-4;  ///< of a loss, relative

Story train_on(const char* device, const Dataset& dataset, const std::string& model, const std::string& recipe,
               SettingValues more = {}) {
  more["model"] = model;
  return train(make_context(device), dataset, recipe, std::move(more), kEpochs);
}

/// The largest relative difference of losses up to every epoch.
std::vector<double> differences(const Story& first, const Story& second) {
  std::vector<double> largest;
  for (std::size_t i = 0; i < std::min(first.losses.size(), second.losses.size()); ++i) {
    largest.push_back(std::abs(first.losses[i] / second.losses[i] - 1));
    if (i > 0) largest[i] = std::max(largest[i], largest[i - 1]);
  }
  return largest;
}

/// How far the processor's own losses move, up to every epoch, when weight decay changes by a hundredth either way.
std::vector<double> own_movement(const Dataset& dataset, const std::string& model, const std::string& recipe,
                                 const Story& expected) {
  const double weight_decay = resolve(recipe, {{"model", model}}, dataset).training.weight_decay;
  std::vector<double> largest(expected.losses.size(), 0.0);
  for (const double factor : {0.99, 1.01}) {
    const SettingValues nudged = {{"weight-decay", fmt::format("{}", factor * weight_decay)}};
    const std::vector<double> moved = differences(train_on("cpu", dataset, model, recipe, nudged), expected);
    for (std::size_t i = 0; i < moved.size(); ++i) largest[i] = std::max(largest[i], moved[i]);
  }
  return largest;
}

/// 1e-4. Some trainings magnify any rounding: there the processor's own losses move by more than that within 20 epochs
/// when weight decay changes by a hundredth, which is 1e-7 or 1e-6 of a weight in its gradient, or when its products
/// are made without fused multiply-add. From no GPU can be asked more than a few times what the processor does to
/// itself.
void expect_the_same_story(const Dataset& dataset, const std::string& model, const std::string& recipe,
                           std::size_t compared = std::numeric_limits<std::size_t>::max()) {
  const Story expected = train_on("cpu", dataset, model, recipe);
  std::vector<double> found = differences(train_on("cuda", dataset, model, recipe), expected);
  ASSERT_EQ(found.size(), expected.losses.size());
  ASSERT_GE(std::ssize(found), kEpochs) << "and those of experts";
  found.resize(std::min(found.size(), compared));
  if (found.back() <= kTolerance) return;
  const std::vector<double> own = own_movement(dataset, model, recipe, expected);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_LE(found[i], std::max(kTolerance, 5 * own[i])) << model << ", epoch " << i + 1;
  }
  std::cout << fmt::format("{} on {}, {}: {:.1e} after {} epochs; the processor's own, nudged: {:.1e}\n", model,
                           dataset.name, recipe, found.back(), found.size(), own[found.size() - 1]);
}

/// Fused models decide about classes, and `fusion` does not know what it is made of.
bool can_be_trained(const ModelEntry& entry, const Dataset& dataset) {
  return !entry.fuses || (entry.settings.contains("experts") && dataset.task == Task::kNodeClassification);
}

class OnGpu : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Graphs, OnGpu, ::testing::ValuesIn(kGraphs),
                         [](const auto& graph) { return std::string(graph.param); });

TEST_P(OnGpu, EveryModelHasTheProcessorsLosses) {
  const Dataset dataset = testing::open_known(GetParam());
  for (const ModelEntry& entry : Registry<ModelEntry>::all()) {
    if (can_be_trained(entry, dataset)) expect_the_same_story(dataset, entry.name, "paper");
  }
}

TEST_P(OnGpu, NormsAndJumpsHaveTheProcessorsLosses) {
  const Dataset dataset = testing::open_known(GetParam());
  // Norms magnify rounding even more: two epochs are what can be compared. Where inputs are all equal, batch norm makes
  // numbers of nothing but rounding errors, so those models have nothing to compare at all.
  for (const char* model : {"gcn-o", "gir-a", "gir-o", "gir-mix"}) expect_the_same_story(dataset, model, "strong", 2);
}

TEST_P(OnGpu, TheSameSeedGivesTheSameBits) {
  const Dataset dataset = testing::open_known(GetParam());
  for (const ModelEntry& entry : Registry<ModelEntry>::all()) {
    if (!can_be_trained(entry, dataset)) continue;
    EXPECT_EQ(train_on("cuda", dataset, entry.name, "strong"), train_on("cuda", dataset, entry.name, "strong"))
        << entry.name;
  }
}

TEST(Precision, RoundsProductsAndStaysNear) {
  const Dataset dataset = testing::open_known("cora");
  const auto first_loss = [&](const char* precision) {
    return train(make_context("cuda", precision), dataset, "fusion", {{"model", "gir-5"}}, 1).losses.front();
  };
  const double exact = first_loss("fp32");
  for (const auto& [precision, tolerance] : {std::pair{"tf32", 0.01}, std::pair{"bf16", 0.05}}) {
    const double rounded = first_loss(precision);
    EXPECT_NE(rounded, exact) << precision;
    EXPECT_NEAR(rounded / exact, 1, tolerance) << precision;
  }
}

/// Torch has one switch for tf32 in the whole process, and arrays keep their copies for each device.
TEST(Contexts, DoNotDisturbEachOther) {
  const Dataset dataset = testing::open_known("cora");
  const std::vector<Context> contexts = {make_context("cuda", "fp32"), make_context("cuda", "tf32"),
                                         make_context("cuda", "bf16"), make_context("cpu")};
  const auto story = [&](std::size_t i) {
    return train(contexts[i], dataset, "fusion", {{"model", "gir-5"}, {"hidden", "32"}}, kEpochs);
  };
  const bool allowed_before = at::globalContext().allowTF32CuBLAS();
  std::vector<Story> alone;
  for (std::size_t i = 0; i < contexts.size(); ++i) alone.push_back(story(i));
  EXPECT_NE(alone[0], alone[1]);
  std::vector<Story> together(contexts.size());
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < contexts.size(); ++i) threads.emplace_back([&, i] { together[i] = story(i); });
  threads.clear();
  for (std::size_t i = 0; i < contexts.size(); ++i) EXPECT_EQ(together[i], alone[i]) << contexts[i].mark();
  EXPECT_EQ(at::globalContext().allowTF32CuBLAS(), allowed_before);
}

}  // namespace
}  // namespace gir
