#include "gir/runs/tune.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "gir/core/error.h"
#include "gir/learn/objective.h"
#include "gir/runs/experiment.h"
#include "small_datasets.h"
#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;
using testing::read_text;
using testing::TempDir;

Dataset karate() {
  DataRequest request;
  request.graph = "karate";
  return open_data(request);
}

/// A search of a few seconds: 10 trials of at most 9 epochs.
TuneOptions small_search(SettingValues given = {}) {
  SettingValues values = {{"task", "lp"}, {"epochs", "9"}, {"evaluate-every", "3"}, {"anchors", "4"}, {"hidden", "8"}};
  for (const auto& [name, value] : given) values[name] = value;
  return {.given = values,
          .space = {{"layers", {"1", "2", "3", "4"}, true}, {"lr", {"0.003", "0.03"}, true}, {"norm", {"batch"}, true}},
          .trials = 10};
}

std::int64_t count_lines(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  return std::count(text.begin(), text.end(), '\n');
}

std::vector<std::vector<double>> values_of(const TuneOutcome& outcome) {
  std::vector<std::vector<double>> values;
  for (const TuneTrial& trial : outcome.trials) values.push_back(trial.valid);
  return values;
}

/// A search that is interrupted once so many trainings have ended.
TuneOutcome interrupted_search(const Dataset& dataset, const TuneOptions& options, const std::filesystem::path& folder,
                               std::int64_t trainings) {
  return tune(dataset, options, folder, [&](const TuneProgress&) {
    if (count_lines(folder / "trials.jsonl") >= trainings) throw Interrupted();
  });
}

/// Pair classification that fails when the test set is evaluated.
class Untested : public Objective {
 public:
  explicit Untested(std::unique_ptr<Objective> pairs) : pairs_(std::move(pairs)) {}
  std::string metric() const override { return pairs_->metric(); }
  std::int64_t view(std::uint64_t epoch) const override { return pairs_->view(epoch); }
  at::Tensor loss(const ModelOutput& output, const ForwardOptions& options) override {
    return pairs_->loss(output, options);
  }
  Metrics evaluate(const ModelOutput& output, EvaluationSet set) const override {
    ensure(set == EvaluationSet::kValid, "the test set is not evaluated");
    return pairs_->evaluate(output, set);
  }
  std::int64_t loss_bytes() const override { return pairs_->loss_bytes(); }
  std::vector<NamedTensor> parameters() const override { return pairs_->parameters(); }

 private:
  std::unique_ptr<Objective> pairs_;
};

const Registered<ObjectiveEntry> untested{{
    .name = "untested-pairs",
    .summary = "pairs, for tests",
    .tasks = {Task::kLinkPrediction},
    .make = [](const ObjectiveInputs& inputs) -> std::unique_ptr<Objective> {
      return std::make_unique<Untested>(make_objective("pairs", inputs, /*fuses=*/false));
    },
}};

TEST(Tune, ComparesTheBestWithTheDefaultOnTheSameSplits) {
  const TempDir dir;
  const TuneOutcome outcome = tune(karate(), small_search(), dir / "out");
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.metric, "roc_auc");
  EXPECT_EQ(outcome.trials.size(), 10U);
  EXPECT_EQ(outcome.round, 3);
  EXPECT_EQ(outcome.ranks.size(), 2U) << "the default and one of nine challengers";
  EXPECT_EQ(outcome.splits, (std::vector<std::uint64_t>{3, 4, 5}));
  ASSERT_NE(outcome.compared_default(), nullptr);
  EXPECT_EQ(outcome.compared_default()->valid.size(), 3U);
  EXPECT_GE(outcome.best().summary().mean, outcome.compared_default()->summary().mean);
  EXPECT_EQ(count_lines(dir / "out/trials.jsonl"), 10 + 4 * 2 + 2 * 3);
}

TEST(Tune, FindsTheSameOnAnyNumberOfThreads) {
  const TempDir dir;
  const auto search = [&](const char* folder, int threads) {
    TuneOptions options = small_search();
    options.context.threads = threads;
    return tune(karate(), options, dir / folder);
  };
  const TuneOutcome one = search("one", 1);
  const TuneOutcome two = search("two", 2);
  EXPECT_EQ(values_of(one), values_of(two));
  EXPECT_EQ(one.ranks, two.ranks);
  EXPECT_EQ(read_text(dir / "one/best.json"), read_text(dir / "two/best.json"));
}

TEST(Tune, AnotherSeedDrawsOtherTrials) {
  const TempDir dir;
  const TuneOutcome first = tune(karate(), small_search(), dir / "first");
  const TuneOutcome second = tune(karate(), small_search({{"seed", "1"}}), dir / "second");
  const auto changes = [](const TuneOutcome& outcome) {
    std::vector<SettingValues> all;
    for (const TuneTrial& trial : outcome.trials) all.push_back(trial.changes);
    return all;
  };
  EXPECT_NE(changes(first), changes(second));
}

TEST(Tune, WritesAConfigurationThatGivesTheMetricOfTheBestTrial) {
  const TempDir dir;
  const Dataset dataset = karate();
  const TuneOutcome outcome = tune(dataset, small_search(), dir / "out");
  SettingValues values = read_settings(dir / "out/best.json");
  for (const auto& [name, value] : outcome.best().changes) EXPECT_EQ(values.at(name), value);
  values["split"] = values["seed"] = "3";
  Experiment experiment(dataset, resolve("", values, dataset));
  EXPECT_EQ(experiment.run().valid.main(), outcome.best().valid.front());
}

TEST(Tune, NeverEvaluatesTheTestSet) {
  const TempDir dir;
  const TuneOutcome outcome = tune(karate(), small_search({{"objective", "untested-pairs"}}), dir / "out");
  EXPECT_TRUE(outcome.complete);
  for (const TuneTrial& trial : outcome.trials) EXPECT_EQ(trial.failure, "");
  EXPECT_EQ(read_text(dir / "out/trials.jsonl").find("test"), std::string::npos);
}

TEST(Tune, LabelsOfTheTestSetChangeNothing) {
  const TempDir dir;
  TuneOptions options = small_search({{"task", "nc"}, {"split", "0"}});
  options.trials = 4;
  Dataset dataset = karate();
  const TuneOutcome before = tune(dataset, options, dir / "before");
  const NodeSplit split = split_nodes(dataset.data, 0, default_shares(Task::kNodeClassification));
  for (const NodeId node : split.test) dataset.data.labels.classes[node] ^= 1;
  const TuneOutcome after = tune(dataset, options, dir / "after");
  EXPECT_EQ(values_of(before), values_of(after));
  EXPECT_EQ(before.splits, (std::vector<std::uint64_t>{0, 0, 0})) << "a split that is given is not varied";
}

TEST(Tune, ContinuesWhereItWasInterrupted) {
  const TempDir dir;
  const Dataset dataset = karate();
  TuneOptions options = small_search();
  options.context.threads = 1;
  const TuneOutcome whole = tune(dataset, options, dir / "whole");
  for (const std::int64_t trainings : {0, 4, 12, 20}) {
    const auto folder = dir / std::to_string(trainings);
    const TuneOutcome part = interrupted_search(dataset, options, folder, trainings);
    EXPECT_TRUE(part.interrupted);
    EXPECT_FALSE(part.complete);
    EXPECT_EQ(part.ranks.empty(), trainings == 0);
    EXPECT_FALSE(read_settings(folder / "best.json").empty()) << "what is known so far";
    const TuneOutcome rest = tune(dataset, options, folder);
    EXPECT_EQ(values_of(rest), values_of(whole));
    EXPECT_EQ(rest.ranks, whole.ranks);
    EXPECT_EQ(count_lines(folder / "trials.jsonl"), count_lines(dir / "whole/trials.jsonl")) << "nothing twice";
  }
}

TEST(Tune, TrainsTheTrialOfAnIncompleteLineAgain) {
  const TempDir dir;
  const TuneOutcome whole = tune(karate(), small_search(), dir / "out");
  const auto log = dir / "out/trials.jsonl";
  const std::string text = read_text(log);
  dir.file("out/trials.jsonl", text.substr(0, text.size() - 20));
  const std::string request = read_text(dir / "out/request.json");
  const std::string unfinished = request.substr(0, request.find(",\n  \"ended\"")) + "\n}\n";
  dir.file("out/request.json", unfinished);  // a killed search has not ended
  EXPECT_EQ(values_of(tune(karate(), small_search(), dir / "out")), values_of(whole));
  EXPECT_EQ(count_lines(log), std::count(text.begin(), text.end(), '\n'));
}

TEST(Tune, DoesNotSearchAgainOnceItHasEnded) {
  const TempDir dir;
  const TuneOutcome first = tune(karate(), small_search(), dir / "out");
  const std::string log = read_text(dir / "out/trials.jsonl");
  const TuneOutcome again = tune(karate(), small_search(), dir / "out");
  EXPECT_EQ(read_text(dir / "out/trials.jsonl"), log);
  EXPECT_EQ(values_of(again), values_of(first));
  EXPECT_EQ(again.ranks, first.ranks);
  EXPECT_TRUE(again.complete);
}

TEST(Tune, MoreTrialsContinueASearch) {
  const TempDir dir;
  TuneOptions options = small_search();
  options.trials = 4;
  tune(karate(), options, dir / "out");
  options.trials = 10;
  const TuneOutcome more = tune(karate(), options, dir / "out");
  EXPECT_EQ(more.ranks, tune(karate(), options, dir / "whole").ranks);
}

TEST(Tune, RefusesTheFolderOfAnotherSearch) {
  const TempDir dir;
  tune(karate(), small_search(), dir / "out");
  const auto refused = [&](const TuneOptions& options, const char* difference) {
    expect_user_error([&] { tune(karate(), options, dir / "out"); }, "out: contains a search ", difference,
                      "choose another folder]");
  };
  refused(small_search({{"dropout", "0.1"}}), "with other settings");
  TuneOptions other = small_search();
  other.space.pop_back();
  refused(other, "of another space");
  other = small_search();
  other.splits = 2;
  refused(other, "with another number of splits");
  other = small_search();
  other.recipe = "strong";
  refused(other, "with another recipe");
  expect_user_error([&] { tune(testing::communities(), small_search(), dir / "out"); },
                    "contains a search on other data");
  dir.file("full/notes.txt", "mine");
  expect_user_error([&] { tune(karate(), small_search(), dir / "full"); }, "contains other files");
}

TEST(Tune, RecordsFailuresAndGoesOn) {
  const TempDir dir;
  TuneOptions options = small_search();
  options.space = {{"lr", {"1e+30"}}, {"objective", {"nodes", "pairs"}}};
  options.trials = 6;
  const TuneOutcome outcome = tune(karate(), options, dir / "out");
  EXPECT_TRUE(outcome.exhausted);
  ASSERT_EQ(outcome.trials.size(), 3U) << "the default and two combinations";
  EXPECT_EQ(outcome.best().number, 0);
  EXPECT_EQ(outcome.best().valid.size(), 3U);
  std::string failures;
  for (const TuneTrial& trial : outcome.trials) failures += trial.failure + "\n";
  EXPECT_NE(failures.find("NaN or infinite"), std::string::npos) << failures;
  EXPECT_NE(failures.find("`objective`: nodes is not for lp"), std::string::npos) << failures;
}

TEST(Tune, EndsWithAnErrorIfEveryTrialFails) {
  const TempDir dir;
  expect_user_error(
      [&] {
        tune(karate(), small_search({{"clip", "0"}, {"objective", "nodes"}}), dir / "out");
      },
      "all 10 trials failed, the first one with: `objective`: nodes is not for lp");
}

TEST(Tune, SkipsCombinationsThatAreInvalidOrTheSame) {
  const TempDir dir;
  TuneOptions options = small_search({{"model", "gcn"}});
  options.space = {{"anchors", {"2", "4", "8"}}, {"hidden-parts", {"0", "1"}}};
  const TuneOutcome outcome = tune(karate(), options, dir / "out");
  EXPECT_EQ(outcome.trials.size(), 1U) << "gcn has no anchors, and one hidden part is invalid";
  EXPECT_EQ(outcome.repeated, 3);
  EXPECT_EQ(outcome.invalid, 3);
  EXPECT_TRUE(outcome.exhausted);
  EXPECT_EQ(outcome.best().number, 0);
}

TEST(Tune, KeepsTheDefaultIfTheBudgetEndsBeforeAnything) {
  const TempDir dir;
  TuneOptions options = small_search();
  options.budget = 1e-9;
  const TuneOutcome outcome = tune(karate(), options, dir / "out");
  EXPECT_TRUE(outcome.ranks.empty());
  EXPECT_EQ(outcome.best().number, 0);
  EXPECT_FALSE(outcome.complete);
  EXPECT_EQ(read_settings(dir / "out/best.json"), options.given);
  options.budget = 1000;
  EXPECT_TRUE(tune(karate(), options, dir / "out").complete) << "a larger budget continues";
}

TEST(Tune, StaysWithinALargeBudgetAndEndsEarly) {
  const TempDir dir;
  TuneOptions options = small_search({{"patience", "1"}});
  options.budget = 1000;
  const TuneOutcome outcome = tune(karate(), options, dir / "out");
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.trials.size(), 10U);
  EXPECT_LT(outcome.seconds, options.budget);
}

TEST(Tune, NeedsAnEndAndSomethingToSearch) {
  const TempDir dir;
  TuneOptions options = small_search();
  options.trials = 0;
  expect_user_error([&] { tune(karate(), options, dir / "out"); }, "[set `budget` or `trials`]");
  options = small_search();
  options.space.clear();
  expect_user_error([&] { tune(karate(), options, dir / "out"); }, "the search space is empty");
}

}  // namespace
}  // namespace gir
