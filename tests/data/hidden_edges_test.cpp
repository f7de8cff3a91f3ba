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
  const HiddenEdges hidden = hide_in_turn(split, 7, 5);
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

TEST(HiddenEdges, DependOnTheSeedAlone) {
  const Graph graph = testing::build(testing::random_large_lines(50, 200, true, 7));
  const PairSplit split = PairSplit::of_links(graph, 1, default_shares(Task::kLinkPrediction));
  EXPECT_EQ(hide_in_turn(split, 3, 5).parts, hide_in_turn(split, 3, 5).parts);
  EXPECT_NE(hide_in_turn(split, 3, 5).parts, hide_in_turn(split, 3, 6).parts);
}

TEST(HiddenEdges, RefuseInvalidNumbersOfParts) {
  const Graph graph = testing::build(testing::random_large_lines(20, 40, false, 7));
  const PairSplit split = PairSplit::of_links(graph, 1, default_shares(Task::kLinkPrediction));
  expect_user_error([&] { hide_in_turn(split, 1, 0); }, "1 parts");
  expect_user_error([&] { hide_in_turn(split, 1000, 0); }, "1000 parts");
}

}  // namespace
}  // namespace gir
