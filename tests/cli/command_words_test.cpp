#include <gmock/gmock.h>

#include "program.h"

namespace gir {
namespace {

using testing::expect_refusal;
using ::testing::HasSubstr;
using testing::ProgramRun;
using testing::run_gir;

TEST(Help, IsACommandAsWellAsAFlag) {
  const auto expect_same = [](const std::vector<std::string>& words, const std::vector<std::string>& flagged) {
    const ProgramRun run = run_gir(words);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out, run_gir(flagged).out);
  };
  expect_same({"help"}, {"--help"});
  expect_same({"help", "data", "info"}, {"data", "info", "--help"});
  expect_same({"help", "train"}, {"train", "--help"});
  EXPECT_THAT(run_gir({"help", "data", "info"}).out, HasSubstr("gir data info"));
}

TEST(Help, RejectsUnknownCommands) {
  expect_refusal({"help", "trian"}, {"unknown command \"trian\" [did you mean train? see gir --help]"});
  expect_refusal({"trian", "--help"}, {"unknown command \"trian\""});
  expect_refusal({"help", "data", "infos"}, {"unknown command \"infos\" [did you mean info? see gir data --help]"});
}

TEST(Help, AFileWithoutAFlagIsToldToBeAGraph) {
  const testing::TempDir dir;
  const std::string path = dir.file("my edges.txt", "a b\n").string();
  expect_refusal({"train", path, "-o", "x"}, {"unknown argument", "[a graph is given as --graph '", "my edges.txt']"});
  expect_refusal({"train", "nothing.txt", "-o", "x"}, {"unknown argument \"nothing.txt\" [see gir train --help]"});
}

TEST(Flags, UnknownOnesGetTheNearestOnesInOneLineForEveryCommand) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"train", "--dataset", "karate", "--epoch", "5", "-o", "x"}, "--epochs"},
      {{"compare", "--dataset", "karate"}, "--datasets"},
      {{"compare", "--model", "gcn"}, "--models"},
      {{"reproduce", "positional", "--run", "5"}, "--runs"},
      {{"report", "--out", "x"}, "--output"},
      {{"embed", "--grap", "x"}, "--graph"},
      {{"predict", "--pair", "x"}, "--pairs"},
      {{"anchors", "karate", "--cuont", "3"}, "--count"},
      {{"verify", "karate", "--anchor", "x"}, "--anchors"},
      {{"data", "info", "karate", "--feature", "x"}, "--features"},
      {{"data", "convert", "karate", "--write-ass", "x"}, "--write-as"},
      {{"data", "generate", "grid", "--rowz", "3"}, "--rows"},
      {{"data", "fetch", "pb", "--miror", "x"}, "--mirror"},
      {{"bench", "epoch", "--node", "3"}, "--nodes"},
      {{"info", "models", "--formt", "json"}, "--format"},
  };
  for (const auto& [words, nearest] : cases) {
    std::string command = "gir " + words[0];
    if (words[0] == "data" || words[0] == "reproduce" || words[0] == "bench" || words[0] == "info")
      command += " " + words[1];
    expect_refusal(words, {"unknown flag \"--", "[did you mean ", nearest, "? see " + command});
  }
  expect_refusal({"train", "--zzz", "5"}, {"unknown flag \"--zzz\" [see gir train --help]"});
  expect_refusal({"data", "generate", "--rows", "5"}, {"unknown flag \"--rows\" [see gir data generate --help]"});
}

TEST(Flags, NeedOneValue) {
  expect_refusal({"train", "--dataset", "karate", "--lr", "1", "--lr", "2"}, {"--lr is given more than once"});
  expect_refusal({"compare", "--datasets"}, {"--datasets needs a value [see gir compare --help]"});
  expect_refusal({"train", "--lr"}, {"--lr needs a value [see gir train --help]"});
}

TEST(Interrupt, IsReportedEvenBeforeTheCommandRuns) {
  const ProgramRun run = run_gir({"info", "models"}, "GIR_PLUGINS=" GIR_INTERRUPTING_PLUGIN);
  EXPECT_EQ(run.exit_code, 130);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "gir: interrupted\n");
}

}  // namespace
}  // namespace gir
