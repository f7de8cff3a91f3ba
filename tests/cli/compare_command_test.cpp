#include <gmock/gmock.h>

#include "program.h"

namespace gir {
namespace {

using ::testing::AllOf;
using testing::expect_refusal;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProgramRun;
using testing::read_text;
using testing::run_gir;
using testing::TempDir;

/// gir compare on karate with quick settings.
std::vector<std::string> compare(const std::string& folder, const std::string& models,
                                 const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"compare", "--datasets", "karate", "--models", models, "--task",
                                    "nc",      "--epochs",   "5",      "--hidden", "4",    "--runs",
                                    "4",       "--splits",   "2",      "-o",       folder};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(CompareCommand, TakesModelsWithSettingsOfTheirOwn) {
  const TempDir dir;
  const ProgramRun run = run_gir(compare(dir / "grid", "gir-a:layers=1,gcn:hidden=8:layers=2"));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("gir-a:layers=1 "), HasSubstr("gcn:hidden=8:layers=2 ")));
  const std::string lines = read_text(dir / "grid/results.jsonl");
  EXPECT_EQ(run_gir(compare(dir / "grid", "gir-a:layers=1,gcn:layers=2:hidden=8")).exit_code, 0);
  EXPECT_EQ(read_text(dir / "grid/results.jsonl"), lines) << "the same models in another order of their settings";
  expect_refusal(compare(dir / "bad", "gir-a:layer=1"), {"gir-a:layer=1: unknown setting \"layer\" [known: layers"});
  expect_refusal(compare(dir / "bad", "gir-a:layers=1:layers=2"), {"layers is given twice"});
  EXPECT_FALSE(std::filesystem::exists(dir / "bad"));
  expect_refusal({"compare", "--datasets", ",", "--models", "gcn", "-o", dir / "bad"}, {"no data sets", "--datasets"});
  expect_refusal({"compare", "--datasets", "karate", "--models", ",", "-o", dir / "bad"}, {"no models", "--models"});
}

TEST(CompareCommand, ComparesEveryModelWithTheBestOne) {
  const TempDir dir;
  const ProgramRun run = run_gir(compare(dir / "grid", "gir-a,gcn,mlp"));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, AllOf(HasSubstr("karate nc: "), HasSubstr(" has the highest mean"), HasSubstr("Holm")));
  EXPECT_THAT(read_text(dir / "grid/table.md"), HasSubstr(" has the highest mean"));
  int compared = 0;
  for (const auto& cell : nlohmann::json::parse(read_text(dir / "grid/table.json"))) {
    if (!cell.contains("below_best")) continue;
    ++compared;
    for (const char* field : {"model", "mean", "t", "p", "p_holm", "tests", "runs"}) {
      EXPECT_TRUE(cell["below_best"].contains(field)) << field;
    }
    EXPECT_EQ(cell["below_best"]["tests"], 3);
  }
  EXPECT_EQ(compared, 2);
}

TEST(CompareCommand, AModelThatFailsDoesNotLoseTheOthersResults) {
  const TempDir dir;
  const ProgramRun run = run_gir(compare(dir / "grid", "gir-mix:anchor-sets=3,gcn"));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.out, AllOf(HasSubstr("failed"), HasSubstr("gcn")));
  EXPECT_THAT(run.err, AllOf(HasSubstr("gir-mix:anchor-sets=3 on karate: 4 of 4 runs failed: "),
                             HasSubstr("runs of 1 of 2 models and data sets failed")));
  EXPECT_TRUE(std::filesystem::exists(dir / "grid/table.md"));
}

TEST(CompareCommand, SaysWhatOneRunCannotTell) {
  const TempDir dir;
  const ProgramRun run = run_gir(
      {"compare", "--datasets", "karate", "--models", "gcn,mlp", "--epochs", "5", "--runs", "1", "-o", dir / "grid"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, Not(HasSubstr("±")));
  EXPECT_THAT(run.err, AllOf(HasSubstr("--splits is 1, because --runs 1 cannot be distributed evenly over 5"),
                             HasSubstr("no deviations and no tests"), Not(HasSubstr("highest mean"))));
}

TEST(CompareCommand, SaysWhichRunsOfTheFolderAreNotShown) {
  const TempDir dir;
  ASSERT_EQ(run_gir(compare(dir / "grid", "gcn")).exit_code, 0);
  const ProgramRun run = run_gir(compare(dir / "grid", "gcn", {"--lr", "0.1"}));
  EXPECT_THAT(run.err,
              HasSubstr("not shown: 4 other runs in the folder, which are not part of the last request (4 with "
                        "lr 0.01 instead of 0.1)"));
  const ProgramRun report = run_gir({"report", dir / "grid", "-o", dir / "report.html"});
  EXPECT_THAT(report.err, HasSubstr("not shown: 4 other runs"));
}

TEST(CompareCommand, NamesTheMetricOfATable) {
  const TempDir dir;
  const ProgramRun run = run_gir(compare(dir / "grid", "gcn,mlp", {"--select-by", "macro_f1"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("karate nc macro_f1"));
  EXPECT_THAT(run.err, AllOf(HasSubstr("has the highest mean macro_f1"), HasSubstr("of test metrics (macro_f1)")));
  EXPECT_THAT(read_text(dir / "grid/table.csv"), HasSubstr("macro_f1"));
  expect_refusal(compare(dir / "bad", "gcn,mlp:select-by=macro_f1"), {"cannot be compared [omit --select-by, or set"});
}

TEST(CompareCommand, RefusesSeveralOfficialSplits) {
  const TempDir dir;
  expect_refusal(compare(dir / "grid", "gcn", {"--official-split"}),
                 {"there is only one official split, so --splits 2 has no effect"});
  EXPECT_FALSE(std::filesystem::exists(dir / "grid"));
}

TEST(ReportCommand, OfAValidationComparisonShowsNoTestMetric) {
  const TempDir dir;
  ASSERT_EQ(run_gir(compare(dir / "grid", "gcn,gir-a", {"--validation"})).exit_code, 0);
  const ProgramRun run = run_gir({"report", dir / "grid", "-o", dir / "report.html"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("validation metrics"));
  const std::string page = read_text(dir / "report.html");
  EXPECT_THAT(page, HasSubstr("\"set\":\"validation\""));
  EXPECT_THAT(page, Not(HasSubstr("\"test\":")));
}

TEST(TrainCommand, TakesAModelWithSettingsOfItsOwn) {
  const TempDir dir;
  const std::vector<std::string> words = {"train", "--dataset", "karate",    "--epochs",
                                          "5",     "-o",        dir / "run", "--model"};
  const auto with = [&](const std::string& model, const std::vector<std::string>& more = {}) {
    std::vector<std::string> all = words;
    all.push_back(model);
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  expect_refusal(with("gir-a:layers=2", {"--layers", "3"}), {"--layers is given twice"});
  expect_refusal(with("gir-a:seed=2"), {"seed cannot be set for one model"});
  ASSERT_EQ(run_gir(with("gir-a:layers=2:hidden=8")).exit_code, 0);
  const auto config = nlohmann::json::parse(read_text(dir / "run/config.json"));
  EXPECT_EQ(config["model"], "gir-a");
  EXPECT_EQ(config["layers"], 2);
  EXPECT_EQ(config["hidden"], 8);
}

}  // namespace
}  // namespace gir
