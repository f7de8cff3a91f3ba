#include <gtest/gtest.h>

#include "defined_metrics.h"
#include "gir/runs/experiment.h"
#include "gir/runs/grid.h"
#include "support.h"

namespace gir {
namespace {

using testing::defined;
using testing::expect_user_error;
using testing::TempDir;

Dataset usair() { return load_dataset("links/USAir", *testing::data_directory()); }

SettingValues few_epochs(SettingValues more) {
  more["graph"] = "links/USAir";
  more["epochs"] = "10";
  more["hidden"] = "8";
  return more;
}

TEST(PublishedSplits, AreUsedUnlessTheUserAsksForOthers) {
  GIR_NEEDS_DATA();
  const Dataset dataset = usair();
  const RunConfig config = resolve("auto", {{"split", "3"}}, dataset);
  EXPECT_TRUE(config.official_split);
  ASSERT_TRUE(config.split_shares);
  EXPECT_EQ(shares_text(*config.split_shares), "0.85,0.05,0.1");
  EXPECT_FALSE(resolve("auto", {{"split-shares", "0.8,0.1,0.1"}}, dataset).official_split);
  EXPECT_FALSE(resolve("auto", {{"split-from", "somewhere"}}, dataset).official_split);
  const RunConfig drawn = resolve("auto", {{"official-split", "false"}}, dataset);
  EXPECT_FALSE(drawn.official_split);
  EXPECT_FALSE(drawn.split_shares);
  EXPECT_EQ(resolve("auto", {{"official-split", "true"}, {"split-shares", "0.8,0.1,0.1"}}, dataset).split_shares->valid,
            0.1)
      << "a larger validation part of the published split";
}

TEST(PublishedSplits, AreTakenByTheirNumber) {
  GIR_NEEDS_DATA();
  const Dataset dataset = usair();
  expect_user_error(
      [&] {
        resolve("auto", {{"split", "10"}}, dataset);
      },
      "links/USAir has 10 published splits", "there is no split 10 [`split` 0 to 9");
  EXPECT_EQ(resolve("auto", {{"split", "10"}, {"official-split", "false"}}, dataset).split, 10u);
}

TEST(PublishedSplits, GiveTheSameBitsAsTheirFiles) {
  GIR_NEEDS_DATA();
  const Dataset dataset = usair();
  const std::string file = dataset.link_splits.files[2];
  for (const char* model : {"gir-x", "gcn-o"}) {
    Experiment by_number(dataset, resolve("auto", few_epochs({{"model", model}, {"split", "2"}}), dataset));
    Experiment by_file(
        dataset,
        resolve("auto",
                few_epochs({{"model", model}, {"split", "2"}, {"split-from", file}, {"split-shares", "0.85,0.05,0.1"}}),
                dataset));
    EXPECT_EQ(by_number.pair_split()->fingerprint(), by_file.pair_split()->fingerprint());
    const RunResult first = by_number.run();
    const RunResult second = by_file.run();
    EXPECT_EQ(defined(first.test), defined(second.test));
    EXPECT_EQ(defined(first.valid), defined(second.valid));
    EXPECT_EQ(first.split_fingerprint, second.split_fingerprint);
    EXPECT_NE(first.split_fingerprint, "");
  }
}

TEST(PublishedSplits, HaveTheSettingsOfAGraphThatNobodyHasTunedOn) {
  GIR_NEEDS_DATA();
  const Dataset dataset = usair();
  Dataset mine;
  mine.name = "USAir.mat";
  mine.data.graph = dataset.data.graph.clone();
  for (const char* model : {"gir-x", "gir-a", "gcn-o"}) {
    RunConfig named = resolve("auto", {{"model", model}}, dataset);
    RunConfig own = resolve("", {{"model", model}}, mine);
    named.official_split = false;
    named.split_shares.reset();
    EXPECT_EQ(settings_text(named), settings_text(own));
    EXPECT_EQ(named.messages, MessageEdges::kKnown);
  }
  EXPECT_EQ(resolve("", {}, mine).model, "gir-x");
}

TEST(PublishedSplits, AreTheSplitsOfAGrid) {
  GIR_NEEDS_DATA();
  const TempDir dir;
  GridOptions options{.datasets = {"links/USAir"},
                      .models = {"gcn-o"},
                      .runs = 2,
                      .splits = 2,
                      .recipe = "auto",
                      .given = {{"epochs", "5"}, {"hidden", "4"}},
                      .data_dir = *testing::data_directory()};
  const std::vector<GridResult> results = run_grid(options, dir / "grid");
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[1].split, 1u);
  EXPECT_EQ(results[1].seed, 0u);
  ASSERT_TRUE(results[1].average_precision);
  for (const GridResult& line : read_grid_results(dir / "grid")) {  // in the order in which runs ended
    EXPECT_EQ(line.average_precision, results[line.split].average_precision);
  }
  const SettingValues settings = read_settings(grid_settings_file(dir / "grid", results[0].settings));
  EXPECT_EQ(settings.at("official-split"), "true");
  options.runs = options.splits = 11;
  expect_user_error([&] { run_grid(options, dir / "grid"); }, "links/USAir: there are 10 published splits",
                    "[`splits` up to 10");
}

}  // namespace
}  // namespace gir
