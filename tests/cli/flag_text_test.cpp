#include "flag_text.h"

#include <gmock/gmock.h>

#include "gir/core/error.h"

namespace gir::cli {
namespace {

TEST(WithFlags, TurnsSettingsIntoFlags) {
  EXPECT_EQ(with_flags("karate is an undirected graph [omit `directed`]"),
            "karate is an undirected graph [omit --directed]");
  EXPECT_EQ(with_flags("`text-ids`, `num-nodes` 5 and `p2`"), "--text-ids, --num-nodes 5 and --p2");
  EXPECT_EQ(with_flags("`a` + `b`"), "--a + --b");
}

TEST(WithFlags, KeepsTextWithoutSettings) {
  EXPECT_EQ(with_flags(""), "");
  EXPECT_EQ(with_flags("edges.txt:17: got \"4 x\""), "edges.txt:17: got \"4 x\"");
}

TEST(WithFlags, KeepsBackticksAroundOtherWords) {
  for (const char* text : {"`", "``", "`Seed`", "`9`", "`-q`", "`text_ids`", "`gir data list`", "`seed", "seed`"}) {
    EXPECT_EQ(with_flags(text), text);
  }
}

TEST(WithFlags, FindsASettingAfterALoneBacktick) { EXPECT_EQ(with_flags("` `seed` `"), "` --seed `"); }

TEST(WithFlags, KeepsTheUsersOwnBackticks) {
  // Whatever the user's text, only the setting after it changes.
  for (const char* text : {"`seed`", "`", "seed`", "`seed", "a`b`c", "``seed``", "\\`seed\\`"}) {
    EXPECT_EQ(with_flags(fmt::format("got {} [see `lr`]", quoted(text))),
              fmt::format("got {} [see --lr]", quoted(text)));
  }
}

TEST(WithFlags, ConvertsListsItemByItem) {
  EXPECT_THAT(with_flags(std::vector<std::string>{"`seed`", "none"}), ::testing::ElementsAre("--seed", "none"));
}

}  // namespace
}  // namespace gir::cli
