#include "gir/core/registry.h"

#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;

struct Fruit {
  static constexpr std::string_view kKind = "fruit";
  std::string name;
  std::string summary;
  int weight = 0;
};

const Registered<Fruit> pear{{.name = "pear", .summary = "green", .weight = 2}};
const Registered<Fruit> blood_orange{{.name = "blood-orange", .summary = "red", .weight = 3}};
const Registered<Fruit> apple{{.name = "apple", .summary = "round", .weight = 1}};

struct Nothing {
  static constexpr std::string_view kKind = "nothing";
  std::string name;
  std::string summary;
};

TEST(Registry, ListsEntriesByName) {
  const auto& all = Registry<Fruit>::all();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].name, "apple");
  EXPECT_EQ(all[1].name, "blood-orange");
  EXPECT_EQ(all[2].name, "pear");
}

TEST(Registry, FindsAnEntry) { EXPECT_EQ(Registry<Fruit>::get("pear").weight, 2); }

TEST(Registry, TreatsUnderscoresAsHyphensAndIgnoresCase) { EXPECT_EQ(Registry<Fruit>::get("Blood_Orange").weight, 3); }

TEST(Registry, FindsNothingUnderAnUnknownName) { EXPECT_EQ(Registry<Fruit>::find("plum"), nullptr); }

TEST(Registry, ListsTheNearestNamesFirst) {
  expect_user_error([] { Registry<Fruit>::get("peer"); }, "unknown fruit \"peer\" [known: pear, apple, blood-orange]");
}

TEST(Registry, KeepsTheMessageOnOneLineForNamesWithControlCharacters) {
  expect_user_error([] { Registry<Fruit>::get("a\nb"); }, "unknown fruit \"a\\x0ab\"");
}

TEST(Registry, RefusesTwoEntriesOfTheSameNameOnceTheirLibraryIsLoaded) {
  Registry<Fruit>::add({.name = "pear", .summary = "", .weight = 0});
  EXPECT_EQ(Registry<Fruit>::all().size(), 3u);
  EXPECT_EQ(Registry<Fruit>::get("pear").weight, 2) << "the first one stays";
  expect_user_error([] { check_registrations("libmore.so"); },
                    "libmore.so: registers the fruit \"pear\", but there is one of that name already [rename it]");
  check_registrations("libmore.so");
}

TEST(Registry, KeepsKindsApart) {
  EXPECT_TRUE(Registry<Nothing>::all().empty());
  expect_user_error([] { Registry<Nothing>::get("pear"); }, "unknown nothing \"pear\"");
}

}  // namespace
}  // namespace gir
