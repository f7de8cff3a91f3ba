#include "gir/runs/grid_forecast.h"

#include <gtest/gtest.h>

namespace gir {
namespace {

TEST(GridForecast, HasNoEstimateBeforeTheFirstFinishedRun) {
  GridForecast forecast;
  forecast.expect("pb", "gcn");
  EXPECT_LT(forecast.seconds_left(), 0);
}

TEST(GridForecast, UsesTheMeanTimeOfRunsOfTheSameModelAndDataSet) {
  GridForecast forecast;
  for (int i = 0; i < 3; ++i) forecast.expect("pb", "gcn");
  forecast.expect("pb", "pgnn-e");
  forecast.learn("pb", "gcn", 2);
  forecast.learn("pb", "pgnn-e", 10);
  EXPECT_DOUBLE_EQ(forecast.seconds_left(), 4);
  forecast.learn("pb", "gcn", 4);
  EXPECT_DOUBLE_EQ(forecast.seconds_left(), 3) << "one run of 3 s on average";
}

TEST(GridForecast, EstimatesOtherRunsFromTheirModelAndDataSet) {
  GridForecast forecast;
  forecast.learn("small", "gcn", 1);
  forecast.learn("small", "pgnn-e", 3);
  forecast.learn("large", "gcn", 10);
  forecast.learn("large", "gcn", 10);
  forecast.expect("large", "pgnn-e");
  // mean 6; large runs take 10, pgnn-e 3: 10 * 3 / 6
  EXPECT_DOUBLE_EQ(forecast.seconds_left(), 5);
  forecast.expect("unseen", "unseen");
  EXPECT_DOUBLE_EQ(forecast.seconds_left(), 11);
}

TEST(GridForecast, UsesTheEpochsOfRunningRunsUntilOneHasFinished) {
  GridForecast forecast;
  for (int i = 0; i < 4; ++i) forecast.expect("pb", "gcn");
  forecast.advance(0, "pb", "gcn", 0.25, 8);
  EXPECT_FALSE(forecast.any_finished());
  EXPECT_DOUBLE_EQ(forecast.seconds_left(), 30) << "4 runs of 8 s, of which 2 s have passed";
  forecast.advance(1, "pb", "gcn", 0.5, 4);
  EXPECT_DOUBLE_EQ(forecast.running_share(), 0.75);
  EXPECT_DOUBLE_EQ(forecast.seconds_left(), 19.5) << "4 runs of 6 s on average, 0.75 of one has passed";
  forecast.end(0);
  forecast.learn("pb", "gcn", 10);
  EXPECT_TRUE(forecast.any_finished());
  EXPECT_DOUBLE_EQ(forecast.seconds_left(), 25) << "3 runs of 10 s, half of one has passed";
}

TEST(GridForecast, DoesNotWaitForRunsThatFailed) {
  GridForecast forecast;
  forecast.expect("pb", "gcn");
  forecast.expect("pb", "gir");
  forecast.drop("pb", "gir");
  forecast.learn("pb", "gcn", 3);
  EXPECT_DOUBLE_EQ(forecast.seconds_left(), 0);
}

}  // namespace
}  // namespace gir
