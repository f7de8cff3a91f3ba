#include "gir/graph/node_names.h"

#include <gmock/gmock.h>

#include <limits>

#include "gir/core/error.h"

namespace gir {
namespace {

using Kind = NodeNames::Kind;
using ::testing::Eq;
using ::testing::Optional;

TEST(NodeNames, OfPositionsAreTheNumbersThemselves) {
  const NodeNames names = NodeNames::positions(3);
  EXPECT_EQ(names.kind(), Kind::kPositions);
  EXPECT_EQ(names.size(), 3);
  EXPECT_EQ(names.name(2), "2");
  EXPECT_THAT(names.find("2"), Optional(2));
}

TEST(NodeNames, OfConsecutiveIntegersFromZeroArePositions) {
  EXPECT_EQ(NodeNames::integers({0, 1, 2}).kind(), Kind::kPositions);
  EXPECT_EQ(NodeNames::integers({}).kind(), Kind::kPositions);
  EXPECT_EQ(NodeNames::integers({1, 2, 3}).kind(), Kind::kIntegers);
  EXPECT_EQ(NodeNames::integers({0, 2, 1}).kind(), Kind::kIntegers);
}

TEST(NodeNames, FindIntegersInAscendingOrder) {
  const NodeNames names = NodeNames::integers({-7, 10, 400});
  EXPECT_EQ(names.name(0), "-7");
  EXPECT_EQ(names.integer(2), 400);
  EXPECT_THAT(names.find("-7"), Optional(0));
  EXPECT_THAT(names.find("400"), Optional(2));
}

TEST(NodeNames, FindIntegersInAnyOrder) {
  const NodeNames names = NodeNames::integers({30, 10, 20});
  EXPECT_THAT(names.find("30"), Optional(0));
  EXPECT_THAT(names.find("10"), Optional(1));
  EXPECT_THAT(names.find("20"), Optional(2));
}

TEST(NodeNames, HoldTheLargestIntegers) {
  const NodeNames names =
      NodeNames::integers({std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()});
  EXPECT_EQ(names.name(0), "9223372036854775807");
  EXPECT_THAT(names.find("-9223372036854775808"), Optional(1));
}

TEST(NodeNames, FindStringsInAnyOrder) {
  const NodeNames names = NodeNames::strings({"pear", "", "apple", "plum 2"});
  EXPECT_EQ(names.kind(), Kind::kStrings);
  EXPECT_EQ(names.name(3), "plum 2");
  EXPECT_THAT(names.find("pear"), Optional(0));
  EXPECT_THAT(names.find(""), Optional(1));
  EXPECT_THAT(names.find("apple"), Optional(2));
  EXPECT_THAT(names.find("plum 2"), Optional(3));
}

TEST(NodeNames, FindStringsInAscendingOrder) {
  const NodeNames names = NodeNames::strings({"a", "ab", "b"});
  EXPECT_THAT(names.find("a"), Optional(0));
  EXPECT_THAT(names.find("ab"), Optional(1));
  EXPECT_THAT(names.find("b"), Optional(2));
}

TEST(NodeNames, KeepStringsThatLookLikeNumbers) {
  const NodeNames names = NodeNames::strings({"007", "7"});
  EXPECT_THAT(names.find("7"), Optional(1));
  EXPECT_THAT(names.find("007"), Optional(0));
}

TEST(NodeNames, FindNothingUnderAnAbsentName) {
  const NodeNames integers = NodeNames::integers({30, 10, 20});
  for (const char* name : {"5", "15", "31", "x", "", "10x", "1e1", "99999999999999999999"}) {
    EXPECT_THAT(integers.find(name), Eq(std::nullopt)) << name;
  }
  const NodeNames strings = NodeNames::strings({"b", "d"});
  for (const char* name : {"a", "c", "e", "", "bb"}) EXPECT_THAT(strings.find(name), Eq(std::nullopt)) << name;
  const NodeNames positions = NodeNames::positions(3);
  for (const char* name : {"3", "-1", "x", "", "4294967296"})
    EXPECT_THAT(positions.find(name), Eq(std::nullopt)) << name;
}

TEST(NodeNames, FindNothingAmongNoNames) {
  EXPECT_THAT(NodeNames().find("0"), Eq(std::nullopt));
  EXPECT_THAT(NodeNames::strings({}).find("0"), Eq(std::nullopt));
}

TEST(NodeNames, MustBeDistinct) {
  EXPECT_THROW(NodeNames::integers({1, 2, 1}), InternalError);
  EXPECT_THROW(NodeNames::integers({1, 1}), InternalError);
  EXPECT_THROW(NodeNames::strings({"a", "a"}), InternalError);
}

TEST(NodeNames, ExistForNodesOnly) {
  const NodeNames names = NodeNames::positions(2);
  EXPECT_THROW(names.name(2), InternalError);
  EXPECT_THROW(names.name(-1), InternalError);
}

TEST(NodeNames, OfASubsetAreTheOldNames) {
  const std::vector<NodeId> nodes = {0, 2};
  const NodeNames positions = NodeNames::positions(3).subset(nodes);
  EXPECT_EQ(positions.kind(), Kind::kIntegers);
  EXPECT_EQ(positions.name(1), "2");
  EXPECT_THAT(positions.find("1"), Eq(std::nullopt));
  EXPECT_EQ(NodeNames::integers({30, 10, 20}).subset(nodes).name(1), "20");
  const NodeNames strings = NodeNames::strings({"z", "y", "x"}).subset(nodes);
  EXPECT_EQ(strings.name(1), "x");
  EXPECT_THAT(strings.find("z"), Optional(0));
  EXPECT_THAT(strings.find("y"), Eq(std::nullopt));
}

TEST(NodeNames, OfTheFirstNodesStayPositions) {
  const std::vector<NodeId> nodes = {0, 1};
  EXPECT_EQ(NodeNames::positions(3).subset(nodes).kind(), Kind::kPositions);
}

TEST(NodeNames, CloneFindsTheSameNodes) {
  const NodeNames copy = NodeNames::strings({"pear", "apple"}).clone();
  EXPECT_EQ(copy.size(), 2);
  EXPECT_THAT(copy.find("apple"), Optional(1));
  EXPECT_EQ(copy.name(0), "pear");
}

}  // namespace
}  // namespace gir
