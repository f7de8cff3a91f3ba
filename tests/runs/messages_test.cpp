// Which edges carry messages when pairs are scored, and what would be a leak.

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include "defined_metrics.h"
#include "gir/core/error.h"
#include "gir/learn/metrics.h"
#include "gir/runs/experiment.h"
#include "small_datasets.h"
#include "support.h"

namespace gir {
namespace {

using testing::communities;
using testing::defined;
using testing::expect_user_error;

RunConfig quick(const Dataset& dataset, SettingValues values) {
  values.insert({{"task", "lp"}, {"epochs", "20"}, {"anchors", "8"}, {"hidden", "16"}, {"anchor-sets", "2"}});
  return resolve("paper", values, dataset);
}

/// `graph` and one more edge.
Graph with_edge(const Graph& graph, NodePair pair) {
  std::vector<Arc> arcs = {{pair.first, pair.second}};
  for (const Arc edge : undirected_edges(graph)) arcs.push_back(edge);
  return build_graph({.arcs = Array<Arc>(std::span<const Arc>(arcs)), .weights = {}, .names = graph.names().clone()});
}

class LeakCheck : public ::testing::Test {
 protected:
  /// Whether the check finds the planted edge in the graph on which pairs of `evaluated` are scored.
  bool finds(NodePair planted, EvaluationSet evaluated, MessageEdges edges) const {
    const bool uses_training_edges = evaluated == EvaluationSet::kValid || edges == MessageEdges::kTrain;
    const Graph graph = uses_training_edges ? split_.message_graph().clone() : split_.known_graph(data_.data.graph);
    EXPECT_NO_THROW(check_for_leaks(split_, graph, evaluated, edges)) << "before an edge is planted";
    try {
      check_for_leaks(split_, with_edge(graph, planted), evaluated, edges);
      return false;
    } catch (const InternalError&) {
      return true;
    }
  }

  const Dataset data_ = communities();
  const PairSplit split_ = PairSplit::of_links(data_.data.graph, 0, default_shares(Task::kLinkPrediction));
};

TEST_F(LeakCheck, FindsATestEdgeInEveryMode) {
  for (const MessageEdges edges : {MessageEdges::kTrain, MessageEdges::kKnown, MessageEdges::kAll}) {
    for (const EvaluationSet evaluated : {EvaluationSet::kValid, EvaluationSet::kTest}) {
      EXPECT_TRUE(finds(split_.test().positives[3], evaluated, edges)) << name_of(edges);
    }
  }
}

TEST_F(LeakCheck, FindsAValidationEdgeWhereItMustNotBe) {
  const NodePair valid = split_.valid().positives[2];
  for (const MessageEdges edges : {MessageEdges::kTrain, MessageEdges::kKnown, MessageEdges::kAll}) {
    EXPECT_TRUE(finds(valid, EvaluationSet::kValid, edges)) << name_of(edges);
  }
  EXPECT_TRUE(finds(valid, EvaluationSet::kTest, MessageEdges::kTrain));
  EXPECT_FALSE(finds(valid, EvaluationSet::kTest, MessageEdges::kKnown)) << "validation edges are known then";
}

TEST_F(LeakCheck, FindsReverseDirections) {
  const Graph directed = build_graph({.arcs = Array<Arc>(std::span<const Arc>(std::vector<Arc>{
                                          {split_.test().positives[0].second, split_.test().positives[0].first}})),
                                      .weights = {},
                                      .directed = true,
                                      .names = data_.data.graph.names().clone()});
  EXPECT_THROW(check_for_leaks(split_, directed, EvaluationSet::kTest, MessageEdges::kAll), InternalError);
}

TEST(Messages, OfEveryModelCanTravelAlongOtherEdges) {
  const Dataset dataset = communities();
  for (const ModelEntry& entry : Registry<ModelEntry>::all()) {
    if (entry.fuses) continue;
    Experiment experiment(dataset, quick(dataset, {{"model", entry.name}, {"epochs", "3"}, {"norm", "batch"}}));
    experiment.run();
    const auto same = experiment.with_messages(experiment.message_graph());
    EXPECT_TRUE(at::equal(same->forward().outputs, experiment.forward().outputs)) << entry.name;
    EXPECT_EQ(same->anchors().anchors, experiment.anchors().anchors) << entry.name;
    const auto all = experiment.with_messages(dataset.data.graph);
    if (entry.name == "mlp") continue;
    EXPECT_FALSE(at::equal(all->forward().outputs, experiment.forward().outputs)) << entry.name;
  }
}

TEST(Messages, AreKnownEdgesWhenTestPairsAreScored) {
  const Dataset dataset = communities();
  for (const char* model : {"gir-a", "gir-x", "pgnn-e"}) {
    Experiment train(dataset, quick(dataset, {{"model", model}}));
    Experiment known(dataset, quick(dataset, {{"model", model}, {"messages", "known"}}));
    Experiment all(dataset, quick(dataset, {{"model", model}, {"messages", "all"}}));
    const RunResult by_train = train.run();
    const RunResult by_known = known.run();
    EXPECT_EQ(defined(by_known.valid), defined(by_train.valid)) << "validation pairs are scored with training edges";
    EXPECT_NE(defined(by_known.test), defined(by_train.test));
    EXPECT_EQ(defined(all.run().test), defined(by_known.test)) << "nothing is scored with test edges";
    EXPECT_EQ(by_known.messages, "known");

    const Graph graph = train.pair_split()->known_graph(dataset.data.graph);
    const auto tested = train.with_messages(graph);
    const auto outputs = tested->forward().outputs;
    std::vector<float> scores[2];
    for (const bool positive : {true, false}) {
      const auto& pairs = positive ? train.pair_split()->test().positives : train.pair_split()->test().negatives;
      const at::NoGradGuard no_gradients;
      const at::Tensor scored = tested->decoder()
                                    ->score(outputs, make_batch(pairs, outputs.size(0), tested->pair_description()), {})
                                    .contiguous();
      scores[positive ? 0 : 1].assign(scored.data_ptr<float>(), scored.data_ptr<float>() + scored.numel());
    }
    EXPECT_EQ(by_known.test.main(), roc_auc(scores[0], scores[1])) << model;
  }
}

TEST(Messages, SettleBatchNormsOnTheGraphThatTheyTravelOn) {
  const Dataset dataset = communities();
  const SettingValues settled = {{"model", "gcn-o"}, {"norm", "batch"}, {"settle-norms", "true"}};
  Experiment experiment(dataset, quick(dataset, settled));
  experiment.run();
  const auto before = experiment.forward().outputs;
  const auto all = experiment.with_messages(dataset.data.graph);
  const auto outputs = all->forward().outputs;
  EXPECT_TRUE(at::equal(all->forward().outputs, outputs)) << "settled statistics do not change again";
  EXPECT_TRUE(at::equal(experiment.forward().outputs, before)) << "those of the experiment stay";
}

TEST(Messages, AreForLinkPrediction) {
  const Dataset dataset = communities();
  expect_user_error(
      [&] {
        resolve("paper", {{"task", "nc"}, {"messages", "known"}}, dataset);
      },
      "`messages` is for link prediction");
  expect_user_error([&] { resolve("paper", {{"messages", "some"}}, dataset); }, "train", "known", "all");
}

TEST(SplitShares, WithoutATestSetGiveNoTestMetrics) {
  const Dataset dataset = communities();
  for (const char* task : {"lp", "nc", "npc"}) {
    for (const char* messages : {"train", "known"}) {
      SettingValues values = {{"task", task}, {"split-shares", "0.9,0.1,0"}};
      if (std::string(task) == "lp") values["messages"] = messages;
      Experiment experiment(dataset, quick(dataset, values));
      const RunResult result = experiment.run();
      EXPECT_TRUE(result.test.values.empty()) << task;
      EXPECT_FALSE(result.valid.values.empty()) << task;
    }
  }
}

TEST(SplitFrom, AndTheOfficialSplitAreTwoSplits) {
  Dataset dataset = communities();
  const SettingValues both = {{"split-from", "somewhere"}, {"official-split", "true"}};
  expect_user_error([&] { resolve("paper", both, dataset); }, "`split-from` and `official-split` are two splits");
}

}  // namespace
}  // namespace gir
