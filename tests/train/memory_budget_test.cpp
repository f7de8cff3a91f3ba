#include "gir/train/memory_budget.h"

#include <gtest/gtest.h>

#include <map>

#include "gir/nn/tensor_memory.h"
#include "gir/train/trainer.h"
#include "graph/random_graphs.h"
#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;

/// A model of a graph without features, its nodes' classes and the objective to learn them.
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
                                             std::int64_t stretch) {
  Learner learner(300, name, options);
  learner.model->compute_twice(stretch);
  learner.train(3);
  std::map<std::string, torch::Tensor> tensors;
  for (const NamedTensor& each : learner.model->parameters().all()) tensors[each.name] = each.tensor.detach().clone();
  return tensors;
}

TEST(ComputeTwice, GivesTheBitsOfComputingOnce) {
  for (const char* name : {"gir-a", "gcn", "gir-mix", "sage"}) {
    for (const Norm norm : {Norm::kNone, Norm::kBatch, Norm::kLayer}) {
      const ModelOptions options{
          .layers = 5, .hidden = 16, .anchor_sets = 4, .dropout = 0.4, .norm = norm, .residual = norm == Norm::kLayer};
      const auto once = trained(name, options, 0);
      for (const std::int64_t stretch : {1, 2, 3, 9}) {
        for (const auto& [what, tensor] : trained(name, options, stretch)) {
          EXPECT_TRUE(torch::equal(tensor, once.at(what))) << name << " " << what << " " << stretch;
        }
      }
    }
  }
}

TEST(MemoryNeed, IsAboutWhatTrainingTakes) {
  keep_tensor_memory();
  // Stretches first: what has been in use at most only grows.
  for (const std::int64_t stretch : {3, 0}) {
    Learner learner(40000, "gir-a", {.layers = 10, .hidden = 64, .dropout = 0.5, .norm = Norm::kBatch});
    learner.model->compute_twice(stretch);
    const auto estimate = static_cast<double>(learner.model->activation_bytes(stretch));
    const std::int64_t before = tensor_memory().in_use;
    learner.train(2);
    const auto measured = static_cast<double>(tensor_memory().most_in_use - before);
    EXPECT_NEAR(estimate / measured, 1, 0.25) << stretch;
  }
}

TEST(FitMemory, KeepsAllWhereItFits) {
  Learner learner(40000, "gir-a", {.layers = 8, .hidden = 64, .norm = Norm::kBatch});
  EXPECT_EQ(fit_memory(*learner.model, *learner.objective, 0).stretch, 0);
}

TEST(FitMemory, ComputesTwiceWhereItHelpsAndRefusesWhereItDoesNot) {
  Learner learner(40000, "gir-a", {.layers = 8, .hidden = 64, .norm = Norm::kBatch});
  const MemoryNeed all = memory_need(*learner.model, *learner.objective);
  const MemoryNeed fitted = fit_memory(*learner.model, *learner.objective, all.total() - all.activations / 8);
  EXPECT_GT(fitted.stretch, 0);
  EXPECT_LT(fitted.activations, all.activations);
  expect_user_error([&] { fit_memory(*learner.model, *learner.objective, all.now + (1 << 20)); },
                    "training would take about", "with hidden layers computed twice", "[a smaller --hidden");
}

}  // namespace
}  // namespace gir
