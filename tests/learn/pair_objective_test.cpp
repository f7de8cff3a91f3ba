#include <gmock/gmock.h>
#include <torch/torch.h>

#include <set>

#include "gir/learn/objective.h"
#include "graph/random_graphs.h"
#include "support.h"

namespace gir {
namespace {

/// Gives all pairs the score 0 and remembers the last batch.
class RecordingDecoder : public PairDecoder {
 public:
  RecordingDecoder() : PairDecoder(DecoderOptions{}) {}

  at::Tensor score(const at::Tensor&, const PairBatch& batch, const ForwardOptions&) const override {
    pairs.assign(batch.pairs().begin(), batch.pairs().end());
    features = batch.features();
    return torch::zeros({batch.num_pairs()});
  }

  std::int64_t bytes_per_pair() const override { return 0; }

  mutable std::vector<NodePair> pairs;
  mutable at::Tensor features;
};

class PairObjectiveTest : public ::testing::Test {
 protected:
  Graph graph = testing::build(testing::random_large_lines(120, 500, false, 3));
  PairSplit split = PairSplit::of_links(graph, 1, default_shares(Task::kLinkPrediction));
  PairDescription no_features{"", {.graphs = {.graph = split.message_graph()}}};
  RecordingDecoder decoder;
  ModelOutput nothing;
};

TEST_F(PairObjectiveTest, UsesAllTrainingEdgesAndAsManyNegatives) {
  const auto objective = pair_objective({.split = split, .decoder = decoder, .description = no_features});
  EXPECT_EQ(objective->view(5), 0);
  objective->loss(nothing, {.training = true, .epoch = 5});
  const auto& positives = split.train_positives();
  ASSERT_EQ(decoder.pairs.size(), 2 * positives.size());
  EXPECT_TRUE(std::equal(positives.begin(), positives.end(), decoder.pairs.begin()));
  EXPECT_FALSE(decoder.features.defined());
}

/// Scores that decrease from pair to pair.
class Descending : public RecordingDecoder {
 public:
  at::Tensor score(const at::Tensor&, const PairBatch& batch, const ForwardOptions&) const override {
    return torch::linspace(90, -90, batch.num_pairs());
  }
};

TEST_F(PairObjectiveTest, ReportsTheLossOfPerfectScores) {
  const Descending descending;
  const auto objective = pair_objective({.split = split, .decoder = descending, .description = no_features});
  const auto count = std::ssize(split.valid().positives);
  const auto scores = torch::linspace(90, -90, 2 * count).to(torch::kDouble);
  const auto truth = torch::cat({torch::ones({count}), torch::zeros({count})}).to(torch::kDouble);
  const Metrics metrics = objective->evaluate(nothing, EvaluationSet::kValid);
  EXPECT_EQ(metrics.main(), 1);
  EXPECT_NEAR(metrics.loss, torch::binary_cross_entropy_with_logits(scores, truth).item<double>(), 1e-9);
}

TEST_F(PairObjectiveTest, SamplesTrainingEdgesInEveryEpoch) {
  const auto objective =
      pair_objective({.split = split, .decoder = decoder, .description = no_features, .epoch_pairs = 50});
  const std::set<NodePair> known(split.train_positives().begin(), split.train_positives().end());
  std::vector<std::vector<NodePair>> used;
  for (const std::uint64_t epoch : {1, 2, 1}) {
    objective->loss(nothing, {.training = true, .epoch = epoch});
    used.push_back(decoder.pairs);
    ASSERT_EQ(decoder.pairs.size(), 100U);
    for (std::size_t i = 0; i < 50; ++i) EXPECT_TRUE(known.contains(decoder.pairs[i]));
    for (std::size_t i = 50; i < 100; ++i) EXPECT_FALSE(known.contains(decoder.pairs[i]));
  }
  EXPECT_EQ(used[0], used[2]);
  EXPECT_NE(used[0], used[1]);
  const auto all = pair_objective({.split = split, .decoder = decoder, .description = no_features});
  EXPECT_LT(objective->loss_bytes(), all->loss_bytes());
}

TEST_F(PairObjectiveTest, UsesThePartsInTurnAsSupervisionEdgesWithoutMessages) {
  const HiddenEdges hidden = hide_in_turn(split, {.parts = 4, .seed = 9});
  const auto objective =
      pair_objective({.split = split, .decoder = decoder, .description = no_features, .hidden = &hidden});
  std::set<NodePair> used;
  std::set<std::int64_t> views;
  for (std::uint64_t epoch = 8; epoch < 12; ++epoch) {  // one round
    const std::int64_t view = objective->view(epoch);
    ASSERT_GE(view, 1);
    views.insert(view);
    objective->loss(nothing, {.training = true, .epoch = epoch, .view = view});
    const Graph& seen = hidden.graphs[static_cast<std::size_t>(view - 1)];
    const auto half = std::ssize(decoder.pairs) / 2;
    for (std::ptrdiff_t i = 0; i < half; ++i) {
      const NodePair pair = decoder.pairs[static_cast<std::size_t>(i)];
      EXPECT_FALSE(seen.has_arc(pair.first, pair.second));
      used.insert(pair);
    }
  }
  EXPECT_EQ(views.size(), 4u);
  EXPECT_EQ(used.size(), split.train_positives().size()) << "every training edge once in a round of four epochs";
}

TEST_F(PairObjectiveTest, GivesTheDecoderTheFeaturesOfItsPairs) {
  const PairDescription description("common-neighbors", {.graphs = {.graph = split.message_graph()}});
  const auto objective = pair_objective({.split = split, .decoder = decoder, .description = description});
  objective->evaluate(nothing, EvaluationSet::kValid);
  ASSERT_EQ(decoder.features.size(0), 2 * std::ssize(split.valid().positives));
  const auto expected = description.describe(decoder.pairs, 0);
  EXPECT_TRUE(
      torch::equal(decoder.features.flatten(), torch::tensor(at::ArrayRef<float>(expected.data(), expected.size()))));
}

TEST_F(PairObjectiveTest, NeedsOnlyAsManyNegativesAsOnePartHasEdges) {
  // 20 of the 28 pairs of 8 nodes are edges: 16 of them train, and 12 pairs are left for negatives.
  std::vector<Arc> arcs;
  for (NodeId u = 0; u < 8; ++u) {
    for (NodeId v = u + 1; v < 8; ++v) arcs.push_back({u, v});
  }
  arcs.resize(20);
  const Graph dense = testing::undirected(8, arcs);
  const PairSplit few = PairSplit::of_links(dense, 1, {.train = 0.8, .valid = 0.1, .test = 0.1});
  const PairDescription none("", {.graphs = {.graph = few.message_graph()}});
  testing::expect_user_error([&] { pair_objective({.split = few, .decoder = decoder, .description = none}); },
                             "training negatives");
  const HiddenEdges hidden = hide_in_turn(few, {.parts = 5, .seed = 1});
  pair_objective({.split = few, .decoder = decoder, .description = none, .hidden = &hidden});
}

TEST(PairDecoders, StandardiseFeaturesAndLearnFromThem) {
  const std::vector<NodePair> pairs = {{0, 1}, {0, 2}, {1, 2}};
  const torch::Tensor features = torch::tensor({{5.0f, 100.0f, 7.0f}, {6.0f, 300.0f, 7.0f}, {7.0f, 200.0f, 7.0f}});
  const torch::Tensor targets = torch::tensor({1.0f, 0.0f, 1.0f});
  const torch::Tensor z = torch::zeros({3, 4});  // embeddings without information
  for (const char* name : {"mlp", "dot", "scaled-dot", "boosted"}) {
    for (const double dropout : {0.0, 0.5}) {
      const auto decoder = make_decoder(name, {.width = 4, .features = 3, .dropout = dropout, .seed = 2});
      decoder->fit(features, targets);
      const auto scores = decoder->score(z, PairBatch(pairs, 3, features), {});
      EXPECT_NE(scores[0].item<float>(), scores[1].item<float>()) << name;
      // Features in another unit give the same scores; a constant feature is ignored.
      const torch::Tensor scaled = features * 10;
      decoder->fit(scaled, targets);
      EXPECT_TRUE(torch::allclose(decoder->score(z, PairBatch(pairs, 3, scaled), {}), scores, 1e-4, 1e-5)) << name;
      const PairBatch batch(pairs, 3, scaled);
      decoder->score(z, batch, {.training = true, .epoch = 1}).sum().backward();
      for (const NamedTensor& each : decoder->parameters().trained()) {
        EXPECT_TRUE(each.tensor.grad().defined()) << name << " " << each.name;
      }
    }
  }
}

/// 200 pairs; the first feature says which are linked, but for every tenth pair.
struct TaughtPairs {
  std::vector<NodePair> pairs;
  torch::Tensor features = torch::zeros({200, 2});
  torch::Tensor targets = torch::zeros({200});

  TaughtPairs() {
    for (int i = 0; i < 200; ++i) {
      pairs.push_back({static_cast<NodeId>(i % 7), static_cast<NodeId>(7 + i % 3)});
      targets[i] = static_cast<float>(i % 2);
      features[i][0] = static_cast<float>((i % 10 == 0) != (i % 2 == 1) ? 3 : 1);
      features[i][1] = static_cast<float>(i % 5);
    }
  }
};

TEST(BoostedDecoder, KnowsWhatTheFeaturesSayBeforeTheFirstEpoch) {
  const TaughtPairs taught;
  const auto decoder = make_decoder("boosted", {.width = 4, .features = 2});
  decoder->fit(taught.features, taught.targets);
  const torch::Tensor scores =
      decoder->score(torch::zeros({10, 4}), PairBatch(taught.pairs, 10, taught.features), {}).detach();
  const torch::Tensor strong = taught.features.select(1, 0) > 2;
  EXPECT_GT(scores.masked_select(strong).min().item<float>(), scores.masked_select(~strong).max().item<float>());
}

TEST(BoostedDecoder, KeepsItsTreesInBuffers) {
  const TaughtPairs taught;
  const PairBatch batch(taught.pairs, 10, taught.features);
  const torch::Tensor z = torch::randn({10, 4});
  const auto fitted = make_decoder("boosted", {.width = 4, .features = 2, .seed = 1});
  fitted->fit(taught.features, taught.targets);
  const auto loaded = make_decoder("boosted", {.width = 4, .features = 2, .seed = 9});
  const torch::NoGradGuard no_gradients;
  const auto from = fitted->parameters().all();
  const auto to = loaded->parameters().all();
  ASSERT_EQ(from.size(), to.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i].tensor.copy_(from[i].tensor);
  EXPECT_TRUE(torch::equal(loaded->score(z, batch, {}), fitted->score(z, batch, {})));
  for (const float damage : {std::nanf(""), 1e30f, -7.0f}) {
    for (const NamedTensor& each : fitted->parameters().all()) {
      if (each.name == "decoder.trees.features") each.tensor.fill_(damage);
    }
    const PairBatch others(taught.pairs, 10, taught.features.clone());
    EXPECT_THROW(fitted->score(z, others, {}), UserError) << damage;
  }
}

TEST(EnsembleDecoder, ScoresEachMemberInTrainingAndTheirMeanProbabilityOtherwise) {
  const TaughtPairs taught;
  const PairBatch batch(taught.pairs, 10, taught.features);
  const torch::Tensor z = torch::randn({10, 8});
  const auto decoder = make_decoder("mlp", {.width = 8, .members = 2, .features = 2});
  decoder->fit(taught.features, taught.targets);
  const torch::Tensor each = decoder->score(z, batch, {.training = true, .epoch = 1}).detach().reshape({2, 200});
  EXPECT_FALSE(torch::allclose(each[0], each[1])) << "members differ";
  const torch::Tensor mean = torch::sigmoid(each).mean(0);
  const torch::Tensor scores = decoder->score(z, batch, {}).detach();
  EXPECT_TRUE(torch::allclose(torch::sigmoid(scores), mean, 1e-4, 1e-5));
  // The first member reads the first columns alone.
  torch::Tensor changed = z.clone();
  changed.narrow(1, 4, 4).zero_();
  const torch::Tensor after = decoder->score(changed, batch, {.training = true, .epoch = 1}).detach().reshape({2, 200});
  EXPECT_TRUE(torch::equal(after[0], each[0]));
  EXPECT_FALSE(torch::equal(after[1], each[1]));
}

TEST_F(PairObjectiveTest, AveragesTheLossesOfTheMembersOfAnEnsemble) {
  const torch::Tensor z = torch::randn({split.message_graph().num_nodes(), 8});
  const auto pair = make_decoder("mlp", {.width = 8, .members = 2, .seed = 3});
  const auto objective = pair_objective({.split = split, .decoder = *pair, .description = no_features});
  const ForwardOptions training{.training = true, .epoch = 1};
  const double loss = objective->loss({z, z}, training).item<double>();
  const auto negatives = split.train_negatives(1, 0);
  std::vector<NodePair> all = split.train_positives();
  all.insert(all.end(), negatives.begin(), negatives.end());
  const torch::Tensor scores = pair->score(z, PairBatch(all, z.size(0)), training).detach().reshape({2, -1});
  const auto half = static_cast<std::int64_t>(all.size()) / 2;
  const torch::Tensor targets = torch::cat({torch::ones({half}), torch::zeros({half})});
  double expected = 0;
  for (int i = 0; i < 2; ++i) {
    expected += torch::binary_cross_entropy_with_logits(scores[i], targets).item<double>() / 2;
  }
  EXPECT_NEAR(loss, expected, 1e-5);
}

TEST_F(PairObjectiveTest, TrainsOnThePairsOfThePoolWhereTheyHaveFeatures) {
  const HiddenEdges hidden = hide_in_turn(split, {.parts = 4, .seed = 9});
  const PairDescription description("spectral",
                                    {.graphs = {.graph = split.message_graph(), .training = hidden.graphs}});
  const PairPool pool(split, &hidden, description, 5);
  EXPECT_EQ(pool.features().size(0), pool.targets().size(0));
  EXPECT_EQ(pool.targets().sum().item<float>(), static_cast<float>(split.train_positives().size()));
  const auto objective = pair_objective(
      {.split = split, .decoder = decoder, .description = description, .hidden = &hidden, .pool = &pool});
  for (std::uint64_t epoch = 4; epoch < 8; ++epoch) {
    const std::int64_t view = objective->view(epoch);
    objective->loss(nothing, {.training = true, .epoch = epoch, .view = view});
    const auto half = decoder.pairs.size() / 2;
    EXPECT_EQ(half, hidden.parts[static_cast<std::size_t>(view - 1)].size());
    const Graph& seen = hidden.graphs[static_cast<std::size_t>(view - 1)];
    for (std::size_t i = 0; i < decoder.pairs.size(); ++i) {
      const auto [u, v] = decoder.pairs[i];
      EXPECT_EQ(split.train_positive_set().contains(decoder.pairs[i]), i < half);
      EXPECT_FALSE(seen.has_arc(u, v));
    }
    const auto expected = description.describe(decoder.pairs, view);
    EXPECT_TRUE(
        torch::equal(decoder.features.flatten(), torch::tensor(at::ArrayRef<float>(expected.data(), expected.size()))))
        << "features of the graph without the part";
  }
}

}  // namespace
}  // namespace gir
