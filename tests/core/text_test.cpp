#include "gir/core/text.h"

#include <gmock/gmock.h>

#include <limits>

namespace gir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CanonicalName, IsLowerCaseWithHyphens) { EXPECT_EQ(canonical_name("Amazon_Photo-2"), "amazon-photo-2"); }

TEST(SplitList, RemovesBlanksAndEmptyItems) {
  EXPECT_THAT(split_list("a, b c ,,d"), ElementsAre("a", "b c", "d"));
  EXPECT_THAT(split_list(" , "), IsEmpty());
  EXPECT_THAT(split_list(""), IsEmpty());
}

TEST(NearestFirst, OrdersByEditDistance) {
  EXPECT_THAT(nearest_first("p-in", {"blocks", "nodes", "p-out", "p-in"}),
              ElementsAre("p-in", "p-out", "nodes", "blocks"));
}

TEST(NearestFirst, KeepsTheOrderOfEquallyNearNames) {
  EXPECT_THAT(nearest_first("x", {"c", "a", "b"}), ElementsAre("c", "a", "b"));
}

TEST(NearestFirst, CountsInsertionsDeletionsAndSubstitutions) {
  EXPECT_THAT(nearest_first("kitten", {"sitting", "kitte", "kittens", "mitten", "kitten", ""}),
              ElementsAre("kitten", "kitte", "kittens", "mitten", "sitting", ""));
}

TEST(NearestFirst, IgnoresUpperCase) {
  EXPECT_THAT(nearest_first("usar", {"Us", "USAir"}), ElementsAre("USAir", "Us"));
}

TEST(NearestFirst, AcceptsAnEmptyList) { EXPECT_THAT(nearest_first("x", {}), IsEmpty()); }

TEST(SimilarNames, AreThoseWithinAThirdOfTheLength) {
  EXPECT_THAT(similar_names("formt", {"device", "format", "form"}), ElementsAre("format", "form"));
  EXPECT_THAT(similar_names("inof", {"info", "list"}), ElementsAre("info"));
  EXPECT_THAT(similar_names("dat", {"data", "dual", "eval"}), ElementsAre("data"));
  EXPECT_THAT(similar_names("frobnicate", {"data", "info"}), IsEmpty());
}

TEST(SimilarNames, IncludeNamesThatBeginWithTheWord) {
  EXPECT_THAT(similar_names("weight", {"weight-decay", "width", "height"}), ElementsAre("height", "weight-decay"));
  EXPECT_THAT(similar_names("we", {"weight-decay"}), IsEmpty()) << "two letters begin too many names";
}

TEST(SimilarNames, AreAtMostThree) {
  EXPECT_THAT(similar_names("aaaa", {"aaab", "aaac", "aaad", "aaae"}), ElementsAre("aaab", "aaac", "aaad"));
}

TEST(Join, PutsTheSeparatorBetweenItems) {
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(join({"a"}, ", "), "a");
  EXPECT_EQ(join({"a", "b", "c"}, ", "), "a, b, c");
}

TEST(WithThousands, SeparatesGroupsOfThreeDigits) {
  EXPECT_EQ(with_thousands(0), "0");
  EXPECT_EQ(with_thousands(999), "999");
  EXPECT_EQ(with_thousands(1000), "1,000");
  EXPECT_EQ(with_thousands(1234567), "1,234,567");
}

TEST(WithThousands, PutsNoCommaAfterAMinusSign) {
  EXPECT_EQ(with_thousands(-123), "-123");
  EXPECT_EQ(with_thousands(-123456), "-123,456");
  EXPECT_EQ(with_thousands(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(HumanBytes, ChoosesTheUnit) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(1023), "1023 B");
  EXPECT_EQ(human_bytes(1024), "1.0 KiB");
  EXPECT_EQ(human_bytes(140000000), "133.5 MiB");
  EXPECT_EQ(human_bytes(std::int64_t{5} << 40), "5.0 TiB");
  EXPECT_EQ(human_bytes(std::int64_t{5} << 50), "5120.0 TiB");
}

TEST(ParseInteger, AcceptsIntegersAndNothingElse) {
  EXPECT_EQ(parse_integer("-17"), -17);
  EXPECT_EQ(parse_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const char* text : {"", "-", "+1", "1.0", " 1", "1 ", "9223372036854775808", "x"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
  }
}

TEST(ShellWord, IsQuotedWhereAShellNeedsIt) {
  EXPECT_EQ(shell_word("runs/one.json"), "runs/one.json");
  EXPECT_EQ(shell_word("my run"), "'my run'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
}

}  // namespace
}  // namespace gir
