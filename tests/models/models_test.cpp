#include <gmock/gmock.h>

#include "definitions.h"
#include "gir/core/parallel.h"
#include "gir/graph/generators.h"
#include "nn/gradients.h"
#include "support.h"

namespace gir {
namespace {

using testing::Case;
using testing::cases;
using testing::expect_user_error;
using testing::gcn_by_definition;
using testing::gir_by_definition;
using testing::kNoFeatures;
using testing::model_names;
using testing::parameters_of;
using testing::pgnn_by_definition;
using testing::written_out_input;

void expect_close(const torch::Tensor& found, const torch::Tensor& expected, const std::string& what) {
  EXPECT_TRUE(torch::allclose(found.to(torch::kDouble), expected, 1e-4, 1e-4)) << what;
}

TEST(Models, EqualTheirDefinitions) {
  for (const Case& given : cases(12)) {
    const std::int64_t nodes = given.graph.num_nodes();
    std::vector<NodeId> everyone(static_cast<std::size_t>(nodes));
    std::iota(everyone.begin(), everyone.end(), 0);
    const auto constant = written_out_input(nodes, {});
    const auto labelled = written_out_input(nodes, given.anchors);
    const auto all_labelled = written_out_input(nodes, everyone);
    const auto check = [&](const std::string& name, const auto& expected) {
      const auto model = make_model(name, given.context(), given.options);
      expect_close(model->forward({}).outputs, expected(parameters_of(*model)), name);
    };
    check("gir", [&](auto p) { return gir_by_definition(given.graph, given.anchors, 1, given.options, constant, p); });
    check("gir-a",
          [&](auto p) { return gir_by_definition(given.graph, given.anchors, 1, given.options, labelled, p); });
    check("gir-o",
          [&](auto p) { return gir_by_definition(given.graph, given.anchors, 1, given.options, all_labelled, p); });
    check("gir-mix",
          [&](auto p) { return gir_by_definition(given.graph, given.anchors, 2, given.options, constant, p); });
    check("sage", [&](auto p) { return gir_by_definition(given.graph, everyone, 1, given.options, constant, p); });
    check("gcn", [&](auto p) { return gcn_by_definition(given.graph, given.options, constant, p); });
    check("gcn-a", [&](auto p) { return gcn_by_definition(given.graph, given.options, labelled, p); });
    check("gcn-o", [&](auto p) { return gcn_by_definition(given.graph, given.options, all_labelled, p); });
    const NodeSets drawn = draw_anchor_sets(nodes, 3, 0);
    const NodeSets fixed = singletons(given.anchors);
    check("pgnn-f", [&](auto p) { return pgnn_by_definition(given.graph, drawn, 2, 3, p); });
    check("pgnn-e", [&](auto p) { return pgnn_by_definition(given.graph, drawn, kMaxHops, 3, p); });
    check("agnn-f", [&](auto p) { return pgnn_by_definition(given.graph, fixed, 2, 3, p); });
    check("agnn-e", [&](auto p) { return pgnn_by_definition(given.graph, fixed, kMaxHops, 3, p); });
  }
}

/// Outputs and the gradients of all parameters, by name.
std::map<std::string, torch::Tensor> outputs_and_gradients(Model& model, std::uint64_t epoch = 1) {
  const torch::Tensor out = model.forward({.training = true, .epoch = epoch}).outputs;
  out.pow(2).sum().backward();
  std::map<std::string, torch::Tensor> result = {{"outputs", out.detach()}};
  for (const NamedTensor& each : model.parameters().trained()) {
    if (each.tensor.grad().defined()) result["d " + each.name] = each.tensor.grad().clone();
  }
  return result;
}

TEST(Models, GirIsBitIdenticalToSageWithAllNodesAsAnchorsAndToAnMlpWithNone) {
  for (const Case& given : cases(20)) {
    std::vector<NodeId> everyone(static_cast<std::size_t>(given.graph.num_nodes()));
    std::iota(everyone.begin(), everyone.end(), 0);
    ModelOptions options = given.options;
    options.dropout = 0.3;
    const auto of = [&](const char* name, std::span<const NodeId> anchors) {
      ModelInputs context{.graph = given.graph, .features = kNoFeatures, .anchors = anchors, .classes = 3, .seed = 3};
      return outputs_and_gradients(*make_model(name, context, options));
    };
    const auto all = of("gir", everyone);
    const auto sage = of("sage", {});
    ASSERT_EQ(all.size(), sage.size());
    for (const auto& [name, tensor] : sage) EXPECT_TRUE(torch::equal(all.at(name), tensor)) << name;
    const auto none = of("gir", {});
    for (const auto& [name, tensor] : of("mlp", {})) EXPECT_TRUE(torch::equal(none.at(name), tensor)) << name;
  }
}

TEST(Models, OnAPathVanillaGirCannotDistinguishTheAnchorFromTheOtherEndButGirACan) {
  const Graph path = generate_graph("path", {{"nodes", 3}}).graph;
  const std::vector<NodeId> anchors = {0};
  const ModelInputs context{.graph = path, .features = kNoFeatures, .anchors = anchors, .seed = 1};
  const auto gir = make_model("gir", context, {})->forward({}).outputs;
  EXPECT_TRUE(torch::allclose(gir[0], gir[2], 1e-5, 1e-6)) << "BLAS may round rows differently";
  EXPECT_FALSE(torch::allclose(gir[0], gir[1], 1e-3, 1e-3));
  const auto gir_a = make_model("gir-a", context, {})->forward({}).outputs;
  EXPECT_FALSE(torch::allclose(gir_a[0], gir_a[2], 1e-3, 1e-3));
}

TEST(Models, GcnOnEqualFeaturesGivesEveryNodeTheSameVector) {
  const Graph karate = generate_graph("karate").graph;
  const ModelInputs context{.graph = karate, .features = kNoFeatures, .anchors = {}, .seed = 1};
  const auto z = make_model("gcn", context, {})->forward({}).outputs;
  EXPECT_TRUE(torch::allclose(z, z[0].expand_as(z), 1e-5, 1e-6));
}

class EveryModel : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, EveryModel, ::testing::ValuesIn(model_names()), [](const auto& chosen) {
  std::string name = chosen.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(EveryModel, OutputsLogitsOrEmbeddingsOfItsOutputWidth) {
  const std::vector<Case> some = cases(1);
  const Case& given = some.front();
  for (const std::int64_t classes : {0, 3}) {
    const auto model = make_model(GetParam(), given.context(classes), given.options);
    const ModelOutput output = model->forward({});
    EXPECT_EQ(output.outputs.size(0), given.graph.num_nodes());
    EXPECT_EQ(output.outputs.size(1), model->output_width());
    EXPECT_TRUE(classes > 0 ? model->output_width() == classes : output.embeddings.is_same(output.outputs));
    EXPECT_EQ(output.embeddings.size(0), given.graph.num_nodes());
    EXPECT_TRUE(output.outputs.isfinite().all().item<bool>());
  }
}

TEST_P(EveryModel, IsBitIdenticalOnAnyNumberOfThreads) {
  const Graph graph = testing::build(testing::random_large_lines(3000, 20000, false, 2));
  std::vector<NodeId> anchors;
  for (NodeId v = 0; v < 64; ++v) anchors.push_back(v * 40);
  const ModelInputs context{.graph = graph, .features = kNoFeatures, .anchors = anchors, .classes = 5, .seed = 1};
  const ModelOptions options{.hidden = 16, .dropout = 0.5, .norm = Norm::kBatch};
  const auto run = [&](int threads) {
    const ThreadScope count(threads);
    return outputs_and_gradients(*make_model(GetParam(), context, options));
  };
  const auto alone = run(1);
  const auto together = run(3);
  for (const auto& [name, tensor] : alone) EXPECT_TRUE(torch::equal(together.at(name), tensor)) << name;
}

TEST_P(EveryModel, AcceptsGraphsOfOneNodeAndOfManyComponents) {
  for (const std::int64_t nodes : {1, 6}) {
    const Graph graph = nodes == 1 ? testing::undirected(1, {}) : testing::undirected(6, {{0, 1}, {2, 3}});
    const std::vector<NodeId> anchors = nodes == 1 ? std::vector<NodeId>{0} : std::vector<NodeId>{0, 2};
    const ModelInputs context{.graph = graph, .features = kNoFeatures, .anchors = anchors, .seed = 1};
    const ModelOptions options{.hidden = 4, .anchor_sets = 1, .normalise = true};
    if (GetParam() == "gir-mix" && anchors.size() < 2) continue;
    const auto output = make_model(GetParam(), context, options)->forward({.training = true, .epoch = 1}).outputs;
    EXPECT_TRUE(output.isfinite().all().item<bool>());
  }
}

/// Sparse or dense features, wide enough for the optimisations of the first layer.
Features random_features(std::int64_t nodes, bool sparse) {
  constexpr std::int64_t kColumns = 40;
  DenseMatrix dense{.rows = nodes, .columns = kColumns, .values = Array<float>(nodes * kColumns)};
  const torch::Tensor values = testing::random_tensor({nodes, kColumns}, 8, torch::kFloat);
  std::copy_n(values.data_ptr<float>(), nodes * kColumns, dense.values.data());
  if (!sparse) return dense;
  SparseMatrix matrix{.rows = nodes,
                      .columns = kColumns,
                      .offsets = Array<std::int64_t>(nodes + 1),
                      .column_indices = Array<std::int32_t>(nodes * 2),
                      .values = Array<float>(nodes * 2)};
  for (std::int64_t v = 0; v <= nodes; ++v) matrix.offsets[v] = 2 * v;
  for (std::int64_t i = 0; i < 2 * nodes; ++i) {
    matrix.column_indices[i] = static_cast<std::int32_t>(i / 2 % (kColumns / 2) + (i % 2) * (kColumns / 2));
    matrix.values[i] = dense.values[i];
  }
  return matrix;
}

TEST(Models, GiveTheSameResultsWithAndWithoutTheOptimisationsOfTheFirstLayer) {
  // A rate above 0 that drops nothing disables the optimisations: no precomputed sums, no omitted rows.
  constexpr double kNothing = 1e-12;
  for (const Case& given : cases(20)) {
    for (const bool sparse : {false, true}) {
      const Features features = random_features(given.graph.num_nodes(), sparse);
      const ModelInputs with{
          .graph = given.graph, .features = features, .anchors = given.anchors, .classes = 3, .seed = 3};
      for (const char* name : {"gir", "gir-a", "gcn", "sage"}) {
        ModelOptions options = given.options;
        const auto short_way = outputs_and_gradients(*make_model(name, with, options));
        options.input_dropout = kNothing;
        for (const auto& [what, tensor] : outputs_and_gradients(*make_model(name, with, options))) {
          EXPECT_TRUE(torch::allclose(short_way.at(what), tensor, 1e-4, 1e-4)) << name << " " << what;
        }
      }
    }
  }
}

TEST(Models, DropFeaturesInTrainingOnly) {
  const Graph graph = testing::build(testing::random_large_lines(500, 2000, false, 2));
  const Features features = random_features(500, true);
  const std::vector<NodeId> anchors = {3, 30, 300};
  const ModelInputs context{.graph = graph, .features = features, .anchors = anchors, .classes = 3, .seed = 3};
  for (const char* name : {"gir", "gcn", "pgnn-f"}) {
    const auto plain = make_model(name, context, {.hidden = 8});
    const auto dropping = make_model(name, context, {.hidden = 8, .input_dropout = 0.5});
    const auto train = [](Model& model, std::uint64_t epoch) {
      return model.forward({.training = true, .epoch = epoch}).outputs;
    };
    EXPECT_FALSE(torch::equal(train(*dropping, 1), train(*plain, 1))) << name;
    EXPECT_FALSE(torch::equal(train(*dropping, 1), train(*dropping, 2))) << name;
    EXPECT_TRUE(torch::equal(train(*dropping, 1), train(*dropping, 1))) << name;
    train(*plain, 1);
    EXPECT_TRUE(torch::allclose(dropping->forward({}).outputs, plain->forward({}).outputs, 1e-5, 1e-5)) << name;
  }
}

TEST(Models, AcceptEveryMessageFunction) {
  for (const Case& given : cases(4)) {
    for (const auto function : {MessageFunction::kMean, MessageFunction::kSum, MessageFunction::kGcn,
                                MessageFunction::kMax, MessageFunction::kAttention}) {
      ModelOptions options = given.options;
      options.message = function;
      options.attention_heads = 2;
      for (const char* name : {"gir", "gir-a", "gcn", "gir-mix"}) {
        const auto model = make_model(name, given.context(), options);
        const auto found = outputs_and_gradients(*model);
        EXPECT_TRUE(found.at("outputs").isfinite().all().item<bool>());
        for (const NamedTensor& each : model->parameters().trained()) {
          EXPECT_TRUE(found.contains("d " + each.name)) << name << " " << each.name;
        }
      }
    }
  }
}

TEST(Models, PgnnResamplesItsSetsInEveryEpochAndUsesTheLastForEvaluation) {
  const Graph karate = generate_graph("karate").graph;
  const ModelInputs context{.graph = karate, .features = kNoFeatures, .anchors = {}, .seed = 1};
  const auto model = make_model("pgnn-e", context, {});
  const auto first = model->forward({.training = true, .epoch = 1}).outputs;
  EXPECT_TRUE(torch::equal(model->forward({.training = false, .epoch = 9}).outputs, first));
  EXPECT_FALSE(torch::equal(model->forward({.training = true, .epoch = 2}).outputs, first));
  EXPECT_TRUE(torch::equal(model->forward({.training = true, .epoch = 1}).outputs, first));
}

TEST(Models, RejectInvalidOptions) {
  const Graph karate = generate_graph("karate").graph;
  const std::vector<NodeId> anchors = {0, 1, 2, 3, 4, 5};
  const ModelInputs context{.graph = karate, .features = kNoFeatures, .anchors = anchors};
  const auto make = [&](const char* name, const ModelOptions& options) {
    return [&, name, options] { make_model(name, context, options); };
  };
  expect_user_error(make("gir-aa", {}), "unknown model \"gir-aa\"", "[known: gir-a");
  EXPECT_THROW(make("gir", {.layers = 0})(), InternalError);
  EXPECT_THROW(make("gir", {.hidden = 0})(), InternalError);
  EXPECT_THROW(make("gir", {.dropout = 1})(), InternalError);
  EXPECT_THROW(make("gir", {.input_dropout = -1})(), InternalError);
  expect_user_error(make("gir-mix", {.hidden = 32, .anchor_sets = 5}), "5 anchor sets do not divide", "32");
  expect_user_error(make("gir-mix", {.hidden = 32, .anchor_sets = 4}), "6 anchors cannot be divided into 4");
  expect_user_error(make("gir-mix", {.hidden = 30, .anchor_sets = 6}), "6 anchors cannot be divided into 6");
  expect_user_error(make("gir", {.hidden = 32, .message = MessageFunction::kAttention, .attention_heads = 5}),
                    "5 attention heads");
  const ModelInputs no_anchors{.graph = karate, .features = kNoFeatures, .anchors = {}};
  expect_user_error([&] { make_model("agnn-e", no_anchors, {}); }, "no anchors");
}

}  // namespace
}  // namespace gir
