#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include "defined_metrics.h"
#include "gir/core/error.h"
#include "gir/runs/experiment.h"
#include "gir/runs/open_run.h"
#include "gir/runs/run_directory.h"
#include "small_datasets.h"
#include "support.h"

namespace gir {
namespace {

using testing::communities;
using testing::defined;
using testing::expect_user_error;
using testing::read_text;
using testing::TempDir;

RunConfig refitted(const Dataset& dataset, SettingValues values = {}) {
  values.insert({{"task", "lp"}, {"epochs", "30"}, {"anchors", "8"}, {"hidden", "16"}, {"refit", "true"}});
  return resolve("paper", values, dataset);
}

TEST(Refit, TrainsOnEverythingKnownForAsLongAsValidationSaid) {
  const Dataset dataset = communities();
  for (const char* task : {"lp", "nc", "npc"}) {
    Experiment plain(dataset, refitted(dataset, {{"task", task}, {"refit", "false"}}));
    Experiment experiment(dataset, refitted(dataset, {{"task", task}}));
    const RunResult chosen = plain.run();
    std::int64_t epochs = 0;
    const RunResult result = experiment.run([&](const EpochReport& report) {
      if (report.stage == Experiment::kRefitStage) epochs = report.epoch;
    });
    EXPECT_EQ(result.best_epoch, chosen.best_epoch) << task;
    EXPECT_EQ(defined(result.valid), defined(chosen.valid)) << task;
    EXPECT_EQ(epochs, chosen.best_epoch) << task;
    EXPECT_TRUE(result.refit && !chosen.refit);
    if (const PairSplit* split = plain.pair_split()) {
      const PairSplit* joined = experiment.pair_split();
      EXPECT_EQ(joined->train_positives().size(), split->train_positives().size() + split->valid().positives.size());
      EXPECT_EQ(joined->test().positives, split->test().positives);
      if (std::string(task) == "lp") {
        EXPECT_EQ(experiment.message_graph().fingerprint(), split->known_graph(dataset.data.graph).fingerprint());
      }
    } else {
      EXPECT_EQ(experiment.node_split().train.size(),
                plain.node_split().train.size() + plain.node_split().valid.size());
      EXPECT_EQ(experiment.node_split().test, plain.node_split().test);
    }
  }
}

TEST(Refit, WarnsWhereTheNodeClassifierBeforeItWasNoBetterThanChance) {
  Dataset dataset = communities();
  for (NodeId node = 0; node < dataset.data.graph.num_nodes(); ++node) {
    dataset.data.labels.classes[node] = (node * 2654435761U >> 16) % 2;  // has nothing to do with the graph
  }
  Experiment experiment(dataset, refitted(dataset, {{"task", "nc"}, {"model", "gcn"}, {"epochs", "5"}}));
  const auto is_noted = [](const std::string& warning) {
    return warning.find("of the model before the refit is") != std::string::npos ||
           warning.find("validation nodes are predicted as class") != std::string::npos;
  };
  const std::vector<std::string> warnings = experiment.run().warnings;
  EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(), is_noted));
}

/// What a run leaves behind, apart from times.
std::map<std::string, std::string> files_of(const RunDirectory& directory) {
  return {{"model", read_text(directory.model())},
          {"anchors", read_text(directory.anchors())},
          {"embeddings", read_text(directory.embeddings())},
          {"metrics", read_text(directory.metrics())}};
}

TEST(Refit, CanBeInterruptedAndResumed) {
  const Dataset dataset = communities();
  const TempDir dir;
  const RunConfig config =
      refitted(dataset, {{"checkpoint-every", "4"}, {"epochs", "40"}, {"norm", "batch"}, {"settle-norms", "true"}});
  Experiment whole(dataset, config);
  const RunDirectory expected = RunDirectory::create(dir / "whole", false);
  const RunResult result = train_in_directory(expected, whole, dataset);
  ASSERT_GE(result.best_epoch, 10);

  const RunDirectory directory = RunDirectory::create(dir / "stopped", false);
  Experiment stopped(dataset, config);
  const auto stop = [&](const EpochReport& report) {
    if (report.stage == Experiment::kRefitStage && report.epoch == 6) throw Interrupted();
  };
  EXPECT_THROW(train_in_directory(directory, stopped, dataset, {}, stop), Interrupted);
  EXPECT_FALSE(directory.finished());
  Experiment resumed(dataset, config);
  std::int64_t first = 0;
  bool trained_first_part_again = false;
  const RunResult again = train_in_directory(directory, resumed, dataset, {.resume = true}, [&](const auto& report) {
    if (report.stage.empty()) trained_first_part_again = true;
    if (first == 0) first = report.epoch;
  });
  EXPECT_EQ(first, 7) << "continues from the checkpoint";
  EXPECT_FALSE(trained_first_part_again);
  EXPECT_EQ(files_of(directory), files_of(expected));
  EXPECT_EQ(defined(again.test), defined(result.test));
}

TEST(Refit, IsReproducedFromTheRunDirectory) {
  const Dataset dataset = open_dataset("karate");
  const TempDir dir;
  for (const char* task : {"lp", "nc"}) {
    RunConfig config = refitted(dataset, {{"graph", "karate"}, {"task", task}, {"anchors", "4"}});
    Experiment experiment(dataset, config);
    const RunDirectory directory = RunDirectory::create(dir / task, false);
    const RunResult result = train_in_directory(directory, experiment, dataset);
    const FinishedRun run = open_run(directory);
    RunResult again = run.experiment->evaluate();
    add_history(directory, again);
    EXPECT_EQ(defined(again.test), defined(result.test)) << task;
    EXPECT_EQ(defined(again.valid), defined(result.valid)) << task;
    EXPECT_TRUE(again.refit);
  }
}

TEST(Refit, UsesEveryEdgeWhereThereIsNoTestSet) {
  const Dataset dataset = communities();
  Experiment experiment(dataset, refitted(dataset, {{"split-shares", "0.9,0.1,0"}}));
  EXPECT_TRUE(experiment.run().test.values.empty());
  EXPECT_EQ(count_undirected_edges(experiment.message_graph()), count_undirected_edges(dataset.data.graph));
}

TEST(Refit, IsNotForFusedModels) {
  const Dataset dataset = communities();
  expect_user_error(
      [&] {
        refitted(dataset, {{"task", "nc"}, {"model", "gcn-gir"}});
      },
      "`refit` is not for fused models");
}

}  // namespace
}  // namespace gir
