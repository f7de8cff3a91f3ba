#include "gir/report/grid_report.h"

#include <gmock/gmock.h>

#include <limits>

#include "support.h"

namespace gir {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TempDir;

/// Runs of one model on one data set, one per split.
void add_runs(std::vector<GridResult>& results, const std::string& model, const std::vector<double>& tests) {
  for (std::size_t split = 0; split < tests.size(); ++split) {
    results.push_back({.dataset = "pb",
                       .task = "lp",
                       .model = model,
                       .metric = "roc_auc",
                       .test = tests[split],
                       .valid = 1 - tests[split],
                       .split = split,
                       .version = "",
                       .settings = ""});
  }
}

/// `good` is better than `bad` in all runs, and about as good as `similar`.
std::vector<GridResult> three_models() {
  std::vector<GridResult> results;
  add_runs(results, "bad", {0.50, 0.51, 0.49, 0.52});
  add_runs(results, "good", {0.90, 0.92, 0.91, 0.93});
  add_runs(results, "similar", {0.91, 0.90, 0.92, 0.92});
  return results;
}

TEST(GridReport, ComparesEveryModelWithTheBestOne) {
  const std::vector<ResultCell> cells = summarise_grid(three_models());
  ASSERT_EQ(cells.size(), 3u);
  EXPECT_FALSE(cells[1].to_best) << "the best one";
  ASSERT_TRUE(cells[0].to_best);
  EXPECT_EQ(cells[0].to_best->best, "good");
  EXPECT_NEAR(cells[0].to_best->test.mean_difference, 41, 1e-9);
  EXPECT_EQ(cells[0].to_best->test.pairs, 4);
  EXPECT_EQ(cells[0].to_best->tests, 3) << "all pairs of three models";
  EXPECT_GT(cells[0].to_best->test.t, 0);
  ASSERT_TRUE(cells[2].to_best);
  EXPECT_GT(cells[2].to_best->adjusted_p, 0.05);
}

TEST(GridReport, AdjustsForAllPairsOfModels) {
  for (const PairedComparison& each : paired_comparisons(three_models(), EvaluationSet::kTest)) {
    EXPECT_GE(each.adjusted_p, each.test.p);
    if (each.models == ModelPair("good", "similar")) {
      EXPECT_DOUBLE_EQ(each.adjusted_p, each.test.p) << "the largest of the p-values is kept";
    }
  }
}

TEST(GridReport, SaysWhichDifferencesAreSignificant) {
  const std::vector<std::string> lines = best_model_lines(summarise_grid(three_models()));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0],
              AllOf(HasSubstr("pb lp: good has the highest mean, significantly higher than bad (+41.0 points"),
                    HasSubstr("; not significantly higher than similar (+0.2 points, p = ")));
  EXPECT_THAT(lines[1], HasSubstr("Holm"));
}

TEST(GridReport, TheBestModelIsThatOfTheSetThatIsShown) {
  const std::vector<ResultCell> cells = summarise_grid(three_models(), EvaluationSet::kValid);
  EXPECT_FALSE(cells[0].to_best);
  EXPECT_EQ(cells[1].to_best->best, "bad");
}

TEST(GridReport, PairsRunsOfTheSameSplitAndSeed) {
  std::vector<GridResult> results;
  add_runs(results, "a", {0.5, 0.6, 0.7});
  add_runs(results, "b", {0.4, 0.5, 0.6});
  results.erase(results.begin() + 3);  // b on split 0, which failed
  const std::vector<PairedComparison> found = paired_comparisons(results, EvaluationSet::kTest);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].test.pairs, 2);
  EXPECT_NEAR(found[0].test.mean_difference, 10, 1e-9);
  EXPECT_THAT(comparison_lines(found), ElementsAre(HasSubstr("pb: a minus b is +10.00 points over 2 paired runs")));
}

TEST(GridReport, LeavesOutRunsWhoseMetricIsUndefined) {
  std::vector<GridResult> results;
  const double undefined = std::numeric_limits<double>::quiet_NaN();
  add_runs(results, "a", {0.5, undefined, 0.7});
  add_runs(results, "b", {0.4, undefined, 0.6});
  add_runs(results, "c", {undefined});
  const std::vector<ResultCell> cells = summarise_grid(results);
  EXPECT_EQ(cells[0].runs, 2);
  EXPECT_NEAR(cells[0].mean, 60, 1e-9);
  EXPECT_EQ(cells[2].runs, 0);
  EXPECT_EQ(paired_comparisons(results, EvaluationSet::kTest)[0].test.pairs, 2);
  EXPECT_THAT(undefined_lines(results, EvaluationSet::kTest),
              ElementsAre("a on pb: roc_auc is undefined in 1 run, which the table does not include",
                          HasSubstr("b on pb"), HasSubstr("c on pb")));
}

TEST(GridReport, SingleRunsAreNotTested) {
  std::vector<GridResult> results;
  add_runs(results, "a", {0.5});
  add_runs(results, "b", {0.4});
  const std::vector<ResultCell> cells = summarise_grid(results);
  EXPECT_THAT(best_model_lines(cells), IsEmpty());
  EXPECT_EQ(result_table(cells, {}).rows[0][1], "50.0") << "without a deviation";
}

TEST(GridReport, ShowsTheWarningsOfRunsOncePerModel) {
  std::vector<GridResult> results = three_models();
  EXPECT_THAT(warning_lines(results), IsEmpty());
  results[1].warnings = {"first [remedy]", "second"};
  results[2].warnings = {"third"};
  EXPECT_THAT(warning_lines(results), ElementsAre("warning: bad on pb, 2 runs: first [remedy]; second"));
  results[1].warnings.clear();
  EXPECT_THAT(warning_lines(results), ElementsAre("warning: bad on pb, 1 run: third"));
}

GridOptions karate_grid() {
  return {.datasets = {"karate"},
          .models = {"gcn", "mlp"},
          .runs = 2,
          .splits = 2,
          .given = {{"task", "nc"}, {"epochs", "5"}, {"hidden", "4"}}};
}

TEST(GridReport, ComparesWithThePaperOnItsSplitsOnly) {
  const auto is_compared = [](const SettingValues& settings) {
    const TempDir dir;
    GridOptions options = karate_grid();
    options.models = {"gcn"};
    for (const auto& [name, value] : settings) options.given[name] = value;
    const std::vector<GridResult> results = run_grid(options, dir / "grid");
    std::vector<ResultCell> cells = summarise_grid(results);
    mark_other_protocols(cells, dir / "grid", results);
    return cells.front().as_in_paper;
  };
  EXPECT_TRUE(is_compared({}));
  EXPECT_TRUE(is_compared({{"split-shares", shares_text(default_shares(Task::kNodeClassification))}}));
  EXPECT_FALSE(is_compared({{"split-shares", "0.5,0.25,0.25"}}));
  EXPECT_FALSE(is_compared({{"select-by", "loss"}}));
  EXPECT_FALSE(is_compared({{"refit", "true"}}));
}

TEST(RequestedRuns, AreThoseOfTheLastRequest) {
  const TempDir dir;
  GridOptions options = karate_grid();
  run_grid(options, dir / "grid");
  EXPECT_THAT(requested_runs(dir / "grid").notes, IsEmpty());
  options.given["epochs"] = "6";
  options.models = {"gcn", "sage"};
  options.runs = 4;
  run_grid(options, dir / "grid");
  options.runs = 2;
  const auto expected = run_grid(options, dir / "grid");
  const RequestedRuns found = requested_runs(dir / "grid");
  ASSERT_EQ(found.results.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found.results[i].model, expected[i].model);
    EXPECT_EQ(found.results[i].settings, expected[i].settings);
    EXPECT_EQ(found.results[i].split, expected[i].split);
    EXPECT_EQ(found.results[i].seed, expected[i].seed);
  }
  EXPECT_THAT(found.notes, ElementsAre(AllOf(HasSubstr("not shown: 8 other runs in the folder"),
                                             HasSubstr("2 with epochs 5 instead of 6"), HasSubstr("2 of mlp"),
                                             HasSubstr("4 of more splits or seeds"))));
}

TEST(RequestedRuns, SayWhichModelsFailedAndWhy) {
  const TempDir dir;
  GridOptions options = karate_grid();
  options.models = {"gir-mix:anchor-sets=3", "gcn"};
  options.keep_going = true;
  run_grid(options, dir / "grid");
  const RequestedRuns found = requested_runs(dir / "grid");
  EXPECT_THAT(found.notes, ElementsAre(AllOf(HasSubstr("gir-mix:anchor-sets=3 on karate: 2 of 2 runs failed: "),
                                             HasSubstr("anchor sets"))));
  const std::vector<ResultCell> cells = summarise_grid(found.results, *found.request);
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(result_table(cells, {}).rows[0][1], "failed");
  EXPECT_THAT(result_table_json(cells), HasSubstr("\"failure\": "));
}

}  // namespace
}  // namespace gir
