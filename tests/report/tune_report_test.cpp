#include "gir/report/tune_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace gir {
namespace {

TuneTrial trial(std::int64_t number, SettingValues changes, std::vector<double> valid) {
  return {.number = number, .changes = std::move(changes), .round = 3, .valid = std::move(valid), .seconds = 1.5};
}

/// The default, a better trial, and one that was eliminated in the first round.
TuneOutcome gained() {
  TuneOutcome outcome{
      .dataset = "karate",
      .metric = "roc_auc",
      .recipe = "paper",
      .default_model = "gir-a",
      .trials = {trial(0, {}, {0.90, 0.91, 0.92}), trial(1, {{"layers", "2"}, {"model", "gir-x"}}, {0.91, 0.92, 0.94}),
                 trial(2, {{"lr", "0.03"}}, {0.99})},
      .round = 3,
      .share = 1,
      .ranks = {1, 0},
      .splits = {3, 4, 5},
      .complete = true};
  outcome.trials[2].round = 1;
  return outcome;
}

TEST(TuneReport, SaysWhatTheBestTrialGainedOverTheDefault) {
  EXPECT_EQ(tune_verdict(gained()),
            "best of 3 trials: gir-x, layers 2: validation roc_auc 0.9233 ± 0.0153 on 3 splits; the default has 0.9100 "
            "± 0.0100 there (gain 0.0133, paired t = 4.00, p = 0.057: within noise)");
}

TEST(TuneReport, SaysPlainlyThatTheDefaultWins) {
  TuneOutcome outcome = gained();
  outcome.trials[0].valid = {0.95, 0.95, 0.95};
  outcome.ranks = {0, 1};
  EXPECT_EQ(
      tune_verdict(outcome),
      "the default (gir-a) is the best of 3 trials: validation roc_auc 0.9500 ± 0.0000 on 3 splits; next is gir-x, "
      "layers 2 with 0.9233 ± 0.0153");
}

TEST(TuneReport, SaysWhereASearchWasCutShort) {
  TuneOutcome outcome = gained();
  for (TuneTrial& each : outcome.trials) each.valid.resize(1);
  outcome.round = 1;
  outcome.splits = {0};
  EXPECT_EQ(tune_verdict(outcome),
            "best of 3 trials: gir-x, layers 2: validation roc_auc 0.9100 on 1 split, after a ninth of the epochs; the "
            "default has 0.9000 there (gain 0.0100, which a single run cannot distinguish from noise)");
  outcome.ranks.clear();
  EXPECT_EQ(tune_verdict(outcome), "the default is kept: the search ended before it was trained once [raise `budget`]");
}

TEST(TuneReport, SaysThatTheDefaultFailed) {
  TuneOutcome outcome = gained();
  outcome.ranks = {1};
  outcome.trials[0].failure = "out of memory";
  EXPECT_TRUE(tune_verdict(outcome).ends_with("; the default failed: out of memory")) << tune_verdict(outcome);
}

TEST(TuneReport, OrdersComparedTrialsFirstAndFailuresLast) {
  TuneOutcome outcome = gained();
  outcome.trials.push_back(trial(3, {{"lr", "1"}}, {}));
  outcome.trials.back().failure = "out of memory";
  const Table table = tune_table(outcome);
  std::vector<std::string> numbers;
  for (const auto& row : table.rows) numbers.push_back(row[0]);
  EXPECT_EQ(numbers, (std::vector<std::string>{"1", "0", "2", "3"}));
  EXPECT_EQ(table.rows[3][3], "failed: out of memory");
  EXPECT_EQ(tune_table(outcome, 2).rows.size(), 2U);
  const auto document = nlohmann::json::parse(tune_json(outcome));
  EXPECT_EQ(document["trials"].size(), 4U);
  EXPECT_EQ(document["best"]["settings"]["layers"], "2");
  EXPECT_NEAR(document["gain"], 0.0133, 1e-4);
}

}  // namespace
}  // namespace gir
