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

}  // namespace
}  // namespace gir
