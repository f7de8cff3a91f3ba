#include <gmock/gmock.h>
#include <torch/torch.h>

#include <algorithm>

#include "gir/runs/experiment.h"
#include "small_datasets.h"

namespace gir {
namespace {

using testing::communities;

/// A single evaluation, so that the forest has no influence on which epoch is the best.
RunConfig config_of(const Dataset& dataset, SettingValues values) {
  values.insert({{"task", "nc"}, {"model", "gir-a"}, {"anchors", "8"}, {"epochs", "10"}, {"evaluate-every", "10"}});
  return resolve("paper", values, dataset);
}

bool has_forest(const Experiment& experiment) {
  const auto tensors = experiment.tensors();
  return std::any_of(tensors.begin(), tensors.end(),
                     [](const NamedTensor& each) { return each.name.starts_with("forest."); });
}

TEST(Forest, IsAveragedWithAModelThatIsTrainedWithoutIt) {
  const Dataset dataset = communities();
  Experiment plain(dataset, config_of(dataset, {}));
  Experiment mixed(dataset, config_of(dataset, {{"forest", "true"}}));
  plain.run();
  mixed.run();
  const ModelOutput before = plain.forward();
  const ModelOutput after = mixed.forward();
  EXPECT_TRUE(torch::equal(before.embeddings, after.embeddings));
  const at::Tensor forest = 2 * at::softmax(after.outputs, 1) - at::softmax(before.outputs, 1);
  EXPECT_GT(forest.min().item<double>(), -1e-5);
  EXPECT_GT((forest - at::softmax(before.outputs, 1)).abs().max().item<double>(), 0.1) << "it says something else";
  EXPECT_TRUE(at::allclose(forest.sum(1), at::ones({forest.size(0)})));
}

TEST(Forest, ComesBackWithTheParametersOfARun) {
  const Dataset dataset = communities();
  const RunConfig config = config_of(dataset, {{"forest", "true"}, {"members", "2"}});
  Experiment trained(dataset, config);
  trained.run();
  Experiment used(dataset, config, {}, {.purpose = Purpose::kUse, .anchors = trained.anchor_lists()});
  const at::Tensor untrained = used.forward().outputs;
  const auto from = trained.tensors();
  const auto to = used.tensors();
  ASSERT_EQ(from.size(), to.size());
  {
    const at::NoGradGuard no_gradients;
    for (std::size_t i = 0; i < from.size(); ++i) to[i].tensor.copy_(from[i].tensor);
  }
  EXPECT_TRUE(torch::equal(used.forward().outputs, trained.forward().outputs));
  EXPECT_FALSE(torch::equal(untrained, trained.forward().outputs));
}

TEST(Forest, IsForClassesOfNodesWithoutFeatures) {
  Dataset dataset = communities();
  const auto uses = [&](const char* task, const char* model) {
    return has_forest(Experiment(dataset, config_of(dataset, {{"task", task}, {"model", model}, {"forest", "true"}})));
  };
  EXPECT_TRUE(uses("nc", "gcn"));
  EXPECT_FALSE(uses("lp", "gir-a"));
  EXPECT_FALSE(uses("npc", "gir-a"));
  EXPECT_TRUE(has_forest(Experiment(dataset, config_of(dataset, {{"model", "gir-x"}})))) << "it is part of gir-x";
  const std::int64_t nodes = dataset.data.graph.num_nodes();
  dataset.data.features = DenseMatrix{.rows = nodes, .columns = 1, .values = Array<float>(nodes, 1.0F)};
  EXPECT_FALSE(uses("nc", "gcn"));
}

}  // namespace
}  // namespace gir
