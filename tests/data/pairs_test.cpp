#include "gir/data/pairs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "support.h"

namespace gir {
namespace {

const auto kNothingExcluded = [](NodePair) { return false; };

TEST(PairSet, DistinguishesMembersFromOthersWhileItGrows) {
  PairSet set;
  std::set<NodePair> expected;
  Rng rng(0, "test/pair-set");
  for (int i = 0; i < 20'000; ++i) {
    const NodePair pair = make_pair_of(static_cast<NodeId>(rng.below(200)), static_cast<NodeId>(200 + rng.below(200)));
    EXPECT_EQ(set.insert(pair), expected.insert(pair).second);
  }
  EXPECT_EQ(set.size(), expected.size());
  for (NodeId a = 0; a < 200; ++a) {
    for (NodeId b = 200; b < 400; ++b) EXPECT_EQ(set.contains({a, b}), expected.contains({a, b}));
  }
}

TEST(PairUniverse, NumbersEveryPairOfNodesOnce) {
  const PairUniverse universe = PairUniverse::all(60);
  ASSERT_EQ(universe.size(), 60u * 59 / 2);
  std::set<NodePair> seen;
  for (std::uint64_t i = 0; i < universe.size(); ++i) {
    const NodePair pair = universe.pair(i);
    EXPECT_LT(pair.first, pair.second);
    EXPECT_LT(pair.second, 60);
    seen.insert(pair);
  }
  EXPECT_EQ(seen.size(), universe.size());
}

TEST(PairUniverse, IsExactForTheLargestGraphs) {
  const PairUniverse universe = PairUniverse::all(kMaxNodes);
  const std::uint64_t last = universe.size() - 1;
  EXPECT_EQ(universe.pair(last), (NodePair{static_cast<NodeId>(kMaxNodes - 2), static_cast<NodeId>(kMaxNodes - 1)}));
  EXPECT_EQ(universe.pair(0), (NodePair{0, 1}));
  // The first pair of a larger node follows the last pair of the one before.
  const std::uint64_t larger = 2'000'000'000;
  const std::uint64_t first = larger * (larger - 1) / 2;
  EXPECT_EQ(universe.pair(first), (NodePair{0, static_cast<NodeId>(larger)}));
  EXPECT_EQ(universe.pair(first - 1), (NodePair{static_cast<NodeId>(larger - 2), static_cast<NodeId>(larger - 1)}));
}

TEST(PairUniverse, StaysInsideGroups) {
  const std::vector<std::int32_t> group = {0, 1, 0, -1, 1, 0, 2};
  const PairUniverse universe = PairUniverse::within(group, 3);
  std::set<NodePair> seen;
  for (std::uint64_t i = 0; i < universe.size(); ++i) seen.insert(universe.pair(i));
  EXPECT_EQ(seen, (std::set<NodePair>{{0, 2}, {0, 5}, {2, 5}, {1, 4}}));
}

TEST(DrawPairs, GivesDistinctPairsThatAreNotExcluded) {
  const PairUniverse universe = PairUniverse::all(50);
  const auto excluded = [](NodePair pair) { return pair.first < 5; };
  const auto drawn = draw_pairs(universe, 300, 5 * 49, excluded, RandomStream(3, "test"), "test");
  EXPECT_EQ(std::set<NodePair>(drawn.begin(), drawn.end()).size(), 300u);
  for (const NodePair pair : drawn) EXPECT_FALSE(excluded(pair));
}

TEST(DrawPairs, ReturnsPairsInTheOrderOfTheStream) {
  struct Draw {
    std::int64_t nodes;
    std::size_t count;
  };
  // A universe with a bitmap, and one that is too large for it; both draw some pairs twice.
  for (const auto [nodes, count] : {Draw{60, 700}, Draw{2500, 2500}}) {
    const PairUniverse universe = PairUniverse::all(nodes);
    const auto excluded = [](NodePair pair) { return pair.first < 5; };
    const RandomStream stream(4, "test");
    std::vector<NodePair> expected;
    std::set<NodePair> seen;
    std::uint64_t index = 0;
    for (; expected.size() < count; ++index) {
      const NodePair pair = universe.pair(stream.below(index, universe.size()));
      if (!excluded(pair) && seen.insert(pair).second) expected.push_back(pair);
    }
    const auto num_excluded = static_cast<std::uint64_t>(5 * nodes - 15);
    EXPECT_EQ(draw_pairs(universe, count, num_excluded, excluded, stream, "test"), expected);
  }
}

TEST(PairDrawer, DrawsWhatDrawPairsDraws) {
  struct Case {
    std::int64_t nodes;
    std::size_t excluded;
    std::size_t count;
  };
  // Small and large universes, one with few free pairs, and more pairs than are excluded.
  for (const auto& [nodes, excluded, count] :
       {Case{60, 300, 300}, Case{60, 300, 1200}, Case{60, 900, 870}, Case{4000, 20, 50}, Case{500, 400, 400}}) {
    const PairUniverse universe = PairUniverse::all(nodes);
    PairSet set;
    for (const NodePair pair : draw_pairs(universe, excluded, 0, kNothingExcluded, RandomStream(9, "test"), "test")) {
      set.insert(pair);
    }
    const PairDrawer drawer(universe, set);
    for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
      const RandomStream stream(4, "test", epoch);
      EXPECT_EQ(drawer.draw(universe, set, count, stream, "test"),
                draw_pairs(
                    universe, count, set.size(), [&](NodePair pair) { return set.contains(pair); }, stream, "test"))
          << nodes << " nodes, " << count << " pairs";
    }
  }
}

TEST(DrawPairs, FindsTheLastFreePairs) {
  const PairUniverse universe = PairUniverse::all(30);
  const auto excluded = [](NodePair pair) { return pair != NodePair{3, 4} && pair != NodePair{7, 29}; };
  const auto drawn = draw_pairs(universe, 2, universe.size() - 2, excluded, RandomStream(3, "test"), "test");
  EXPECT_EQ(std::set<NodePair>(drawn.begin(), drawn.end()), (std::set<NodePair>{{3, 4}, {7, 29}}));
  testing::expect_user_error(
      [&] { draw_pairs(universe, 3, universe.size() - 2, excluded, RandomStream(3, "test"), "negatives"); },
      "negatives: 3 pairs are needed, but only 2");
}

TEST(DrawPairs, IsUniform) {
  // 6 pairs, one drawn from each of 6000 streams: each about 1000 times, with either algorithm.
  for (const std::uint64_t num_excluded : {0, 5}) {
    std::map<NodePair, int> count;
    for (std::uint64_t seed = 0; seed < 6000; ++seed) {
      const auto drawn =
          draw_pairs(PairUniverse::all(4), 1, num_excluded, kNothingExcluded, RandomStream(seed, "test"), "test");
      ++count[drawn[0]];
    }
    ASSERT_EQ(count.size(), 6u);
    for (const auto& [pair, times] : count) EXPECT_LT(std::abs(times - 1000), 150);
  }
}

TEST(DrawPairs, DependsOnTheStreamAlone) {
  const PairUniverse universe = PairUniverse::all(1000);
  const auto draw = [&](std::uint64_t seed, std::uint64_t epoch) {
    return draw_pairs(universe, 100, 0, kNothingExcluded, RandomStream(seed, "test", epoch), "test");
  };
  EXPECT_EQ(draw(1, 0), draw(1, 0));
  EXPECT_NE(draw(1, 0), draw(2, 0));
  EXPECT_NE(draw(1, 0), draw(1, 1));
}

}  // namespace
}  // namespace gir
