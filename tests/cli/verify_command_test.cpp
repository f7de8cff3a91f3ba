#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "program.h"

namespace gir {
namespace {

using nlohmann::json;
using testing::expect_refusal;
using testing::ProgramRun;
using testing::run_gir;
using testing::TempDir;

using Checked = std::map<std::string, std::int64_t>;

/// Verifies a graph, which must succeed; returns the number of checked distances per model.
Checked checked_of(std::vector<std::string> words) {
  words.insert(words.begin(), "verify");
  words.insert(words.end(), {"--format", "json"});
  const ProgramRun run = run_gir(words);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const json result = run.json();
  EXPECT_EQ(result["holds"], true);
  Checked checked;
  for (const json& theorem : result["theorems"]) {
    EXPECT_EQ(theorem["mismatches"], 0) << theorem;
    EXPECT_EQ(theorem["wrong"], json::array());
    EXPECT_GE(theorem["layers"], 1);
    checked[theorem["model"]] = theorem["checked"];
  }
  return checked;
}

TEST(Verify, HoldsOnKarateForAllThreeTheorems) {
  // ga-mpca selects 4 anchors, gir-mix divides them into 2 sets of 2.
  EXPECT_EQ(checked_of({"karate"}), (Checked{{"gir-a", 34 * 4}, {"gir", 34 - 4}, {"gir-mix", 2 * (34 - 2)}}));
}

TEST(Verify, ReportsWhatVanillaGirReadsForTheAnchors) {
  const TempDir dir;
  const std::string path = dir.file("path.txt", "a b\nb c\nc d\n").string();
  const std::string anchors = dir.file("anchors.txt", "a\nb\nd\n").string();
  const json read = run_gir({"verify", path, "--anchors", anchors, "--format", "json"}).json()["vanilla_on_anchors"];
  EXPECT_EQ(read["right"], 0);
  EXPECT_EQ(read["readings"], json::parse(R"([{"read": 1, "anchors": 2}, {"read": 2, "anchors": 1}])"));
  EXPECT_NE(run_gir({"verify", path, "--anchors", anchors}).out.find("vanilla gir reads 1 (2 of 3), 2 (1 of 3)"),
            std::string::npos);
}

TEST(Verify, ExplainsWithAPathWhoseEndsHaveEqualVectors) {
  const ProgramRun run = run_gir({"verify", "karate", "--explain"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  std::istringstream rows(run.out.substr(run.out.find("\nlayer ")));
  std::string line;
  std::getline(rows, line);
  std::getline(rows, line);
  for (int layer = 1; layer <= 3; ++layer) {
    ASSERT_TRUE(std::getline(rows, line)) << run.out;
    std::vector<std::string> vectors;
    for (std::size_t at = line.find('('); at != std::string::npos; at = line.find('(', at + 1)) {
      vectors.push_back(line.substr(at, line.find(')', at) - at));
    }
    ASSERT_EQ(vectors.size(), 3u) << line;
    EXPECT_EQ(vectors[0], vectors[2]) << line;
    EXPECT_NE(vectors[0], vectors[1]) << line;
  }
}

TEST(Verify, FollowsTheDirectionOfEdges) {
  const TempDir dir;
  const std::string cycle = dir.file("g.txt", "0 1\n1 2\n2 0\n2 3\n4 0\n").string();
  const std::string anchors = dir.file("anchors.txt", "1\n3\n").string();
  EXPECT_EQ(checked_of({cycle, "--directed", "--anchors", anchors}),
            (Checked{{"gir-a", 10}, {"gir", 3}, {"gir-mix", 3}}));
  // The return walk to 1 goes around the cycle, 3 follows 2, and 4 is not reachable.
  const json readings = run_gir({"verify", cycle, "--directed", "--anchors", anchors, "--format", "json"})
                            .json()["vanilla_on_anchors"]["readings"];
  EXPECT_EQ(readings, json::parse(R"([{"read": 2, "anchors": 1}, {"read": 3, "anchors": 1}])"));
}

TEST(Verify, HoldsWithUnreachableNodes) {
  const TempDir dir;
  const std::string parts = dir.file("g.txt", "0 1\n1 2\n4 5\n").string();
  EXPECT_EQ(checked_of({parts, "--num-nodes", "9", "--count", "1"}), (Checked{{"gir-a", 9}, {"gir", 8}}));
  EXPECT_EQ(run_gir({"verify", parts, "--num-nodes", "9", "--count", "1"}).err,
            "note: gir-mix skipped: its sets have more than one anchor, and there is only one\n");
  const std::string alone = dir.file("anchors.txt", "8\n0\n").string();
  EXPECT_EQ(checked_of({parts, "--num-nodes", "9", "--anchors", alone}),
            (Checked{{"gir-a", 18}, {"gir", 7}, {"gir-mix", 7}}));
}

TEST(Verify, HoldsOnASingleNode) {
  const TempDir dir;
  EXPECT_EQ(checked_of({dir.file("loop.txt", "7 7\n").string()}), (Checked{{"gir-a", 1}, {"gir", 0}}));
  EXPECT_EQ(checked_of({dir.file("none.txt", "# no edge\n").string(), "--num-nodes", "1"}),
            (Checked{{"gir-a", 1}, {"gir", 0}}));
}

TEST(Verify, ShowsNoProgressWhenItIsFast) { EXPECT_EQ(run_gir({"verify", "karate"}).err, ""); }

TEST(Verify, RejectsInvalidAnchorOptions) {
  expect_refusal({"verify", "karate", "--count", "35"}, {"gir verify: ", "35 anchors", "34 nodes"});
  expect_refusal({"verify", "karate", "--count", "0"}, {"gir verify: ", "--count"});
  expect_refusal({"verify", "karate", "--strategy", "k_centre"}, {"gir verify: ", "\"k_centre\"", "known: k-center"});
  expect_refusal({"verify", "karate", "--strategy", "file"}, {"gir verify: ", "[set --anchors to a file of node ids]"});
}

TEST(Verify, ReportsTheLineOfAnInvalidAnchorFile) {
  const TempDir dir;
  const auto with = [&](std::string_view text) {
    return std::vector<std::string>{"verify", "karate", "--anchors", dir.file("a.txt", text).string()};
  };
  expect_refusal(with("0\n99\n"), {"gir verify: ", "a.txt:2", "\"99\""});
  expect_refusal(with("0\n# again\n5\n0\n"), {"gir verify: ", "a.txt:4", "\"0\"", "line 1"});
  expect_refusal(with(""), {"gir verify: ", "a.txt", "names no nodes"});
  expect_refusal(with("# none\n\n"), {"gir verify: ", "a.txt", "names no nodes"});
  expect_refusal({"verify", "karate", "--anchors", dir / "missing.txt"},
                 {"gir verify: ", "missing.txt", "No such file"});
  std::vector<std::string> both = with("0\n");
  both.insert(both.end(), {"--count", "1"});
  expect_refusal(both, {"gir verify: ", "--anchors excludes --count"});
}

TEST(Verify, RejectsAGraphWithoutNodes) {
  const TempDir dir;
  expect_refusal({"verify", dir.file("empty.txt", "").string()}, {"gir verify: ", "empty.txt", "is empty"});
  expect_refusal({"verify", dir.file("g.txt", "# nothing\n").string()}, {"gir verify: ", "g.txt", "has no edges"});
  expect_refusal({"verify", dir / "missing.txt"}, {"gir verify: ", "missing.txt", "no such file"});
}

}  // namespace
}  // namespace gir
