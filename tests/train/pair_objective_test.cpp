#include <gmock/gmock.h>

#include <set>

#include "gir/train/objective.h"
#include "graph/random_graphs.h"
#include "support.h"

namespace gir {
namespace {

/// Scores nothing and remembers what it was asked about.
class AskedAbout : public PairDecoder {
 public:
  AskedAbout() : PairDecoder(0) {}

  at::Tensor score(const at::Tensor&, const PairBatch& batch, const ForwardOptions&) const override {
    pairs.assign(batch.pairs().begin(), batch.pairs().end());
    features = batch.features();
    return torch::zeros({batch.num_pairs()});
  }

  mutable std::vector<NodePair> pairs;
  mutable at::Tensor features;
};

class PairObjectiveTest : public ::testing::Test {
 protected:
  Graph graph = testing::build(testing::random_large_lines(120, 500, false, 3));
  PairSplit split = PairSplit::of_links(graph, 1, default_shares(Task::kLinkPrediction));
  PairDescription no_features{"", {.graph = split.message_graph()}, {}};
  AskedAbout decoder;
  ModelOutput nothing;
};

TEST_F(PairObjectiveTest, AsksAboutAllTrainingEdgesAndAsManyOtherPairs) {
  const auto objective = pair_objective({.split = split, .decoder = decoder, .description = no_features});
  EXPECT_EQ(objective->view(5), 0);
  objective->loss(nothing, {.training = true, .epoch = 5});
  const auto& positives = split.train_positives();
  ASSERT_EQ(decoder.pairs.size(), 2 * positives.size());
  EXPECT_TRUE(std::equal(positives.begin(), positives.end(), decoder.pairs.begin()));
  EXPECT_FALSE(decoder.features.defined());
}

TEST_F(PairObjectiveTest, AsksInTurnAboutEdgesThatMessagesDoNotSee) {
  const HiddenEdges hidden = hide_in_turn(split, 4, 9);
  const auto objective =
      pair_objective({.split = split, .decoder = decoder, .description = no_features, .hidden = &hidden});
  std::set<NodePair> asked;
  std::set<std::int64_t> views;
  for (std::uint64_t epoch = 1; epoch <= 4; ++epoch) {
    const std::int64_t view = objective->view(epoch);
    ASSERT_GE(view, 1);
    views.insert(view);
    objective->loss(nothing, {.training = true, .epoch = epoch, .view = view});
    const Graph& seen = hidden.graphs[static_cast<std::size_t>(view - 1)];
    const auto half = std::ssize(decoder.pairs) / 2;
    for (std::ptrdiff_t i = 0; i < half; ++i) {
      const NodePair pair = decoder.pairs[static_cast<std::size_t>(i)];
      EXPECT_FALSE(seen.has_arc(pair.first, pair.second));
      asked.insert(pair);
    }
  }
  EXPECT_EQ(views.size(), 4u);
  EXPECT_EQ(asked.size(), split.train_positives().size()) << "every training edge once in four epochs";
}

TEST_F(PairObjectiveTest, GivesTheDecoderTheFeaturesOfItsPairs) {
  const PairDescription description("common-neighbors", {.graph = split.message_graph()}, split.train_positives());
  const auto objective = pair_objective({.split = split, .decoder = decoder, .description = description});
  objective->judge(nothing, Part::kValid);
  ASSERT_EQ(decoder.features.size(0), 2 * std::ssize(split.valid().positives));
  const auto expected = description.describe(decoder.pairs, 0);
  EXPECT_TRUE(torch::equal(decoder.features.flatten(),
                           torch::tensor(at::ArrayRef<float>(expected.data(), expected.size()))));
}

}  // namespace
}  // namespace gir
