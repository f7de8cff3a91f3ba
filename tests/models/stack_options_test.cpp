// Options that all models have in common: alternative message graphs, residual and jumping-knowledge connections,
// batch-norm statistics, weight initialisation, structural features.

#include <gmock/gmock.h>

#include "definitions.h"
#include "gir/data/hidden_edges.h"
#include "gir/graph/generators.h"
#include "gir/graph/structure.h"
#include "support.h"

namespace gir {
namespace {

using testing::Case;
using testing::cases;
using testing::gcn_by_definition;
using testing::gir_by_definition;
using testing::kNoFeatures;
using testing::model_names;
using testing::parameters_of;
using testing::written_out_input;

TEST(Shortcuts, EqualTheirDefinitions) {
  for (const Case& given : cases(12)) {
    const auto labelled = written_out_input(given.graph.num_nodes(), given.anchors);
    for (const bool residual : {false, true}) {
      for (const bool jump : {false, true}) {
        ModelOptions options = given.options;
        options.residual = residual;
        options.jump = jump;
        const auto model = make_model("gir-a", given.context(), options);
        const auto expected =
            gir_by_definition(given.graph, given.anchors, 1, options, labelled, parameters_of(*model));
        EXPECT_TRUE(torch::allclose(model->forward({}).outputs.to(torch::kDouble), expected, 1e-4, 1e-4));
      }
    }
  }
}

TEST(Shortcuts, ReachTheFirstAndLastLayerOfAGcnThroughProjections) {
  for (const Case& given : cases(12)) {
    const auto labelled = written_out_input(given.graph.num_nodes(), given.anchors);
    for (const bool maps : {false, true}) {
      for (const bool jump : {false, true}) {
        ModelOptions options = given.options;
        if (jump) options.hidden = labelled.size(1);  // equal to the width of the input
        options.residual = true;
        options.residual_maps = maps;
        options.jump = jump;
        const auto model = make_model("gcn-a", given.context(3), options);
        const auto expected = gcn_by_definition(given.graph, options, labelled, parameters_of(*model));
        EXPECT_TRUE(torch::allclose(model->forward({}).outputs.to(torch::kDouble), expected, 1e-4, 1e-4));
      }
    }
  }
}

class EveryModelsOptions : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, EveryModelsOptions, ::testing::ValuesIn(model_names()), [](const auto& chosen) {
  std::string name = chosen.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(EveryModelsOptions, GiveForAViewTheResultsOfAModelOfThatGraph) {
  const Graph graph = testing::build(testing::random_large_lines(60, 200, false, 2));
  const PairSplit split = PairSplit::of_links(graph, 0, default_shares(Task::kLinkPrediction));
  const HiddenEdges hidden = hide_in_turn(split, {.parts = 3, .seed = 1});
  const std::vector<NodeId> anchors = {3, 9, 27, 41};
  const ModelOptions options{.hidden = 8, .anchor_sets = 2, .structural = true};
  const auto out = [&](const Graph& whole, std::span<const Graph> views, std::int64_t view) {
    const ModelInputs context{
        .graph = whole, .features = kNoFeatures, .anchors = anchors, .seed = 4, .training_graphs = views};
    return make_model(GetParam(), context, options)->forward({.training = true, .epoch = 2, .view = view}).outputs;
  };
  for (std::int64_t view = 1; view <= 3; ++view) {
    const auto seen = out(split.message_graph(), hidden.graphs, view);
    EXPECT_TRUE(torch::equal(seen, out(hidden.graphs[static_cast<std::size_t>(view - 1)], {}, 0)));
    EXPECT_FALSE(torch::equal(seen, out(split.message_graph(), {}, 0)));
  }
}

/// The running statistics of a model after training passes of these epochs and an evaluation with
/// ForwardOptions::recalibrate_norms.
std::vector<torch::Tensor> running_statistics(const std::string& name, const Case& given, bool settles,
                                              const std::vector<std::uint64_t>& epochs) {
  ModelOptions options = given.options;
  options.norm = Norm::kBatch;
  options.dropout = 0.5;
  options.settle_norms = settles;
  const auto model = make_model(name, given.context(), options);
  for (const std::uint64_t epoch : epochs) model->forward({.training = true, .epoch = epoch});
  const torch::Tensor seen = model->forward({.recalibrate_norms = true}).outputs;
  EXPECT_TRUE(torch::equal(model->forward({}).outputs, seen)) << "the statistics are applied in the same pass";
  std::vector<torch::Tensor> statistics;
  for (const NamedTensor& each : model->parameters().buffers()) statistics.push_back(each.tensor.clone());
  return statistics;
}

TEST_P(EveryModelsOptions, ReestimateTheirRunningStatisticsInOnePassWithoutDropout) {
  const std::vector<Case> given = cases(1);
  const auto equal = [](const torch::Tensor& a, const torch::Tensor& b) { return torch::equal(a, b); };
  const auto same = [&](bool settles) {
    const auto once = running_statistics(GetParam(), given.front(), settles, {3});
    const auto often = running_statistics(GetParam(), given.front(), settles, {1, 2, 3});
    return std::equal(once.begin(), once.end(), often.begin(), often.end(), equal);
  };
  EXPECT_TRUE(same(true)) << "nothing of earlier passes remains";
  EXPECT_FALSE(same(false)) << "running averages depend on earlier passes";
}

TEST_P(EveryModelsOptions, HaveGradientsForAllParametersWithEveryShortcut) {
  for (const Case& given : cases(3)) {
    for (const std::int64_t classes : {0, 3}) {
      ModelOptions options = given.options;
      options.residual = true;
      options.residual_maps = true;
      options.jump = true;
      options.initial = Initial::kXavier;
      const auto model = make_model(GetParam(), given.context(classes), options);
      const ModelOutput output = model->forward({.training = true, .epoch = 1});
      EXPECT_EQ(output.outputs.size(1), model->output_width());
      EXPECT_EQ(model->output_width(), classes > 0 ? classes : options.hidden);
      output.outputs.pow(2).sum().backward();
      for (const NamedTensor& each : model->parameters().trained()) {
        EXPECT_TRUE(each.tensor.grad().defined()) << each.name;
      }
    }
  }
}

TEST(Initial, XavierBoundsDependOnInputsAndOutputs) {
  Parameters parameters(1, Initial::kXavier);
  const auto weight = parameters.weight("w", 20, 30);
  const double bound = std::sqrt(6.0 / 50);
  EXPECT_LE(weight.abs().max().item<double>(), bound);
  EXPECT_GT(weight.abs().max().item<double>(), 0.98 * bound);
  EXPECT_EQ(parameters.bias("b", 30, 20).abs().max().item<double>(), 0);
  Parameters wider(1, Initial::kXavierRelu);
  EXPECT_TRUE(torch::allclose(wider.weight("w", 20, 30), weight * std::sqrt(2.0)));
  EXPECT_EQ(parse_name<Initial>("Xavier_ReLU"), Initial::kXavierRelu);
  testing::expect_user_error([] { parse_name<Initial>("zero"); }, "unknown weight initialisation \"zero\"",
                             "xavier-relu");
}

TEST(ZeroInitialisedLabels, HaveZeroWeightsAndDoNotChangeOtherWeights) {
  const Graph karate = generate_graph("karate").graph;
  const std::vector<NodeId> anchors = {0, 33};
  for (const MessageFunction message : {MessageFunction::kMean, MessageFunction::kAttention}) {
    const ModelInputs context{.graph = karate, .features = kNoFeatures, .anchors = anchors, .seed = 5};
    const ModelOptions options{.hidden = 8, .message = message};
    const auto labelled = make_model("gir-x", context, options);
    // Before training it equals gir-a: the weights of the labels of all nodes are zero.
    EXPECT_TRUE(torch::allclose(labelled->forward({}).outputs,
                                make_model("gir-a", context, options)->forward({}).outputs, 1e-5, 1e-6));
    labelled->forward({}).outputs.pow(2).sum().backward();
    const torch::Tensor weight = labelled->parameters().trained().front().tensor;
    EXPECT_EQ(weight.size(0), 1 + 2 + 34);
    EXPECT_EQ(weight.slice(0, 3).abs().max().item<float>(), 0);
    EXPECT_GT(weight.grad().slice(0, 3).abs().max().item<float>(), 0);
  }
}

TEST(StructuralInputs, DistinguishNodesOfDifferentDegreesWithoutMessages) {
  const Graph star = generate_graph("star", {{"nodes", 5}}).graph;
  const ModelInputs context{.graph = star, .features = kNoFeatures, .anchors = {}, .seed = 1};
  const auto plain = make_model("mlp", context, {})->forward({}).outputs;
  EXPECT_TRUE(torch::equal(plain[0], plain[1]));
  const auto structural = make_model("mlp", context, {.structural = true})->forward({}).outputs;
  EXPECT_FALSE(torch::equal(structural[0], structural[1]));
  EXPECT_TRUE(torch::equal(structural[1], structural[2]));
}

}  // namespace
}  // namespace gir
