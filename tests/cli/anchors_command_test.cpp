#include <gtest/gtest.h>

#include "program.h"

namespace gir {
namespace {

using nlohmann::json;
using testing::expect_refusal;
using testing::ProgramRun;
using testing::run_gir;
using testing::TempDir;

TEST(Anchors, PrintsTheFieldsThatScriptsRead) {
  // 33 covers 18 nodes and 0 all others but 16, 24 and 25; 31 has most edges of those that cover the last two,
  // 5 of those that cover 16.
  const json karate = run_gir({"anchors", "karate", "--count", "5", "--format", "json"}).json();
  EXPECT_EQ(karate["anchors"], json::array({"33", "0", "31", "5"}));
  EXPECT_EQ(karate["restricted"], true);
  EXPECT_EQ(karate["coverage"][0], 4);
  EXPECT_EQ(karate["coverage"].back(), 34);
}

TEST(Anchors, PrintsOriginalIdsOneALine) {
  const TempDir dir;
  const auto graph = dir.file("g.txt", "hub a\nhub b\nhub c\nlone pair\n").string();
  const ProgramRun run = run_gir({"anchors", graph, "--count", "2"});
  EXPECT_EQ(run.out, "hub\nlone\n");
  EXPECT_NE(run.err.find("within  1 hops"), std::string::npos) << run.err;
  EXPECT_EQ(run_gir({"anchors", graph, "--count", "2", "-q", "-o", dir / "a.txt"}).exit_code, 0);
  EXPECT_EQ(testing::read_text(dir / "a.txt"), "hub\nlone\n");
  EXPECT_EQ(run_gir({"anchors", graph, "--strategy", "file", "--anchors", dir / "a.txt", "--count", "2"}).out,
            "hub\nlone\n");
}

TEST(Anchors, AskForNoMoreThanThereAreNodesWhereNobodySaidHowMany) {
  const TempDir dir;
  EXPECT_EQ(run_gir({"anchors", "karate", "--format", "json"}).json()["asked"], 34);
  EXPECT_EQ(run_gir({"anchors", "karate", "--strategy", "file", "--anchors", dir.file("a.txt", "5\n2\n").string()}).out,
            "5\n2\n");
}

TEST(Anchors, SayWhetherTheyWereToppedUp) {
  const std::string restricted = run_gir({"anchors", "karate", "--count", "6"}).err;
  EXPECT_TRUE(restricted.starts_with("4 anchors by ga-mpca, restricted: it has no use for 6\n")) << restricted;
  const std::string filled = run_gir({"anchors", "karate", "--count", "6", "--fill", "degree"}).err;
  EXPECT_TRUE(filled.starts_with("6 anchors by ga-mpca, restricted; topped up by degree\n")) << filled;
}

TEST(Anchors, RefusesWhatCannotBeChosen) {
  const TempDir dir;
  expect_refusal({"anchors", "karate", "--count", "35"}, {"gir anchors: ", "35 anchors", "34 nodes"});
  expect_refusal({"anchors", "karate", "--strategy", "ga_mpac"}, {"\"ga_mpac\"", "known: ga-mpca"});
  expect_refusal({"anchors", "karate", "--count", "3", "--fill", "dgree"}, {"\"dgree\"", "known: degree"});
  expect_refusal(
      {"anchors", "karate", "--strategy", "file", "--count", "1", "--anchors", dir.file("a.txt", "0\n99\n").string()},
      {"a.txt:2", "\"99\""});
}

}  // namespace
}  // namespace gir
