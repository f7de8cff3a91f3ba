#include "gir/models/verify.h"

#include <gmock/gmock.h>

#include <numeric>

#include "gir/anchors/anchors.h"
#include "gir/data/dataset.h"
#include "gir/graph/generators.h"
#include "gir/graph/traversal.h"
#include "gir/nn/frontier_linear.h"
#include "graph/random_graphs.h"
#include "support.h"

namespace gir {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

std::vector<NodeId> random_nodes(const Graph& graph, std::uint64_t seed) {
  std::vector<NodeId> nodes;
  Rng rng(seed, "test/anchors");
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    if (rng.below(4) == 0) nodes.push_back(v);
  }
  if (nodes.empty()) nodes.push_back(0);
  rng.shuffle(nodes);
  return nodes;
}

TEST(Verify, HoldsOnRandomGraphsOfAnyKind) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Graph graph = testing::build(testing::random_lines(seed));
    const auto anchors = random_nodes(graph, seed);
    const auto count = std::ssize(anchors);
    const Verification result = verify_positions(graph, anchors, {.anchor_sets = count % 2 == 0 ? count / 2 : 1});
    ASSERT_TRUE(result.holds()) << "seed " << seed;
    ASSERT_EQ(result.theorems[0].checked, graph.num_nodes() * count);
    ASSERT_EQ(result.theorems[1].checked, graph.num_nodes() - count);
  }
}

/// The output of vanilla GIR for an anchor is one more than the smallest distance of its in-neighbours.
TEST(Verify, OutputsTheShortestReturnWalkForAnchors) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Graph graph = testing::build(testing::random_lines(seed));
    const auto anchors = random_nodes(graph, seed);
    const auto distances = hop_distances(graph, anchors);
    std::map<std::int32_t, std::int64_t> expected;
    for (const NodeId anchor : anchors) {
      std::int32_t nearest = kUnreachable;
      for (const NodeId u : graph.in_neighbors(anchor)) {
        if (distances[u] == kUnreachable) continue;
        nearest = nearest == kUnreachable ? distances[u] : std::min(nearest, distances[u]);
      }
      ++expected[nearest == kUnreachable ? kUnreachable : nearest + 1];
    }
    const AnchorReadings read = verify_positions(graph, anchors).anchors;
    ASSERT_EQ((std::map<std::int32_t, std::int64_t>(read.by_reading.begin(), read.by_reading.end())), expected);
    ASSERT_EQ(read.right, 0);
  }
}

TEST(Verify, HoldsOnKarateAndTheSixDatasets) {
  GIR_NEEDS_DATA();
  for (const char* name : {"karate", "email", "europe", "usa", "celegans", "ns", "pb"}) {
    const Dataset dataset = load_dataset(name, *testing::data_directory());
    const Graph& graph = dataset.data.graph;
    const auto anchors = select_anchors(graph, {.count = std::min<std::int64_t>(8, graph.num_nodes())}).anchors;
    EXPECT_TRUE(verify_positions(graph, anchors, {.anchor_sets = 2}).holds()) << name;
  }
}

TEST(Verify, HoldsWhereTheAnchorsAreFarAndHubsAreLarge) {
  const std::vector<NodeId> end = {0};
  EXPECT_TRUE(verify_positions(generate_graph("path", {{"nodes", 400}}).graph, end).holds());
  EXPECT_TRUE(verify_positions(generate_graph("star", {{"nodes", 20000}}).graph, end).holds());
  const std::vector<NodeId> leaf = {7};
  EXPECT_TRUE(verify_positions(generate_graph("star", {{"nodes", 20000}}).graph, leaf).holds());
}

TEST(Verify, SkipsGirMixIfTheAnchorsCannotBeDivided) {
  const Graph path = generate_graph("path", {{"nodes", 5}}).graph;
  const std::vector<NodeId> anchors = {0, 2, 4};
  const Verification result = verify_positions(path, anchors, {.anchor_sets = 2});
  EXPECT_EQ(result.theorems.size(), 2u);
  EXPECT_THAT(result.notes, ElementsAre(::testing::HasSubstr("3 anchors cannot be divided into 2")));
}

TEST(Verify, ReportsProgressPerAnchorThoughItProcessesAFewAtATime) {
  const Graph path = generate_graph("path", {{"nodes", 50}}).graph;
  std::vector<NodeId> anchors(40);
  std::iota(anchors.begin(), anchors.end(), 0);
  std::vector<std::int64_t> done = {0};
  verify_positions(path, anchors, {}, {}, [&](const Progress& progress) {
    if (progress.what != "gir-a") return;
    EXPECT_EQ(progress.total, 40);
    EXPECT_EQ(progress.unit, "anchors");
    done.push_back(progress.done);
  });
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(done.back(), 40);
}

TEST(Verify, RequiresAnAnchor) {
  testing::expect_user_error([] { verify_positions(generate_graph("path", {{"nodes", 5}}).graph, {}); }, "no anchors");
}

/// A deliberately broken layer: messages along `edges` instead.
template <typename Damage>
LayerFunction broken_layer(const Graph& graph, const Damage& damage) {
  return [&graph, damage](const at::Tensor& h, const at::Tensor& w_self, const at::Tensor& w_messages,
                          const at::Tensor& bias, const Messages& messages) {
    FrontierEdges edges = edges_leaving(
        graph, std::vector<NodeId>(messages.edges().sending_nodes.begin(), messages.edges().sending_nodes.end()));
    damage(edges);
    return frontier_linear(h, w_self, w_messages, bias, Messages(edges, graph.num_nodes(), MessageFunction::kMean));
  };
}

class BrokenLayer : public ::testing::Test {
 protected:
  bool holds_with(const LayerFunction& layer) const { return verify_positions(graph_, anchors_, {}, layer).holds(); }

  Graph graph_ = generate_graph("karate").graph;
  std::vector<NodeId> anchors_ = {0, 33};
};

TEST_F(BrokenLayer, PassesWhenNothingIsBroken) {
  EXPECT_TRUE(holds_with(broken_layer(graph_, [](FrontierEdges&) {})));
}

TEST_F(BrokenLayer, FailsWhenTheMeanDividesByTheDegree) {
  EXPECT_FALSE(holds_with(broken_layer(graph_, [&](FrontierEdges& edges) {
    for (std::int64_t i = 0; i < edges.receivers.size(); ++i) {
      edges.inverse_totals[i] = 1 / static_cast<double>(graph_.in_degree(edges.receivers[i]));
    }
  })));
}

TEST_F(BrokenLayer, FailsWhenOneMessageIsLost) {
  EXPECT_FALSE(holds_with(broken_layer(graph_, [](FrontierEdges& edges) {
    edges.senders[0] = edges.receivers[0];  // the first receiver receives its own message instead
  })));
}

TEST_F(BrokenLayer, FailsWhenTheBiasIsForgotten) {
  EXPECT_FALSE(holds_with(
      [](const at::Tensor& h, const at::Tensor& w_self, const at::Tensor& w_messages, const at::Tensor&,
         const Messages& messages) { return frontier_linear(h, w_self, w_messages, at::Tensor(), messages); }));
}

TEST_F(BrokenLayer, FailsWhenEveryNodeSends) {
  std::vector<NodeId> everyone;
  for (NodeId v = 0; v < graph_.num_nodes(); ++v) everyone.push_back(v);
  const FrontierEdges edges = edges_leaving(graph_, everyone);
  EXPECT_FALSE(holds_with([&](const at::Tensor& h, const at::Tensor& w_self, const at::Tensor& w_messages,
                              const at::Tensor& bias, const Messages&) {
    return frontier_linear(h, w_self, w_messages, bias, Messages(edges, graph_.num_nodes(), MessageFunction::kMean));
  }));
}

TEST(TraceVanilla, GivesAnAnchorAndANodeTwoHopsAwayTheSameVector) {
  const Graph path = generate_graph("path", {{"nodes", 3}}).graph;
  const std::vector<NodeId> anchors = {0};
  const auto vectors = trace_vanilla(path, anchors, 4);
  for (const at::Tensor& h : vectors) {
    EXPECT_TRUE(at::equal(h[0], h[2]));
    EXPECT_FALSE(at::equal(h[0], h[1]));
  }
}

}  // namespace
}  // namespace gir
