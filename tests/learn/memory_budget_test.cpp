#include "gir/learn/memory_budget.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "gir/learn/trainer.h"
#include "gir/nn/tensor_memory.h"
#include "graph/random_graphs.h"
#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;

/// A model on a graph without features, the labels of its nodes and the objective.
struct Learner {
  Learner(std::int64_t nodes, const std::string& name, const ModelOptions& options)
      : graph(testing::build(testing::random_large_lines(nodes, 4 * nodes, false, 1))) {
    for (NodeId v = 0; v < 20; ++v) anchors.push_back(v * 3);
    std::vector<std::int64_t> classes(static_cast<std::size_t>(nodes));
    for (std::size_t v = 0; v < classes.size(); ++v) classes[v] = static_cast<std::int64_t>(v % 3);
    labels = labels_from_integers(classes);
    for (NodeId v = 0; v < nodes; ++v) (v % 2 == 0 ? split.train : split.valid).push_back(v);
    split.test = split.valid;
    model =
        make_model(name, {.graph = graph, .features = features, .anchors = anchors, .classes = 3, .seed = 2}, options);
    objective = node_objective(labels, split);
  }

  void train(std::int64_t epochs) { Trainer(*model, *objective, {.epochs = epochs, .evaluate_every = epochs}).run(); }

  Graph graph;
  const Features features = {};
  std::vector<NodeId> anchors;
  Labels labels;
  NodeSplit split;
  std::unique_ptr<Model> model;
  std::unique_ptr<Objective> objective;
};

/// All parameters and buffers after some epochs.
std::map<std::string, torch::Tensor> trained(const std::string& name, const ModelOptions& options,
                                             std::int64_t segment) {
  Learner learner(300, name, options);
  learner.model->checkpoint_activations(segment);
  learner.train(3);
  std::map<std::string, torch::Tensor> tensors;
  for (const NamedTensor& each : learner.model->parameters().all()) tensors[each.name] = each.tensor.detach().clone();
  return tensors;
}

TEST(ActivationCheckpointing, IsBitIdenticalToStoringAllActivations) {
  for (const char* name : {"gir-a", "gcn", "gir-mix", "sage"}) {
    for (const Norm norm : {Norm::kNone, Norm::kBatch, Norm::kLayer}) {
      const bool shortcuts = norm == Norm::kLayer;
      const ModelOptions options{.layers = 5,
                                 .hidden = 16,
                                 .anchor_sets = 4,
                                 .dropout = 0.4,
                                 .norm = norm,
                                 .residual = shortcuts,
                                 .residual_maps = shortcuts};
      const auto once = trained(name, options, 0);
      for (const std::int64_t segment : {1, 2, 3, 9}) {
        for (const auto& [what, tensor] : trained(name, options, segment)) {
          EXPECT_TRUE(torch::equal(tensor, once.at(what))) << name << " " << what << " " << segment;
        }
      }
    }
  }
}

TEST(MemoryNeed, EstimatesTheMeasuredPeakOfTraining) {
  cache_tensor_memory();
  // The recorded peak never decreases, so the smallest need comes first.
  const ModelOptions deep{.layers = 10, .hidden = 64, .dropout = 0.5, .norm = Norm::kBatch};
  const ModelOptions attentive{.layers = 10, .hidden = 64, .message = MessageFunction::kAttention};
  for (const auto& [options, segment] :
       {std::pair(deep, std::int64_t{3}), std::pair(deep, std::int64_t{0}), std::pair(attentive, std::int64_t{0})}) {
    Learner learner(40000, "gir-a", options);
    learner.model->checkpoint_activations(segment);
    const auto estimate = static_cast<double>(learner.model->activation_bytes(segment));
    const std::int64_t before = tensor_memory().in_use;
    learner.train(2);
    const auto measured = static_cast<double>(tensor_memory().peak - before);
    EXPECT_NEAR(estimate / measured, 1, 0.25) << segment;
  }
}

TEST(MemoryNeed, IsEstimatedForModelsWithAnchorSets) {
  cache_tensor_memory();
  Learner learner(60000, "agnn-f", {.layers = 12, .hidden = 64, .dropout = 0.5, .norm = Norm::kBatch});
  const auto estimate = static_cast<double>(learner.model->activation_bytes(0));
  const std::int64_t before = tensor_memory().in_use;
  learner.train(2);
  const auto measured = static_cast<double>(tensor_memory().peak - before);
  EXPECT_NEAR(estimate / measured, 1, 0.25);
}

TEST(MemoryNeed, OfPairsDependsOnTheDecoder) {
  const Graph graph = testing::build(testing::random_large_lines(120, 500, false, 3));
  const PairSplit split = PairSplit::of_links(graph, 1, default_shares(Task::kLinkPrediction));
  const PairDescription none("", {.graphs = {.graph = split.message_graph()}});
  const auto bytes = [&](const char* name, double dropout) {
    const auto decoder = Registry<DecoderEntry>::get(name).make({.width = 256, .dropout = dropout});
    return pair_objective({.split = split, .decoder = *decoder, .description = none})->loss_bytes();
  };
  EXPECT_LT(3 * bytes("dot", 0), bytes("mlp", 0));
  EXPECT_LT(3 * bytes("mlp", 0), bytes("mlp", 0.5));
}

TEST(TrainingMemory, StoresAllActivationsIfTheyFit) {
  Learner learner(2000, "gir-a", {.layers = 8, .hidden = 8, .norm = Norm::kBatch});
  EXPECT_EQ(TrainingMemory(*learner.model, *learner.objective, {}).need().segment, 0);
}

TEST(TrainingMemory, CheckpointsWhereItHelpsAndRejectsWhereItDoesNot) {
  Learner learner(40000, "gir-a", {.layers = 8, .hidden = 64, .norm = Norm::kBatch});
  const MemoryNeed all = memory_need(*learner.model, *learner.objective);
  const std::int64_t short_of_some = memory_in_use({}) + all.total() - all.activations / 8;
  const TrainingMemory fitted(*learner.model, *learner.objective, {.memory_budget = short_of_some});
  EXPECT_GT(fitted.need().segment, 0);
  EXPECT_LT(fitted.need().activations, all.activations);
  expect_user_error(
      [&] {
        TrainingMemory::reject_too_large(*learner.model, *learner.objective,
                                         {.memory_budget = memory_in_use({}) + (1 << 20)});
      },
      "training would need about", "with activation checkpointing", "[use a smaller `hidden`");
}

TEST(TrainingMemory, WaitsForAnotherTrainingIfBothDoNotFit) {
  Learner first(40000, "gir-a", {.hidden = 64});
  Learner second(40000, "gir-a", {.hidden = 64});
  const std::int64_t need = memory_need(*first.model, *first.objective).total();
  const std::int64_t budget = memory_in_use({}) + need + need / 2;
  std::atomic<bool> first_is_done = false;
  std::thread other;
  {
    const TrainingMemory memory(*first.model, *first.objective, {.memory_budget = budget});
    other = std::thread([&] {
      const TrainingMemory waited(*second.model, *second.objective, {.memory_budget = budget});
      EXPECT_TRUE(first_is_done);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    first_is_done = true;
  }
  other.join();
}

}  // namespace
}  // namespace gir
