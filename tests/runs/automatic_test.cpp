#include <gmock/gmock.h>

#include "gir/core/parallel.h"
#include "gir/runs/experiment.h"
#include "gir/runs/run_record.h"
#include "graph/random_graphs.h"
#include "small_datasets.h"
#include "support.h"

namespace gir {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Dataset named(std::string name, Graph graph) {
  Dataset dataset;
  dataset.name = std::move(name);
  dataset.data.graph = std::move(graph);
  return dataset;
}

Dataset grid() { return named("grid", generate_graph("grid", {{"rows", 20}, {"columns", 20}}).graph); }

RunResult run(const Dataset& dataset, SettingValues values, std::string_view recipe = "") {
  values.try_emplace("epochs", "20");
  Experiment experiment(dataset, resolve(recipe, values, dataset));
  return experiment.run();
}

TEST(RecipeAuto, IsTheDefaultForGraphsThatAreNotKnownByName) {
  Dataset dataset = grid();
  const RunConfig chosen = resolve("", {}, dataset);
  EXPECT_EQ(chosen.model, "gir-x");
  EXPECT_EQ(chosen.strategy, "spread");
  EXPECT_EQ(chosen.shape.positions, Positions::kAnchors);
  EXPECT_EQ(chosen.messages, MessageEdges::kKnown);
  EXPECT_GT(chosen.training.patience, 0);
  EXPECT_EQ(resolve("", {{"model", "gcn"}}, dataset).shape.positions, Positions::kNone)
      << "a baseline stays what it is";
  dataset.task = Task::kLinkPrediction;
  EXPECT_EQ(settings_text(resolve("", {}, dataset)), settings_text(resolve("paper", {}, dataset)));
}

TEST(RecipeAuto, SaysThatLargeGraphsGetASmallerModel) {
  const auto note = Registry<Recipe>::get("auto").note;
  EXPECT_EQ(note(grid().data.graph), "");
  const Dataset large = named("path", generate_graph("path", {{"nodes", 1'000'001}}).graph);
  EXPECT_EQ(resolve("", {}, large).model, "gir-a");
  EXPECT_THAT(note(large.data.graph), HasSubstr("more than 1,000,000 nodes or 5,000,000 edges"));
}

TEST(RecipeAuto, LowersTheLearningRateOfWideModels) {
  const Dataset dataset = grid();
  const double usual = resolve("", {}, dataset).training.learning_rate;
  EXPECT_EQ(resolve("", {{"hidden", "16"}}, dataset).training.learning_rate, usual);
  EXPECT_DOUBLE_EQ(resolve("", {{"hidden", "128"}}, dataset).training.learning_rate, usual / 4);
  EXPECT_EQ(resolve("", {{"hidden", "128"}, {"lr", "0.02"}}, dataset).training.learning_rate, 0.02);
}

TEST(RecipeAuto, ReachesEveryNodeOfAGridAndTellsAllOfThemApart) {
  const Dataset dataset = grid();
  const RunResult result = run(dataset, {});
  EXPECT_EQ(result.reach.lost, 0);
  EXPECT_EQ(result.reach.identical, 0);
  EXPECT_GT(result.reach.share, 0.95) << "but for nodes that lost all their edges to the split";
}

TEST(RecipeAuto, GivesVectorsThatDifferWithoutLabelsOnNodes) {
  const Dataset dataset = grid();
  const RunResult result = run(dataset, {{"model", "gir-a"}, {"split-shares", "0.98,0.01,0.01"}});
  EXPECT_EQ(result.reach.lost, 0);
  EXPECT_LE(result.reach.identical, 4) << "mirror images at most";
}

TEST(RunWarnings, SayWhichShareOfTheNodesIsOutOfReach) {
  const RunResult result = run(grid(), {{"model", "gir-a"}, {"anchors", "1"}}, "paper");
  EXPECT_GT(result.reach.lost, 200);
  EXPECT_LT(result.reach.share, 0.2);
  EXPECT_THAT(result.warnings, Contains(HasSubstr("out of reach of the anchors")));
  EXPECT_THAT(result.warnings, Contains(HasSubstr("have the same vector as another node")));
}

TEST(RunWarnings, SayThatAHeuristicIsBetter) {
  const RunResult result = run(grid(), {{"model", "gcn"}}, "paper");
  ASSERT_EQ(result.baselines.size(), 2u);
  EXPECT_EQ(result.baselines[1].name, "distance");
  EXPECT_GT(result.baselines[1].test, 0.9) << "a missing edge of a grid is a detour of three";
  EXPECT_THAT(result.warnings, Contains(HasSubstr("the heuristic distance is better than the model")));
}

TEST(RunWarnings, CompareRocAucWhicheverMetricSelectsTheEpoch) {
  const RunResult result = run(grid(), {{"model", "gcn"}, {"select-by", "hits@50"}}, "paper");
  EXPECT_EQ(result.metric, "hits@50");
  EXPECT_THAT(result.warnings, Contains(HasSubstr("the heuristic distance is better than the model")));
  EXPECT_THAT(run(grid(), {{"model", "mlp"}, {"select-by", "mrr"}}, "paper").warnings,
              Contains(HasSubstr("validation roc_auc 0.500 is hardly better")));
}

TEST(RunWarnings, SayThatMostNodesAreInSmallComponents) {
  std::vector<Arc> arcs;
  for (NodeId v = 0; v < 120; v += 2) arcs.push_back({v, v + 1});
  const Dataset edges = named("edges", testing::undirected(120, arcs));
  const RunResult result = run(edges, {});
  EXPECT_EQ(result.reach.lost, 0) << "no component has a position";
  EXPECT_TRUE(result.reach.own_labels);
  EXPECT_THAT(result.warnings, Contains(AllOf(HasSubstr("of 120 nodes are out of reach of the anchors"),
                                              HasSubstr("components of one or two nodes along training edges"))));
  EXPECT_FALSE(run(grid(), {{"model", "gir-a"}}).reach.own_labels);
}

TEST(RunWarnings, SayWhenWeightsAreUnusedOrMissing) {
  const auto lines = testing::random_large_lines(60, 400, false, 3);
  Dataset weighted = named("weighted", testing::build(lines));
  if (!weighted.data.graph.weighted()) {
    auto with_weights = lines;
    with_weights.weights.assign(with_weights.arcs.size(), 2.0f);
    weighted = named("weighted", testing::build(with_weights));
  }
  EXPECT_THAT(run(weighted, {}).warnings, Contains(HasSubstr("has edge weights, which are not used")));
  EXPECT_THAT(run(grid(), {{"weighted", "true"}}).warnings, Contains(HasSubstr("`weighted` has no effect")));
}

TEST(RunWarnings, SayThatLinkScoresHaveNoDirection) {
  std::vector<Arc> arcs;
  for (NodeId v = 0; v < 60; ++v) {
    arcs.push_back({v, (v + 1) % 60});
    arcs.push_back({v, (v + 7) % 60});
  }
  const RunResult result = run(named("directed", testing::directed(60, std::move(arcs))), {});
  EXPECT_THAT(result.warnings, Contains(AllOf(HasSubstr("do not depend on the order of the two nodes"),
                                              HasSubstr("`undirected` drops them"))));
}

TEST(RunWarnings, SayThatMetricsOfAHandfulOfPairsAreChance) {
  const Dataset ring = named("ring", generate_graph("ring", {{"nodes", 40}}).graph);
  EXPECT_THAT(run(ring, {{"split-shares", "0.85,0.1,0.05"}}).warnings,
              AllOf(Contains(HasSubstr("the test set has only 2 pairs")),
                    Contains(HasSubstr("the validation set has only 4 pairs"))));
  EXPECT_THAT(run(ring, {{"split-shares", "0.6,0.2,0.2"}}).warnings,
              ::testing::Not(Contains(HasSubstr("mostly chance"))));
}

TEST(RunRecord, KeepsReachHeuristicsAndWarnings) {
  const testing::TempDir dir;
  const Dataset dataset = grid();
  const RunResult result = run(dataset, {{"model", "gcn"}}, "paper");
  const auto file = dir.file("result.json", record_text(make_record(result, dataset)));
  const RunResult read = read_record(file).result;
  EXPECT_EQ(read.reach, result.reach);
  EXPECT_EQ(read.baselines, result.baselines);
  EXPECT_EQ(read.warnings, result.warnings);
  EXPECT_THAT(read.warnings, ::testing::Not(IsEmpty()));
}

TEST(RecipeAuto, IsBitIdenticalOnAnyNumberOfThreads) {
  const Dataset dataset = grid();
  const auto text = [&](int threads) {
    const ThreadScope scope(threads);
    RunResult result = run(dataset, {});
    result.seconds = result.prepare_seconds = 0;
    return record_text(make_record(result, dataset));
  };
  EXPECT_EQ(text(1), text(2));
}

}  // namespace
}  // namespace gir
