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
  // 33 covers 18 nodes, and 0 all others but 16, 24 and 25. Of the nodes that cover the last two, 31 has the highest
  // degree; of those that cover 16, it is 5.
  const json karate = run_gir({"anchors", "karate", "--count", "5", "--format", "json"}).json();
  EXPECT_EQ(karate["anchors"], json::array({"33", "0", "31", "5"}));
  EXPECT_EQ(karate["restricted"], true);
  EXPECT_EQ(karate["coverage"][0], 4);
  EXPECT_EQ(karate["coverage"].back(), 34);
}

TEST(Anchors, PrintsOriginalIdsOnePerLine) {
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

TEST(Anchors, AreAtMostTheNumberOfNodesByDefault) {
  const TempDir dir;
  EXPECT_EQ(run_gir({"anchors", "karate", "--format", "json"}).json()["requested"], 34);
  EXPECT_EQ(run_gir({"anchors", "karate", "--strategy", "file", "--anchors", dir.file("a.txt", "5\n2\n").string()}).out,
            "5\n2\n");
}

TEST(Anchors, SaysWhetherTheyWereToppedUp) {
  const std::string restricted = run_gir({"anchors", "karate", "--count", "6"}).err;
  EXPECT_TRUE(restricted.starts_with("4 anchors by ga-mpca, restricted: it selects fewer than 6\n")) << restricted;
  const std::string filled = run_gir({"anchors", "karate", "--count", "6", "--fill", "degree"}).err;
  EXPECT_TRUE(filled.starts_with("6 anchors by ga-mpca, restricted; topped up by degree\n")) << filled;
}

TEST(Anchors, RefusesImpossibleSelections) {
  const TempDir dir;
  expect_refusal({"anchors", "karate", "--count", "35"}, {"gir anchors: ", "35 anchors", "34 nodes"});
  expect_refusal({"anchors", "karate", "--strategy", "ga_mpac"}, {"\"ga_mpac\"", "known: ga-mpca"});
  expect_refusal({"anchors", "karate", "--count", "3", "--fill", "dgree"}, {"\"dgree\"", "known: degree"});
  expect_refusal(
      {"anchors", "karate", "--strategy", "file", "--count", "1", "--anchors", dir.file("a.txt", "0\n99\n").string()},
      {"a.txt:2", "\"99\""});
  expect_refusal({"anchors", "karate", "--strategy", "file"}, {"[set --anchors to a file of node ids]"});
}

TEST(Anchors, NamesFlagsInNotes) {
  const std::vector<std::string> sampled = {"anchors",   "karate", "--strategy", "betweenness",
                                            "--samples", "10",     "--count",    "3"};
  EXPECT_NE(run_gir(sampled).err.find("[--samples 34 is exact]"), std::string::npos);
  std::vector<std::string> as_json = sampled;
  as_json.insert(as_json.end(), {"--format", "json"});
  EXPECT_NE(run_gir(as_json).json()["notes"][0].get<std::string>().find("[--samples 34 is exact]"), std::string::npos);
}

}  // namespace
}  // namespace gir
