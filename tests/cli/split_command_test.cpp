#include <gtest/gtest.h>

#include "program.h"

namespace gir {
namespace {

using testing::expect_refusal;
using testing::read_text;
using testing::run_gir;
using testing::TempDir;

std::string file(const TempDir& dir, const std::string& name) { return read_text(dir / name); }

TEST(SplitCommand, WritesASplitThatTrainsToTheSameBits) {
  const TempDir dir;
  for (const std::string task : {"lp", "npc", "nc"}) {
    const auto split = run_gir({"data", "split", "karate", "--task", task, "--split", "2", "-o", dir / task});
    ASSERT_EQ(split.exit_code, 0) << split.err;
    const std::vector<std::string> words = {"train", "--graph", "karate", "--task", task, "--epochs", "20", "-q"};
    auto by_number = words;
    by_number.insert(by_number.end(), {"--split", "2", "--format", "json", "-o", dir / (task + "-number")});
    auto by_files = words;
    by_files.insert(by_files.end(), {"--split-from", dir / task, "--format", "json", "-o", dir / (task + "-files")});
    const auto number = run_gir(by_number);
    const auto files = run_gir(by_files);
    ASSERT_EQ(files.exit_code, 0) << files.err;
    EXPECT_EQ(number.json()["test_metrics"], files.json()["test_metrics"]);
    EXPECT_EQ(number.json()["valid_metrics"], files.json()["valid_metrics"]);
    for (const char* name : {"model.safetensors", "metrics.jsonl", "embeddings.npy"}) {
      EXPECT_EQ(file(dir, task + "-number/" + name), file(dir, task + "-files/" + name)) << task << ", " << name;
    }
  }
}

TEST(SplitCommand, WritesASplitOfOthers) {
  const TempDir dir;
  std::string train;
  for (int i = 0; i < 20; ++i) train += fmt::format("{} {}\n", i, (i + 1) % 20);
  dir.file("mine/train.txt", train);
  dir.file("mine/test.txt", "0 7\n1 8\n");
  dir.file("mine/test_neg.txt", "0 10\n3 9\n");
  const auto run = run_gir({"data", "split", "--split-from", dir / "mine", "-o", dir / "new"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(file(dir, "new/test.txt"), "0 7\n1 8\n");
  EXPECT_EQ(file(dir, "new/test_neg.txt"), "0 10\n3 9\n");
  EXPECT_TRUE(std::filesystem::exists(dir / "new/valid.txt")) << "drawn from the training part";
  EXPECT_NE(run.err.find("gir train --task lp --split-from"), std::string::npos) << run.err;
  expect_refusal({"data", "split", "-o", dir / "none"}, {"there is no graph to split", "--split-from"});
}

TEST(SplitCommand, UsesOtherShares) {
  const TempDir dir;
  const auto run = run_gir({"data", "split", "karate", "--task", "lp", "--split-shares", "0.9,0.1,0", "--format",
                            "json", "-o", dir / "split"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.json()["files"]["train.txt"], 70);
  EXPECT_FALSE(run.json()["files"].contains("test.txt"));
  EXPECT_FALSE(std::filesystem::exists(dir / "split/test.txt"));
  const auto trained = run_gir({"train", "--graph", "karate", "--task", "lp", "--split-from", dir / "split", "--epochs",
                                "20", "--refit", "-o", dir / "run"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_NE(trained.out.find("(lp): no test set"), std::string::npos) << trained.out;
  const auto evaluated = run_gir({"eval", dir / "run"});
  EXPECT_EQ(evaluated.exit_code, 0) << evaluated.err;
}

TEST(SplitCommand, WritesTheOfficialSplitThatTrainingUsesUnlessANumberIsGiven) {
  GIR_NEEDS_DATA();
  const TempDir dir;
  const std::string data = testing::data_directory()->string();
  const auto sizes = [&](const std::string& output, const std::vector<std::string>& flags) {
    std::vector<std::string> words = {"data", "split", "ogbn-arxiv-structural", "--data-dir", data, "--format", "json"};
    words.insert(words.end(), {"-o", dir / output});
    words.insert(words.end(), flags.begin(), flags.end());
    const auto run = run_gir(words);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.json();
  };
  const auto official = sizes("official", {});
  EXPECT_EQ(official["official_split"], true);
  EXPECT_EQ(official["files"]["test.txt"], 48603);
  const auto drawn = sizes("drawn", {"--split", "0"});
  EXPECT_EQ(drawn["official_split"], false);
  EXPECT_EQ(drawn["files"]["test.txt"], 33868);
}

TEST(SplitCommand, NamesTheCommandThatReadsTheGraphInTheSameWay) {
  const TempDir dir;
  const std::string graph =
      dir.file("my graph.csv", "x,y\n1,2\n2,3\n3,4\n4,5\n5,6\n6,7\n7,8\n8,9\n9,1\n1,3\n").string();
  const auto run = run_gir({"data", "split", graph, "--directed", "--text-ids", "--columns", "source=y,target=x",
                            "--header", "yes", "--read-as", "edge-list", "--task", "lp", "-o", dir / "split"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("my graph.csv' --directed --text-ids --columns source=y,target=x --header yes --read-as "
                         "edge-list --task lp --split-from "),
            std::string::npos)
      << run.err;
}

TEST(SplitCommand, RefusesAFolderWithOtherFiles) {
  const TempDir dir;
  dir.file("split/test.txt", "1 2\n");
  expect_refusal({"data", "split", "karate", "--task", "lp", "-o", dir / "split"}, {"not an empty folder"});
  expect_refusal({"data", "split", "karate", "--split-shares", "1,2", "-o", dir / "new"}, {"not three shares"});
}

TEST(SplitFrom, NeedsNoGraphForLinks) {
  const TempDir dir;
  std::string train;
  for (int i = 0; i < 40; ++i) train += fmt::format("user {}\tuser {}\n", i, (i + 1) % 40);
  dir.file("split/train.txt", train);
  dir.file("split/test.txt", "user 0\tuser 7\nuser 3\tuser 21\n");
  const std::vector<std::string> words = {"train", "--split-from", dir / "split", "--epochs", "20"};
  auto first = words;
  first.insert(first.end(), {"--messages", "known", "--format", "json", "-o", dir / "run"});
  const auto run = run_gir(first);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("no validation part: 4 of 40 training pairs were drawn"), std::string::npos) << run.err;
  EXPECT_EQ(run.json()["messages"], "known");
  EXPECT_EQ(run.json()["nodes"], 40);
  const auto again = run_gir({"eval", dir / "run", "--format", "json"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.json()["test_metrics"], run.json()["test_metrics"]);
  ASSERT_EQ(run_gir({"embed", dir / "run", "-o", dir / "all.csv"}).exit_code, 0);
  ASSERT_EQ(run_gir({"embed", dir / "run", "--messages", "train", "-o", dir / "train.csv"}).exit_code, 0);
  EXPECT_NE(file(dir, "all.csv"), file(dir, "train.csv"));
  dir.file("split/test.txt", "user 0\tuser 7\nuser 3\tuser 22\n");
  expect_refusal({"eval", dir / "run"}, {"gir eval: "});
}

/// A split of the nodes of karate in `dir`/split.
void write_karate_split(const TempDir& dir) {
  ASSERT_EQ(run_gir({"data", "split", "karate", "--task", "nc", "-o", dir / "split"}).exit_code, 0);
}

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(SplitFrom, RefusesSettingsThatACompleteSplitDoesNotDependOn) {
  const TempDir dir;
  write_karate_split(dir);
  const std::vector<std::string> words = {"train", "--graph",      "karate",      "--task",   "nc",       "--epochs",
                                          "5",     "--split-from", dir / "split", "--output", dir / "run"};
  expect_refusal(with(words, {"--split-shares", "0.5,0.25,0.25"}),
                 {"/split: the split has a validation part, so --split-shares has no effect"});
  expect_refusal(with(words, {"--split", "3"}), {"/split: there is only one split, so --split 3 has no effect"});
  EXPECT_FALSE(std::filesystem::exists(dir / "run"));
  std::filesystem::remove(dir / "split/valid.txt");
  const auto drawn = run_gir(with(words, {"--split-shares", "0.5,0.25,0.25", "--split", "3"}));
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_NE(drawn.err.find("no validation part: 7 of 20 training nodes were drawn"), std::string::npos) << drawn.err;
}

TEST(SplitFrom, IsNotForRunsWhoseSplitWasDrawn) {
  const TempDir dir;
  write_karate_split(dir);
  ASSERT_EQ(run_gir({"train", "--graph", "karate", "--task", "nc", "--epochs", "5", "-o", dir / "run"}).exit_code, 0);
  expect_refusal({"eval", dir / "run", "--split-from", dir / "split"},
                 {"was not trained with a split from files [omit --split-from]"});
}

TEST(SplitFrom, IsOneSplitForAComparisonUnlessPartOfItIsDrawn) {
  const TempDir dir;
  write_karate_split(dir);
  const std::vector<std::string> words = {"compare",    "--datasets",   "karate",     "--models", "gcn,mlp", "--task",
                                          "nc",         "--epochs",     "5",          "--runs",   "2",       "--output",
                                          dir / "grid", "--split-from", dir / "split"};
  expect_refusal(with(words, {"--splits", "2"}), {"/split: is one split, so --splits 2 would repeat the same runs"});
  EXPECT_FALSE(std::filesystem::exists(dir / "grid"));
  EXPECT_EQ(run_gir(words).exit_code, 0) << "two seeds on one split";
  EXPECT_NE(file(dir, "grid/results.jsonl").find("\"seed\":1,\"split\":0"), std::string::npos);
  std::filesystem::remove(dir / "split/valid.txt");
  const auto drawn = run_gir(with(words, {"--splits", "2"}));
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_NE(file(dir, "grid/results.jsonl").find("\"split\":1"), std::string::npos);
}

TEST(SplitFrom, WithoutATestPartIsRefusedByAComparisonBeforeItTrains) {
  const TempDir dir;
  write_karate_split(dir);
  std::filesystem::remove(dir / "split/test.txt");
  const std::vector<std::string> words = {"compare",    "--datasets",   "karate",     "--models", "gcn", "--task",
                                          "nc",         "--epochs",     "5",          "--runs",   "1",   "--output",
                                          dir / "grid", "--split-from", dir / "split"};
  expect_refusal(words, {"/split: the split has no test part [request --validation metrics"});
  EXPECT_FALSE(std::filesystem::exists(dir / "grid"));
  EXPECT_EQ(run_gir(with(words, {"--validation"})).exit_code, 0);
}

TEST(SplitFrom, RefusesLeaksWithTheFirstExample) {
  const TempDir dir;
  dir.file("split/train.txt", "0 1\n1 2\n");
  dir.file("split/test.txt", "2 1\n");
  expect_refusal({"train", "--split-from", dir / "split", "-o", dir / "run"},
                 {"split/test.txt:1: \"1\" and \"2\" are also at ", "split/train.txt:2 ["});
  expect_refusal({"train", "--graph", "karate", "--task", "lp", "--split-from", dir / "split", "--official-split", "-o",
                  dir / "run"},
                 {"--split-from and --official-split are two splits"});
}

}  // namespace
}  // namespace gir
