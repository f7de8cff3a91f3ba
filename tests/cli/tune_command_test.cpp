#include <gtest/gtest.h>

#include "program.h"

namespace gir {
namespace {

using testing::expect_refusal;
using testing::ProgramRun;
using testing::read_text;
using testing::run_gir;
using testing::TempDir;

/// The arguments of a small search on karate.
std::vector<std::string> search(const std::filesystem::path& folder, std::vector<std::string> more = {}) {
  std::vector<std::string> words = {"tune",     "--dataset", "karate",   "--task", "lp", "--epochs", "9",
                                    "--hidden", "8",         "--trials", "5",      "-o", folder};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(TuneCommand, EndsWithASentenceAConfigurationAndTheNextCommand) {
  const TempDir dir;
  const ProgramRun run = run_gir(search(dir / "out"));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("best of 5 trials"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("validation roc_auc"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("on 3 splits"), std::string::npos) << run.out;
  EXPECT_NE(run.err.find("next: gir train --config "), std::string::npos) << run.err;
  for (const char* name : {"best.json", "table.md", "tune.json", "trials.jsonl", "request.json"}) {
    EXPECT_TRUE(std::filesystem::exists(dir / "out" / name)) << name;
  }
  EXPECT_NE(read_text(dir / "out/table.md").find("best of 5 trials"), std::string::npos);
}

TEST(TuneCommand, WritesAConfigurationThatTrainAcceptsFromAnywhere) {
  const TempDir dir;
  std::string edges;
  for (int i = 0; i < 30; ++i) edges += fmt::format("{} {}\n{} {}\n", i, (i + 1) % 30, i, (i + 7) % 30);
  dir.file("edges.txt", edges);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(dir.path());
  const ProgramRun found =
      run_gir({"tune", "--graph", "edges.txt", "--epochs", "9", "--trials", "5", "--format", "json", "-o", "out"});
  std::filesystem::current_path(before);
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const ProgramRun run = run_gir({"train", "--config", dir / "out/best.json", "--split", "3", "--seed", "3", "--format",
                                  "json", "-o", dir / "run"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.json()["valid"], found.json()["best"]["values"][0]);
}

TEST(TuneCommand, NoFileHoldsATestMetric) {
  const TempDir dir;
  ASSERT_EQ(run_gir(search(dir / "out")).exit_code, 0);
  for (const auto& file : std::filesystem::recursive_directory_iterator(dir / "out")) {
    if (file.is_regular_file() && file.path().filename() != "table.md") {
      EXPECT_EQ(read_text(file.path()).find("\"test"), std::string::npos) << file.path();
    }
  }
}

TEST(TuneCommand, AFlagFixesItsSetting) {
  const TempDir dir;
  const ProgramRun run = run_gir(search(dir / "out", {"--model", "gir", "--lr", "0.02", "--format", "json"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (const auto& trial : run.json()["trials"]) {
    for (const char* name : {"model", "lr", "hidden"}) EXPECT_FALSE(trial["settings"].contains(name)) << trial;
  }
  const auto best = nlohmann::json::parse(read_text(dir / "out/best.json"));
  EXPECT_EQ(best["model"], "gir");
  EXPECT_EQ(best["lr"], 0.02);
}

TEST(TuneCommand, TriesTheListedModelsBesideTheDefault) {
  const TempDir dir;
  const ProgramRun run = run_gir(search(dir / "out", {"--models", "gcn,sage", "--format", "json"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (const auto& trial : run.json()["trials"]) {
    if (trial["trial"] == 0) continue;
    EXPECT_TRUE(trial["settings"]["model"] == "gcn" || trial["settings"]["model"] == "sage") << trial;
  }
}

TEST(TuneCommand, SearchesTheSpaceOfAFile) {
  const TempDir dir;
  const auto space = dir.file("space.json", R"({"layers": [1, 2], "lr": [0.02]})");
  const ProgramRun run = run_gir(search(dir / "out", {"--space", space, "--format", "json"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.json()["trials"].size(), 3U);
  EXPECT_NE(run.err.find("no further combinations"), std::string::npos) << run.err;
}

TEST(TuneCommand, ShowsTheSpaceInTheFormatThatItReads) {
  const TempDir dir;
  const ProgramRun shown = run_gir({"tune", "--show-space", "--task", "lp", "--format", "json"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  const auto space = dir.file("space.json", shown.out);
  EXPECT_EQ(run_gir({"tune", "--show-space", "--space", space, "--format", "json"}).out, shown.out);
  const ProgramRun text = run_gir({"tune", "--show-space"});
  EXPECT_NE(text.out.find("task nc:"), std::string::npos);
  EXPECT_NE(text.out.find("Number of layers"), std::string::npos);
  const ProgramRun fixed = run_gir({"tune", "--show-space", "--dataset", "karate", "--task", "lp", "--layers", "2"});
  EXPECT_EQ(fixed.out.find("Number of layers"), std::string::npos) << "a setting that is given is not varied";
}

TEST(TuneCommand, RefusesWhatDoesNotFitTogether) {
  const TempDir dir;
  const auto space = dir.file("space.json", R"({"layers": [1, 2], "model": ["gcn"]})");
  expect_refusal(search(dir / "a", {"--budget", "10"}), {"gir tune: --budget: \"10\" is not a duration", "10m"});
  expect_refusal(search(dir / "a", {"--space", space, "--layers", "3"}),
                 {"--layers is fixed by its flag and listed in ", "space.json [omit one of them]"});
  expect_refusal(search(dir / "a", {"--space", space, "--models", "gcn,sage"}), {"--models and ", "both list models"});
  expect_refusal(search(dir / "a", {"--models", "gcn,sage", "--model", "gir"}), {"--model fixes the model"});
  expect_refusal(search(dir / "a", {"--models", "gcnn"}), {"unknown model \"gcnn\""});
  expect_refusal(search(dir / "a", {"--models", "gcn,sage:layers=2"}),
                 {"--models: sage:layers=2 has settings of its own", "[use sage and a --space]"});
  expect_refusal({"tune", "--dataset", "karate"}, {"use -o DIR"});
  expect_refusal({"tune", "-o", dir / "a"}, {"no graph is given"});
  EXPECT_FALSE(std::filesystem::exists(dir / "a"));
}

TEST(TuneCommand, PrintsNothingToStandardErrorWhenQuiet) {
  const TempDir dir;
  const ProgramRun run = run_gir(search(dir / "out", {"-q"}));
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
}

}  // namespace
}  // namespace gir
