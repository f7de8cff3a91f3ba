#include <gtest/gtest.h>

#include "program.h"

namespace gir {
namespace {

using testing::expect_refusal;
using testing::ProgramRun;
using testing::read_text;
using testing::run_gir;
using testing::TempDir;

std::string data() { return *testing::data_directory(); }

/// `gir reproduce links --quick` on two graphs.
ProgramRun reproduce(const std::string& output, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"reproduce", "links", "--quick", "--datasets", "links/USAir,links/NS"};
  words.insert(words.end(), {"--hidden", "8", "--data-dir", data(), "-o", output});
  words.insert(words.end(), more.begin(), more.end());
  return run_gir(words);
}

TEST(ReproduceLinks, ShowsPublishedResultsBelowOurs) {
  GIR_NEEDS_DATA();
  const TempDir dir;
  const ProgramRun run = reproduce(dir / "links");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (const char* text : {"SEAL (published)", "96.62", "WalkPool (published)", "98.95", "average precision"}) {
    EXPECT_NE(run.out.find(text), std::string::npos) << text << " in " << run.out;
  }
  EXPECT_NE(run.err.find("gir-x is above SEAL on "), std::string::npos) << run.err;
  const auto table = nlohmann::json::parse(read_text(dir / "links/table.json"));
  ASSERT_EQ(table.size(), 6u) << "3 models on 2 graphs";
  const auto precision = nlohmann::json::parse(read_text(dir / "links/table-ap.json"));
  ASSERT_EQ(precision.size(), 6u);
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(table[i]["metric"], "roc_auc");
    EXPECT_EQ(table[i]["runs"], 2);
    EXPECT_EQ(table[i]["published"].size(), 2u);
    EXPECT_EQ(precision[i]["metric"], "average_precision");
    EXPECT_EQ(precision[i]["model"], table[i]["model"]);
    EXPECT_NE(precision[i]["mean"], table[i]["mean"]);
  }
  const std::string before = read_text(dir / "links/results.jsonl");
  EXPECT_NE(before.find("\"split\":1"), std::string::npos);
  EXPECT_EQ(reproduce(dir / "links").exit_code, 0);
  EXPECT_EQ(read_text(dir / "links/results.jsonl"), before) << "no run was trained again";
  const ProgramRun report = run_gir({"report", dir / "links", "-o", dir / "links.html"});
  ASSERT_EQ(report.exit_code, 0) << report.err;
  EXPECT_NE(read_text(dir / "links.html").find("WalkPool (published)"), std::string::npos);
}

TEST(ReproduceLinks, ShowsNoPublishedResultsForAnotherShareOfObservedEdges) {
  GIR_NEEDS_DATA();
  const TempDir dir;
  const ProgramRun run = reproduce(dir / "half", {"--models", "gcn-o", "--observed", "0.5"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out.find("published"), std::string::npos) << run.out;
  EXPECT_NE(run.err.find("47.2 % of the edges for training, 2.78 % for validation and 50 % for testing"),
            std::string::npos)
      << run.err;
  EXPECT_FALSE(nlohmann::json::parse(read_text(dir / "half/table.json"))[0].contains("published"));
}

TEST(ReproduceLinks, RefusesWhatCannotBeReproduced) {
  GIR_NEEDS_DATA();
  const TempDir dir;
  const auto refuses = [&](const std::vector<std::string>& more, std::initializer_list<std::string> said) {
    std::vector<std::string> words = {"reproduce", "links", "--data-dir", data(), "-o", dir / "x"};
    words.insert(words.end(), more.begin(), more.end());
    expect_refusal(words, said);
  };
  for (const std::string share : {"0", "1", "1.5", "half"}) {
    refuses({"--observed", share}, {"--observed: \"" + share + "\" [more than 0 and less than 1]"});
  }
  refuses({"--runs", "11", "--splits", "11"}, {"there are 10 published splits", "[--splits up to 10"});
  refuses({"--models", "seal"}, {"unknown model \"seal\""});
  refuses({"--datasets", "karate"}, {"karate has no published splits", "--observed"});
  expect_refusal({"train", "--dataset", "links/USAir", "--split", "10", "--data-dir", data(), "-o", dir / "x"},
                 {"links/USAir has 10 published splits, so there is no split 10 [--split 0 to 9"});
}

TEST(LinkDatasets, AreTrainedOnTheSplitThatDataSplitWrites) {
  GIR_NEEDS_DATA();
  const TempDir dir;
  const ProgramRun split = run_gir(
      {"data", "split", "links/USAir", "--split", "3", "--format", "json", "--data-dir", data(), "-o", dir / "split"});
  ASSERT_EQ(split.exit_code, 0) << split.err;
  EXPECT_EQ(split.json()["official_split"], true);
  EXPECT_EQ(split.json()["files"]["test.txt"], 212);
  const auto train = [&](const std::string& output, std::vector<std::string> more) {
    more.insert(more.begin(), {"train", "--dataset", "links/USAir", "--data-dir", data(), "--epochs", "10", "--format",
                               "json", "-o", dir / output});
    const ProgramRun run = run_gir(more);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.json();
  };
  const auto by_number = train("number", {"--split", "3"});
  const auto by_files = train("files", {"--split-from", dir / "split"});
  EXPECT_EQ(by_number["test_metrics"], by_files["test_metrics"]);
  EXPECT_EQ(read_text(dir / "number/model.safetensors"), read_text(dir / "files/model.safetensors"));
  const ProgramRun again = run_gir({"eval", dir / "number", "--data-dir", data(), "--format", "json"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.json()["test_metrics"], by_number["test_metrics"]);
  expect_refusal({"data", "split", "links/USAir", "--split", "10", "--data-dir", data(), "-o", dir / "none"},
                 {"there is no split 10 [--split 0 to 9"});
}

TEST(LinkDatasets, AreDescribedAndListed) {
  GIR_NEEDS_DATA();
  const ProgramRun info = run_gir({"data", "info", "links/USAir", "--data-dir", data(), "--format", "json"});
  ASSERT_EQ(info.exit_code, 0) << info.err;
  EXPECT_EQ(info.json()["nodes"], 332);
  EXPECT_EQ(info.json()["edges"], 2126);
  EXPECT_NE(run_gir({"data", "list"}).out.find("links/Ecoli"), std::string::npos);
}

}  // namespace
}  // namespace gir
