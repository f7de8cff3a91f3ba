#include "gir/anchors/anchors.h"

#include <gmock/gmock.h>

#include "gir/graph/generators.h"
#include "gir/graph/traversal.h"
#include "support.h"

namespace gir {
namespace {

using ::testing::ElementsAre;
using testing::expect_user_error;
using testing::TempDir;

Graph path(std::int64_t nodes) { return generate_graph("path", {{"nodes", nodes}}).graph; }

TEST(SelectAnchors, RefusesImpossibleCounts) {
  const Graph graph = path(5);
  expect_user_error([&] { select_anchors(graph, {.count = 6}); }, "6 anchors", "5 nodes", "1 .. 5");
  expect_user_error([&] { select_anchors(graph, {.count = 0}); }, "0 anchors");
  expect_user_error([&] { select_anchors(Graph(), {.count = 1}); }, "without nodes");
  expect_user_error([&] { select_anchors(graph, {.count = 1, .strategy = "pagerang"}); }, "unknown strategy",
                    "known: pagerank");
  expect_user_error([&] { select_anchors(graph, {.count = 5, .fill = "dgree"}); }, "known: degree");
}

TEST(SelectAnchors, FillsUpByAnotherStrategy) {
  // The centre of a star covers all nodes.
  const Graph star = generate_graph("star", {{"nodes", 6}}).graph;
  const AnchorSelection alone = select_anchors(star, {.count = 3});
  EXPECT_THAT(alone.anchors, ElementsAre(0));
  EXPECT_TRUE(alone.restricted);
  const AnchorSelection filled = select_anchors(star, {.count = 3, .fill = "degree"});
  EXPECT_THAT(filled.anchors, ElementsAre(0, 1, 2));
  EXPECT_TRUE(filled.restricted);
}

TEST(AnchorFile, ReadsOriginalIds) {
  const TempDir dir;
  const Graph graph = build_graph({.arcs = {{0, 1}, {1, 2}}, .names = NodeNames::strings({"a", "b c", "d"})});
  const auto file = dir.file("anchors.txt", "# mine\nd\r\n\nb c\n");
  EXPECT_THAT(read_anchors(file, graph), ElementsAre(2, 1));
  EXPECT_THAT(select_anchors(graph, {.count = 3, .strategy = "file", .file = file}).anchors, ElementsAre(2, 1));
}

TEST(AnchorFile, NamesTheLineThatIsWrong) {
  const TempDir dir;
  const Graph graph = path(3);
  const auto read = [&](std::string_view text) { read_anchors(dir.file("a.txt", text), graph); };
  expect_user_error([&] { read("0\n7\n"); }, "a.txt:2:", "no node \"7\"");
  expect_user_error([&] { read("0\n1\n0\n"); }, "a.txt:3:", "line 1 already");
  expect_user_error([&] { read("# nothing\n"); }, "names no nodes");
  expect_user_error([&] { select_anchors(graph, {.count = 1, .strategy = "file"}); },
                    "[set `anchors` to a file of node ids]");
}

TEST(AnchorFile, ReadsBackWhatWasWritten) {
  const TempDir dir;
  const Graph graph = build_graph({.arcs = {{0, 1}, {1, 2}}, .names = NodeNames::integers({10, 500, 7000})});
  const std::vector<NodeId> anchors = {2, 0};
  write_anchors(dir / "a.txt", graph, anchors);
  EXPECT_EQ(testing::read_text(dir / "a.txt"), "7000\n10\n");
  EXPECT_EQ(read_anchors(dir / "a.txt", graph), anchors);
}

TEST(AnchorCoverage, CountsNodesByHop) {
  const std::vector<NodeId> middle = {2};
  const AnchorCoverage coverage = anchor_coverage(path(6), middle);
  EXPECT_THAT(coverage.by_hop, ElementsAre(1, 3, 5, 6));
  EXPECT_EQ(coverage.eccentricity, 3);
  EXPECT_EQ(coverage.unreached, 0);
}

TEST(AnchorCoverage, FollowsDirectionsAndCountsUnreachableNodes) {
  const Graph graph =
      build_graph({.arcs = {{0, 1}, {1, 2}, {3, 2}}, .directed = true, .names = NodeNames::positions(5)});
  const std::vector<NodeId> anchors = {1};
  const AnchorCoverage coverage = anchor_coverage(graph, anchors);
  EXPECT_THAT(coverage.by_hop, ElementsAre(1, 2));
  EXPECT_EQ(coverage.unreached, 3);
}

}  // namespace
}  // namespace gir
