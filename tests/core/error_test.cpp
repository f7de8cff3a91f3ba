#include "gir/core/error.h"

#include <gtest/gtest.h>

namespace gir {
namespace {

using namespace std::string_view_literals;

TEST(UserError, FormatsItsMessage) { EXPECT_STREQ(UserError("{} of {}", 1, 2).what(), "1 of 2"); }

TEST(UserError, PutsThePathFirst) {
  EXPECT_STREQ(UserError(std::filesystem::path("a/edges.txt"), "has {} lines", 3).what(), "a/edges.txt: has 3 lines");
}

TEST(UserError, PutsTheLineNumberAfterThePath) {
  const std::int64_t line = 17;
  EXPECT_STREQ(UserError(std::filesystem::path("edges.txt"), line, "got {}", quoted("4 x"sv)).what(),
               "edges.txt:17: got \"4 x\"");
}

TEST(UserError, LeavesBracesOfAPathAlone) {
  EXPECT_STREQ(UserError(std::filesystem::path("{}.txt"), "is empty").what(), "{}.txt: is empty");
}

TEST(Ensure, IsSilentWhenTheConditionHolds) { EXPECT_NO_THROW(ensure(true, "never")); }

TEST(UnknownNameError, ListsTheNearestNamesFirst) {
  const UnknownNameError error("model", "gri", {"gcn", "gir", "mlp"});
  EXPECT_STREQ(error.what(), "unknown model \"gri\" [known: gcn, gir, mlp]");
  EXPECT_EQ(error.kind(), "model");
  EXPECT_TRUE(error.lists_all());
}

TEST(UnknownNameError, ListsAtMostTenNames) {
  std::vector<std::string> names;
  for (int i = 0; i < 11; ++i) names.push_back(fmt::format("model-{}", i));
  const UnknownNameError error("model", "model-7", names);
  EXPECT_STREQ(error.what(),
               "unknown model \"model-7\" [known: model-7, model-0, model-1, model-2, model-3, model-4, model-5, "
               "model-6, model-8, model-9, ...]");
  EXPECT_FALSE(error.lists_all());
  names.pop_back();
  EXPECT_TRUE(UnknownNameError("model", "x", names).lists_all());
}

TEST(UnknownNameError, MayStateTheFactInOtherWords) {
  EXPECT_STREQ(UnknownNameError("dataset", "x", {"y"}, "\"x\" is neither a file nor a graph").what(),
               "\"x\" is neither a file nor a graph [known: y]");
}

TEST(Ensure, NamesTheSourceLocationAndTheInvariant) {
  try {
    ensure(false, "rows ascend");
    FAIL() << "nothing was thrown";
  } catch (const InternalError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("error_test.cpp:"), std::string::npos) << message;
    EXPECT_NE(message.find("rows ascend"), std::string::npos) << message;
  }
}

TEST(Quoted, PutsTextInQuotes) { EXPECT_EQ(quoted("4 x"sv), "\"4 x\""); }

TEST(Quoted, EscapesQuotesAndBackslashes) { EXPECT_EQ(quoted("a\"b\\c"sv), R"("a\"b\\c")"); }

TEST(Quoted, EscapesBackticks) { EXPECT_EQ(quoted("`seed`"sv), R"("\`seed\`")"); }

TEST(Quoted, EscapesControlCharacters) { EXPECT_EQ(quoted("a\tb\nc\0d"sv), R"("a\tb\x0ac\x00d")"); }

TEST(Quoted, EscapesBytesThatAreNotAscii) { EXPECT_EQ(quoted("\xff\x7f"sv), R"("\xff\x7f")"); }

TEST(Quoted, TruncatesLongText) {
  EXPECT_EQ(quoted(std::string(60, 'a')), '"' + std::string(60, 'a') + '"');
  EXPECT_EQ(quoted(std::string(61, 'a')), '"' + std::string(60, 'a') + "...\"");
}

}  // namespace
}  // namespace gir
