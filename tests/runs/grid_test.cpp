#include "gir/runs/grid.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "gir/io/npz.h"
#include "gir/runs/model_spec.h"
#include "support.h"

namespace gir {
namespace {

using ::testing::ElementsAre;
using testing::expect_user_error;
using ::testing::HasSubstr;
using testing::TempDir;

GridOptions karate_grid(std::vector<std::string> models) {
  return {.datasets = {"karate"},
          .models = std::move(models),
          .runs = 2,
          .splits = 2,
          .given = {{"task", "nc"}, {"epochs", "5"}, {"hidden", "4"}, {"anchors", "4"}}};
}

/// Parts of a split of karate in the folder `split`: a node is in part number id mod 3 of train, test and valid.
void write_karate_split(const TempDir& dir, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    std::string lines;
    for (int id = part == "train" ? 0 : part == "test" ? 1 : 2; id < 34; id += 3) lines += std::to_string(id) + "\n";
    dir.file("split/" + part + ".txt", lines);
  }
}

TEST(ModelSpec, IsAModelWithSettingsInAlphabeticalOrder) {
  const ModelSpec spec = parse_model_spec("GIR_A:layers=5:hidden=8:weight_decay=0.1", SpecUse::kRun);
  EXPECT_EQ(spec.model, "gir-a");
  EXPECT_EQ(spec.text(), "gir-a:hidden=8:layers=5:weight-decay=0.1");
  EXPECT_EQ(parse_model_spec("gcn", SpecUse::kRun).text(), "gcn");
  EXPECT_EQ(parse_model_spec("gcn-gir:fwr=0.5", SpecUse::kRun).text(), "gcn-gir:fwr=0.5");
}

TEST(ModelSpec, RejectsSettingsThatItCannotHave) {
  const auto parsing = [](const char* text) { return [text] { parse_model_spec(text, SpecUse::kRun); }; };
  expect_user_error(parsing("gir-b"), "unknown model \"gir-b\"", "known: gir");
  expect_user_error(parsing("gcn:layer=3"), "gcn:layer=3: unknown setting \"layer\"", "known: layers", ", ...]");
  expect_user_error(parsing("gcn:layers=0"), "`layers`: 0 [at least 1]");
  expect_user_error(parsing("gcn:layers"), "expected setting=value, got \"layers\"");
  expect_user_error(parsing("gcn:layers=3:layers=4"), "gcn:layers=3:layers=4: layers is given twice");
  expect_user_error(parsing("gcn:task=lp"), "task cannot be set for one model");
  expect_user_error(parsing("gcn:seed=1"), "seed cannot be set for one model");
  expect_user_error(parsing("gcn:fwr=1"), "fwr is for fused models");
  expect_user_error([] { parse_model_spec("gcn:lr=1:lr=1", SpecUse::kExpert); }, "lr is given twice");
}

TEST(Grid, ModelsCanHaveSettingsOfTheirOwn) {
  const TempDir dir;
  const GridOptions options = karate_grid({"gir-a:layers=1", "gir-a", "gcn:hidden=8:epochs=3"});
  const std::vector<GridResult> results = run_grid(options, dir / "grid");
  ASSERT_EQ(results.size(), 6u);
  EXPECT_EQ(results[0].model, "gir-a:layers=1");
  EXPECT_EQ(results[2].model, "gir-a");
  EXPECT_EQ(results[4].model, "gcn:epochs=3:hidden=8");
  EXPECT_EQ(read_settings(grid_settings_file(dir / "grid", results[0].settings)).at("layers"), "1");
  EXPECT_EQ(read_settings(grid_settings_file(dir / "grid", results[4].settings)).at("hidden"), "8");
  EXPECT_THAT(read_grid_request(dir / "grid")->models(),
              ElementsAre("gir-a:layers=1", "gir-a", "gcn:epochs=3:hidden=8"));
  std::int64_t found = 0;
  GridOptions longer = options;
  longer.runs = 4;
  run_grid(longer, dir / "grid", [&](const GridProgress& progress) { found = progress.found; });
  EXPECT_EQ(found, 6) << "runs with settings of their own are found again";
}

TEST(Grid, RejectsModelsThatAreTheSame) {
  const TempDir dir;
  GridOptions fused = karate_grid({"gcn"});
  fused.given["experts"] = "gcn,gir";
  expect_user_error([&] { run_grid(fused, dir / "grid"); }, "`experts` are for fused models, and none");
  expect_user_error(
      [&] {
        run_grid(karate_grid({"gcn:layers=2", "gcn:layers=2"}), dir / "grid");
      },
      "two of the models have the name \"gcn:layers=2\"");
  expect_user_error(
      [&] {
        run_grid(karate_grid({"gcn", "gcn:hidden=4"}), dir / "grid");
      },
      "the models gcn and gcn:hidden=4 have the same settings");
}

TEST(Grid, RejectsModelsWithDifferentMetrics) {
  const TempDir dir;
  expect_user_error(
      [&] {
        run_grid(karate_grid({"gcn", "gcn:select-by=macro_f1"}), dir / "grid");
      },
      "the metric of gcn:select-by=macro_f1 is macro_f1, but that of gcn is accuracy", "[omit `select-by`");
  EXPECT_FALSE(std::filesystem::exists(dir / "grid"));
  EXPECT_EQ(run_grid(karate_grid({"gcn", "gcn:select-by=loss"}), dir / "grid").back().metric, "accuracy");
  GridOptions all = karate_grid({"gcn", "gcn:layers=1:select-by=f1"});
  all.given["select-by"] = "macro_f1";
  EXPECT_EQ(run_grid(all, dir / "all").front().metric, "macro_f1");
}

/// The splits of all runs, and what is said about them.
struct PlannedSplits {
  std::vector<std::uint64_t> splits = {};
  std::vector<std::string> notes = {};
};

PlannedSplits planned(GridOptions options, const std::string& folder) {
  PlannedSplits found;
  options.note = [&](const std::string& note) { found.notes.push_back(note); };
  for (const GridResult& run : run_grid(options, folder)) found.splits.push_back(run.split);
  return found;
}

TEST(Grid, SaysThatRunsOnOneGivenSplitDifferInTheirSeedsOnly) {
  const TempDir dir;
  write_karate_split(dir, {"train", "valid", "test"});
  GridOptions options = karate_grid({"gcn"});
  options.given["split-from"] = dir / "split";
  options.splits = 0;
  const PlannedSplits found = planned(options, dir / "grid");
  EXPECT_THAT(found.splits, ElementsAre(0, 0));
  EXPECT_THAT(found.notes, ElementsAre("all runs on karate have the given split, so they differ in their seeds only"));
  options.splits = 1;
  EXPECT_THAT(planned(options, dir / "asked").notes, ElementsAre());
}

TEST(Grid, SaysThatOnlyTheValidationPartOfAGivenSplitDiffers) {
  const TempDir dir;
  write_karate_split(dir, {"train", "test"});
  GridOptions options = karate_grid({"gcn"});
  options.given["split-from"] = dir / "split";
  EXPECT_THAT(planned(options, dir / "grid").notes,
              ElementsAre("the 2 splits of karate differ only in what is drawn from the given training part for "
                          "validation"));
}

TEST(Grid, UsesSeveralOfTheSplitsThatMasksHold) {
  const TempDir dir;
  constexpr std::int64_t kNodes = 34, kColumns = 7;
  std::map<std::string, std::string> masks;
  for (std::int64_t i = 0; i < kNodes * kColumns; ++i) {
    const std::int64_t part = (i / kColumns + i % kColumns) % 3;
    masks["train_mask"].push_back(part == 0 ? '\1' : '\0');
    masks["val_mask"].push_back(part == 1 ? '\1' : '\0');
    masks["test_mask"].push_back(part == 2 ? '\1' : '\0');
  }
  std::vector<NpzMember> members;
  for (const auto& [name, bytes] : masks) {
    members.push_back({name, {{.kind = NpyType::Kind::kBool, .item_size = 1}, {kNodes, kColumns}, bytes}});
  }
  write_npz(dir / "masks.npz", members);
  GridOptions options = karate_grid({"gcn"});
  options.given["split-from"] = dir / "masks.npz";
  options.splits = 0;
  options.runs = 5;
  PlannedSplits found = planned(options, dir / "five");
  EXPECT_THAT(found.splits, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(found.notes, ElementsAre("runs on karate use the first 5 of the 7 given splits [`splits` uses more]"));
  options.runs = 7;
  found = planned(options, dir / "seven");
  EXPECT_THAT(found.splits, ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

TEST(Grid, SplitsThatDivideTheRunsAreFoundWhereNoneAreGiven) {
  const TempDir dir;
  GridOptions options = karate_grid({"gcn"});
  options.splits = 0;
  options.runs = 4;
  const PlannedSplits found = planned(options, dir / "grid");
  EXPECT_THAT(found.splits, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(found.notes, ElementsAre("`splits` is 4, because `runs` 4 cannot be distributed evenly over 5"));
}

TEST(Grid, AFailingModelDoesNotStopTheOthers) {
  const TempDir dir;
  GridOptions options = karate_grid({"gir-mix:anchor-sets=3", "gcn"});
  expect_user_error([&] { run_grid(options, dir / "grid"); }, "gir-mix:anchor-sets=3 on karate: ");
  options.keep_going = true;
  const std::vector<GridResult> results = run_grid(options, dir / "grid");
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].model, "gcn");
  const GridRequest request = *read_grid_request(dir / "grid");
  ASSERT_EQ(request.cells.size(), 2u);
  EXPECT_EQ(request.cells[0].failed, 2);
  EXPECT_THAT(request.cells[0].failure, HasSubstr("anchor sets"));
  EXPECT_EQ(request.cells[1].failed, 0);
  options.models = {"gir-mix:anchor-sets=3"};
  expect_user_error([&] { run_grid(options, dir / "grid"); }, "gir-mix:anchor-sets=3 on karate: ");
}

TEST(Grid, RecordsWhatWasRequested) {
  const TempDir dir;
  GridOptions options = karate_grid({"gcn"});
  options.set = EvaluationSet::kValid;
  options.command = "gir compare";
  const GridResult run = run_grid(options, dir / "grid").back();
  const GridRequest request = *read_grid_request(dir / "grid");
  EXPECT_EQ(request.set, EvaluationSet::kValid);
  EXPECT_EQ(request.command, "gir compare");
  EXPECT_TRUE(request.contains(run));
  GridResult other = run;
  other.split = 2;
  EXPECT_FALSE(request.contains(other));
  other = run;
  other.seed = 1;
  EXPECT_FALSE(request.contains(other));
  other = run;
  other.settings = "another";
  EXPECT_FALSE(request.contains(other));
  dir.file("grid/grid.json", "{\"command\": \"gir\"}");
  EXPECT_FALSE(read_grid_request(dir / "grid"));
}

TEST(Grid, EpochsOfTheFirstRunsCountAsProgress) {
  const TempDir dir;
  GridOptions options = karate_grid({"gcn"});
  options.context.threads = 1;
  std::vector<GridProgress> seen;
  run_grid(options, dir / "grid", [&](const GridProgress& progress) { seen.push_back(progress); });
  const auto first_end = std::find_if(seen.begin(), seen.end(), [](const auto& each) { return each.done == 1; });
  ASSERT_GE(first_end - seen.begin(), 5) << "one report per epoch";
  EXPECT_DOUBLE_EQ(seen[1].share, 0.2) << "2 of 5 epochs of the first of 2 runs";
  EXPECT_GE(seen[1].seconds_left, 0);
  EXPECT_TRUE(seen[1].from_epochs);
  EXPECT_DOUBLE_EQ(first_end->share, 0.5);
  EXPECT_FALSE(first_end->from_epochs);
}

TEST(Grid, ARefitIsHalfOfTheProgressOfARun) {
  const TempDir dir;
  GridOptions options = karate_grid({"gcn"});
  options.context.threads = 1;
  options.given["refit"] = "true";
  std::vector<double> shares;
  run_grid(options, dir / "grid", [&](const GridProgress& progress) { shares.push_back(progress.share); });
  ASSERT_GE(shares.size(), 3u);
  EXPECT_DOUBLE_EQ(shares[1], 0.1) << "2 of 5 epochs of the first training of the first of 2 runs";
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_DOUBLE_EQ(shares.back(), 1);
}

}  // namespace
}  // namespace gir
