#include "gir/data/hidden_edges.h"

#include <gmock/gmock.h>

#include <set>

#include "graph/random_graphs.h"
#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;

TEST(HiddenEdges, PartitionTheTrainingEdgesAndAreMissingFromTheirGraphOnly) {
  const Graph graph = testing::build(testing::random_large_lines(200, 900, false, 7));
  const PairSplit split = PairSplit::of_links(graph, 1, default_shares(Task::kLinkPrediction));
  const HiddenEdges hidden = hide_in_turn(split, {.parts = 7, .seed = 5});
  ASSERT_EQ(hidden.parts.size(), 7u);
  ASSERT_EQ(hidden.graphs.size(), 7u);
  std::set<NodePair> seen;
  const auto edges = std::ssize(split.train_positives());
  for (std::size_t part = 0; part < hidden.parts.size(); ++part) {
    const Graph& rest = hidden.graphs[part];
    EXPECT_EQ(rest.num_nodes(), graph.num_nodes());
    EXPECT_EQ(rest.num_arcs(), 2 * (edges - std::ssize(hidden.parts[part])));
    EXPECT_NEAR(static_cast<double>(hidden.parts[part].size()), static_cast<double>(edges) / 7, 1);
    for (const NodePair pair : hidden.parts[part]) {
      EXPECT_TRUE(seen.insert(pair).second);
      EXPECT_FALSE(rest.has_arc(pair.first, pair.second));
      EXPECT_TRUE(split.message_graph().has_arc(pair.first, pair.second));
    }
  }
  EXPECT_EQ(std::ssize(seen), edges);
}

TEST(HiddenEdges, AreDividedIntoOtherPartsInEveryRound) {
  const Graph graph = testing::build(testing::random_large_lines(200, 900, false, 7));
  const PairSplit split = PairSplit::of_links(graph, 1, default_shares(Task::kLinkPrediction));
  const HiddenEdges hidden = hide_in_turn(split, {.parts = 4, .rounds = 3, .seed = 5});
  ASSERT_EQ(hidden.parts.size(), 12u);
  ASSERT_EQ(hidden.graphs.size(), 12u);
  for (std::size_t round = 0; round < 3; ++round) {
    std::set<NodePair> seen;
    for (std::size_t part = 4 * round; part < 4 * (round + 1); ++part) {
      seen.insert(hidden.parts[part].begin(), hidden.parts[part].end());
      for (const NodePair pair : hidden.parts[part]) {
        ASSERT_FALSE(hidden.graphs[part].has_arc(pair.first, pair.second));
      }
    }
    EXPECT_EQ(seen.size(), split.train_positives().size()) << "every round has all training edges";
  }
  EXPECT_NE(hidden.parts[0], hidden.parts[4]);
  const std::vector<std::vector<NodePair>> of_first_round(hidden.parts.begin(), hidden.parts.begin() + 4);
  EXPECT_EQ(hide_in_turn(split, {.parts = 4, .seed = 5}).parts, of_first_round);
  EXPECT_EQ(hide_in_turn(split, {.parts = 4, .rounds = 3, .used = 5, .seed = 5}).parts.size(), 5u);
}

TEST(HiddenEdges, DependOnTheSeedAlone) {
  const Graph graph = testing::build(testing::random_large_lines(50, 200, true, 7));
  const PairSplit split = PairSplit::of_links(graph, 1, default_shares(Task::kLinkPrediction));
  EXPECT_EQ(hide_in_turn(split, {.parts = 3, .seed = 5}).parts, hide_in_turn(split, {.parts = 3, .seed = 5}).parts);
  EXPECT_NE(hide_in_turn(split, {.parts = 3, .seed = 5}).parts, hide_in_turn(split, {.parts = 3, .seed = 6}).parts);
}

TEST(HiddenEdges, RefuseInvalidNumbersOfParts) {
  const Graph graph = testing::build(testing::random_large_lines(20, 40, false, 7));
  const PairSplit split = PairSplit::of_links(graph, 1, default_shares(Task::kLinkPrediction));
  expect_user_error([&] { hide_in_turn(split, {.parts = 1}); }, "1 parts");
  expect_user_error([&] { hide_in_turn(split, {.parts = 1000}); }, "1000 parts");
}

}  // namespace
}  // namespace gir
