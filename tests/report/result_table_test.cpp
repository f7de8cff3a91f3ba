#include "gir/report/result_table.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support.h"

namespace gir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::read_text;
using testing::TempDir;

const std::vector<ResultCell> kCells = {
    {.dataset = "celegans", .task = "lp", .model = "gcn", .metric = "roc_auc", .mean = 48, .sd = 1.25, .runs = 20},
    {.dataset = "celegans", .task = "lp", .model = "gir-a", .metric = "roc_auc", .mean = 89, .sd = 2, .runs = 20},
    {.dataset = "mine", .task = "nc", .model = "gir-a", .metric = "accuracy", .mean = 70.04, .sd = 0, .runs = 20},
};

TEST(PaperResult, IsThatOfThePapersTable) {
  EXPECT_EQ(paper_result("pb", "lp", "gcn")->mean, 34.4);
  EXPECT_EQ(paper_result("pb", "lp", "gcn")->sd, 4.1);
  EXPECT_EQ(paper_result("email", "npc", "gir-o")->mean, 99.1);
  EXPECT_FALSE(paper_result("pb", "lp", "sage"));
  EXPECT_FALSE(paper_result("email", "lp", "gcn")) << "another task";
  EXPECT_FALSE(paper_result("cora", "nc", "gcn"));
}

TEST(PublishedComparison, IsMeasuredInPublishedStandardDeviations) {
  const PublishedResult published{.mean = 50, .sd = 2};
  EXPECT_EQ(compare_with_published(52, published), PublishedComparison::kWithin);
  EXPECT_EQ(compare_with_published(48, published), PublishedComparison::kWithin);
  EXPECT_EQ(compare_with_published(52.1, published), PublishedComparison::kAbove);
  EXPECT_EQ(compare_with_published(47.9, published), PublishedComparison::kBelow);
}

TEST(ResultTable, HasOneRowPerModelAndTheBestOfAColumnInBold) {
  const Table table = result_table(kCells, {});
  ASSERT_EQ(table.columns.size(), 3u);
  EXPECT_EQ(table.columns[1].heading, "celegans lp");
  EXPECT_THAT(table.rows[0], ElementsAre("gcn", "48.0 ± 1.2", ""));
  EXPECT_THAT(table.rows[1], ElementsAre("gir-a", "89.0 ± 2.0", "70.0 ± 0.0"));
  EXPECT_THAT(table.bold, ElementsAre(::testing::Pair(1, 1), ::testing::Pair(1, 2)));
}

TEST(ResultTable, ShowsThePapersResultsNextToOursWithAMark) {
  const Table table = result_table(kCells, {.paper = true});
  ASSERT_EQ(table.columns.size(), 4u) << "no column for a graph that is not in the paper";
  EXPECT_THAT(table.rows[0], ElementsAre("gcn", "48.0 ± 1.2 ≈", "48.7 ± 3.8", ""));
  EXPECT_THAT(table.rows[1], ElementsAre("gir-a", "89.0 ± 2.0 ↑", "86.5 ± 2.1", "70.0 ± 0.0"));
  EXPECT_THAT(paper_notes(kCells), ElementsAre(HasSubstr("1 cells ↑")));
}

TEST(ResultTable, ShowsThePapersResultsNextToTheirMetricOnly) {
  std::vector<ResultCell> others = {kCells[1], kCells[1]};
  others[0].metric = "mrr";
  others[1].model = "gir-o";
  others[1].of_validation = true;
  for (const auto& cell : nlohmann::json::parse(result_table_json(others))) {
    EXPECT_TRUE(cell["paper_mean"].is_null()) << cell;
  }
  EXPECT_EQ(result_table(others, {.paper = true}).columns.size(), 2u);
  EXPECT_TRUE(paper_notes(others).empty());
}

TEST(ResultTable, ShowsNoResultsOfThePaperNextToRunsOnOtherSplits) {
  std::vector<ResultCell> others = {kCells[1]};
  others[0].as_in_paper = false;
  EXPECT_TRUE(nlohmann::json::parse(result_table_json(others))[0]["paper_mean"].is_null());
  EXPECT_FALSE(nlohmann::json::parse(result_table_json({kCells[1]}))[0]["paper_mean"].is_null());
  EXPECT_EQ(result_table(others, {.paper = true}).columns.size(), 2u);
  ResultCell fused = {.dataset = "ogbn-arxiv", .task = "nc", .model = "gcn-gir", .metric = "accuracy", .runs = 1};
  EXPECT_TRUE(paper_complementarity(fused));
  fused.as_in_paper = false;
  EXPECT_FALSE(paper_complementarity(fused));
}

TEST(ResultTable, NamesAMetricThatIsNotTheUsualOne) {
  std::vector<ResultCell> cells = {kCells[2]};
  EXPECT_EQ(result_table(cells, {}).columns[1].heading, "mine nc");
  cells[0].metric = "macro_f1";
  EXPECT_EQ(result_table(cells, {}).columns[1].heading, "mine nc macro_f1");
  EXPECT_EQ(result_table(cells, {.metrics = false}).columns[1].heading, "mine nc");
}

TEST(ResultTable, TellsFailedRunsFromUndefinedMetrics) {
  const std::vector<ResultCell> cells = {
      {.dataset = "a", .task = "nc", .model = "one-class", .metric = "macro_auc"},
      {.dataset = "a", .task = "nc", .model = "broken", .metric = "", .failure = "out of memory"}};
  const Table table = result_table(cells, {});
  EXPECT_EQ(table.rows[0][1], "-");
  EXPECT_EQ(table.rows[1][1], "failed");
}

/// Two models on two graphs of `gir reproduce links`.
std::vector<ResultCell> link_cells() {
  std::vector<ResultCell> cells;
  for (const char* dataset : {"links/USAir", "links/NS"}) {
    for (const auto& [model, mean] : {std::pair("gir-x", 98.8), std::pair("gcn-o", 90.0)}) {
      cells.push_back({.dataset = dataset,
                       .task = "lp",
                       .model = model,
                       .metric = "roc_auc",
                       .mean = mean,
                       .sd = 0.5,
                       .runs = 10,
                       .published = published_link_results(dataset, "roc_auc")});
    }
  }
  return cells;
}

TEST(PublishedLinkResults, AreThoseOfTwoMethodsOnEightGraphs) {
  const std::vector<PublishedMean> found = published_link_results("links/Power", "roc_auc");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].method, "SEAL");
  EXPECT_EQ(found[0].mean, 87.61);
  EXPECT_THAT(found[1].source, HasSubstr("Walk Pooling"));
  EXPECT_TRUE(published_link_results("links/Power", "average_precision").empty());
  EXPECT_TRUE(published_link_results("ns", "roc_auc").empty()) << "the paper's graph without isolated nodes";
}

TEST(ResultTable, ShowsPublishedResultsOfOtherMethodsAsRowsOfTheirOwn) {
  const Table table = result_table(link_cells(), {.decimals = 2});
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_THAT(table.rows[0], ElementsAre("gir-x", "98.80 ± 0.50", "98.80 ± 0.50"));
  EXPECT_THAT(table.rows[2], ElementsAre("SEAL (published)", "96.62", "98.85"));
  EXPECT_THAT(table.rows[3], ElementsAre("WalkPool (published)", "98.68", "98.95"));
  EXPECT_THAT(table.bold, ElementsAre(::testing::Pair(0, 1), ::testing::Pair(3, 2))) << "the best, ours or not";
  EXPECT_THAT(render(table, OutputFormat::kTex), HasSubstr("\\hline\nSEAL (published) & 96.62"));
}

TEST(ResultTable, SaysHowModelsCompareWithPublishedResultsAndTheirSource) {
  const std::vector<std::string> notes = published_notes(link_cells());
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_THAT(notes[0], HasSubstr("90 % of the edges observed (SEAL: Zhang and Chen, "));
  EXPECT_EQ(notes[1],
            "gir-x is above SEAL on 1 of 2 graphs, +1.06 points on average; above WalkPool on 1 of 2 graphs, -0.02 "
            "points on average");
  EXPECT_TRUE(published_notes(kCells).empty());
  const auto json = nlohmann::json::parse(result_table_json(link_cells()));
  EXPECT_EQ(json[0]["published"][1]["method"], "WalkPool");
  EXPECT_EQ(json[0]["published"][1]["mean"], 98.68);
  EXPECT_TRUE(json[0]["paper_mean"].is_null());
}

TEST(ResultTable, IsWrittenInFourFormats) {
  const TempDir dir;
  write_result_tables(dir.path(), "table", kCells, {.paper = true}, {"a note"});
  EXPECT_THAT(read_text(dir / "table.md"), HasSubstr("| gir-a | **89.0 ± 2.0 ↑** | 86.5 ± 2.1 |"));
  EXPECT_THAT(read_text(dir / "table.md"), HasSubstr("\na note\n"));
  EXPECT_THAT(read_text(dir / "table.tex"), HasSubstr("\\textbf{89.0 $\\pm$ 2.0 $\\uparrow$}"));
  EXPECT_THAT(read_text(dir / "table.csv"), HasSubstr("gcn,48.0 ± 1.2 ≈,48.7 ± 3.8,\n"));
  const auto json = nlohmann::json::parse(read_text(dir / "table.json"));
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[1]["paper_mean"], 86.5);
  EXPECT_EQ(json[1]["mean"], 89);
  EXPECT_TRUE(json[2]["paper_sd"].is_null());
}

}  // namespace
}  // namespace gir
