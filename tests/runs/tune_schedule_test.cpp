#include "gir/runs/tune_schedule.h"

#include <gtest/gtest.h>

#include <set>

namespace gir {
namespace {

std::vector<std::int64_t> challengers_of(const std::vector<TuneRound>& rounds) {
  std::vector<std::int64_t> counts;
  for (const TuneRound& round : rounds) counts.push_back(round.challengers);
  return counts;
}

/// A training of ten seconds, without setup, on one thread.
TuneOutlook outlook(double seconds_left, std::int64_t next_round = 1) {
  return {.next_round = next_round,
          .max_challengers = 80,
          .first_cost = {.training = 10},
          .cost = {.training = 10},
          .seconds_left = seconds_left};
}

TEST(TuneSchedule, EveryRoundKeepsTheBestThird) {
  EXPECT_EQ(challengers_of(tune_rounds(26, 3)), (std::vector<std::int64_t>{26, 9, 3}));
  EXPECT_EQ(tune_rounds(26, 3).front().trainings(), 27) << "with the default";
  EXPECT_EQ(tune_rounds(26, 3).back().trainings(), 12);
}

TEST(TuneSchedule, OmitsRoundsThatEliminateNobody) {
  EXPECT_EQ(challengers_of(tune_rounds(3, 3)), (std::vector<std::int64_t>{3, 1}));
  EXPECT_EQ(challengers_of(tune_rounds(1, 3)), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(challengers_of(tune_rounds(0, 3)), (std::vector<std::int64_t>{0}));
}

TEST(TuneSchedule, NoRoundUsesASplitOfAnother) {
  std::set<std::int64_t> seen;
  for (const TuneRound& round : tune_rounds(26, 5)) {
    for (std::int64_t i = 0; i < round.repeats; ++i) EXPECT_TRUE(seen.insert(round.first_repeat + i).second);
  }
  EXPECT_EQ(seen.size(), 8U);
}

TEST(TuneSchedule, TakesAtMostTheTimeThatIsLeft) {
  for (const double seconds : {1.5, 5.0, 20.0, 60.0, 100.0, 200.0, 500.0, 5000.0}) {
    const TuneOutlook now = outlook(seconds);
    const auto rounds = fitting_rounds(now);
    EXPECT_LE(seconds_of(rounds, now), seconds);
    EXPECT_EQ(rounds.empty(), seconds < 2) << seconds;
  }
}

TEST(TuneSchedule, GivesUpSplitsAndThenRoundsWhenTimeIsShort) {
  EXPECT_EQ(fitting_rounds(outlook(500)).back().repeats, 3);
  EXPECT_EQ(fitting_rounds(outlook(80)).back().repeats, 2);
  EXPECT_EQ(fitting_rounds(outlook(30)).back().repeats, 1);
  EXPECT_EQ(fitting_rounds(outlook(30)).back().number, kTuneRounds);
  EXPECT_EQ(fitting_rounds(outlook(18)).back().number, 2) << "two complete trainings do not fit";
  EXPECT_EQ(fitting_rounds(outlook(12)).back().number, 1);
  EXPECT_TRUE(fitting_rounds(outlook(1)).empty());
}

TEST(TuneSchedule, CountsOnlyTrainingsThatAreMissing) {
  TuneOutlook now = outlook(0.1, kTuneRounds);
  EXPECT_TRUE(fitting_rounds(now).empty());
  now.missing = [](const TuneRound&) { return 0; };
  EXPECT_EQ(fitting_rounds(now).size(), 1U) << "an earlier call has done the last round";
}

TEST(TuneSchedule, MoreThreadsAllowMoreTrials) {
  TuneOutlook now = outlook(100);
  const auto one = fitting_rounds(now).front().challengers;
  now.threads = 4;
  EXPECT_GT(fitting_rounds(now).front().challengers, one);
}

TEST(TuneSchedule, EarlyStoppingMakesCompleteTrainingsCheaper) {
  const TuneCost cost{.setup = 1, .training = 100, .stops_after = 0.2};
  EXPECT_DOUBLE_EQ(cost.seconds(1), 21);
  EXPECT_DOUBLE_EQ(cost.seconds(0.1), 11);
}

}  // namespace
}  // namespace gir
