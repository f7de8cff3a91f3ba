#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>

#include "program.h"

namespace gir {
namespace {

using testing::expect_refusal;
using testing::ProgramRun;
using testing::read_text;
using testing::run_gir;
using testing::TempDir;

/// The arguments of a short training on karate.
std::vector<std::string> quick(const std::filesystem::path& folder, std::vector<std::string> more = {}) {
  std::vector<std::string> words = {"train", "--dataset", "karate", "--epochs", "30", "--hidden", "8", "-o", folder};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(TrainCommand, TrainsEvaluatesEmbedsAndPredicts) {
  const TempDir dir;
  const auto run = run_gir(quick(dir / "run", {"--task", "lp", "--format", "json"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.json()["metric"], "roc_auc");
  const auto again = run_gir({"eval", dir / "run", "--format", "json"});
  EXPECT_EQ(again.json()["test"], run.json()["test"]);
  for (const char* name : {"e.npy", "e.csv", "e.tsv", "e.vec"}) {
    EXPECT_EQ(run_gir({"embed", dir / "run", "-o", dir / name}).exit_code, 0) << name;
  }
  EXPECT_EQ(read_text(dir / "e.npy"), read_text(dir / "run/embeddings.npy"));
  EXPECT_EQ(read_text(dir / "e.nodes.txt"), read_text(dir / "run/nodes.txt"));
  const auto pairs = dir.file("pairs.txt", "source target\n1 2\n1 33\n");
  ASSERT_EQ(run_gir({"predict", dir / "run", "--pairs", pairs, "-o", dir / "p.csv"}).exit_code, 0);
  EXPECT_TRUE(read_text(dir / "p.csv").starts_with("source,target,score\n1,2,0."));
}

TEST(TrainCommand, UsesARunWithItsGraphAtAnotherPath) {
  const TempDir dir;
  std::string edges;
  for (int i = 0; i < 30; ++i) edges += fmt::format("{} {}\n{} {}\n", i, (i + 1) % 30, i, (i + 7) % 30);
  const auto graph = dir.file("g.txt", edges);
  const auto run =
      run_gir({"train", "--graph", graph, "--model", "gir-a", "--epochs", "20", "-o", dir / "run", "--format", "json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::filesystem::rename(graph, dir / "g2.txt");
  expect_refusal({"eval", dir / "run"}, {"g.txt: no such file", "--graph"});
  const auto eval = run_gir({"eval", dir / "run", "--graph", dir / "g2.txt", "--format", "json"});
  ASSERT_EQ(eval.exit_code, 0) << eval.err;
  EXPECT_EQ(eval.json()["test"], run.json()["test"]);
  EXPECT_NE(eval.err.find("evaluated gir-a on g.txt (lp)"), std::string::npos) << eval.err;
  EXPECT_NE(eval.err.find("test pairs"), std::string::npos) << eval.err;
  ASSERT_EQ(run_gir({"embed", dir / "run", "--graph", dir / "g2.txt", "-o", dir / "e.npy"}).exit_code, 0);
  EXPECT_EQ(read_text(dir / "e.npy"), read_text(dir / "run/embeddings.npy"));
  const auto report = run_gir({"report", dir / "run", "--graph", dir / "g2.txt", "-o", dir / "r.html"});
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_EQ(report.err.find("not shown"), std::string::npos) << report.err;
  const auto without = run_gir({"report", dir / "run", "-o", dir / "r.html"});
  EXPECT_EQ(without.exit_code, 0) << "what needs no graph is shown";
  EXPECT_NE(without.err.find("--graph"), std::string::npos) << without.err;
  expect_refusal({"eval", dir / "run", "--graph", "karate"}, {"karate: the graph is not the one"});
}

TEST(TrainCommand, PredictsAllNodesWithoutAList) {
  const TempDir dir;
  ASSERT_EQ(run_gir(quick(dir / "nc", {"--task", "nc"})).exit_code, 0);
  ASSERT_EQ(run_gir({"predict", dir / "nc", "-o", dir / "all.csv"}).exit_code, 0);
  EXPECT_EQ(std::ranges::count(read_text(dir / "all.csv"), '\n'), 35);
  const auto some =
      run_gir({"predict", dir / "nc", "--nodes", "-", "-o", dir / "some.csv"}, "", dir.file("nodes.txt", "33\n1\n"));
  ASSERT_EQ(some.exit_code, 0) << some.err;
  EXPECT_NE(read_text(dir / "some.csv").find("\n33,"), std::string::npos);
  const auto unknown =
      run_gir({"predict", dir / "nc", "--nodes", "-", "-o", dir / "some.csv"}, "", dir.file("nodes.txt", "1\n77\n"));
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("standard input:2: the graph has no node \"77\""), std::string::npos) << unknown.err;
  ASSERT_EQ(run_gir(quick(dir / "lp", {"--task", "lp"})).exit_code, 0);
  expect_refusal({"predict", dir / "lp", "-o", dir / "p.csv"}, {"was trained to score pairs", "[use --pairs FILE]"});
  const auto pairs =
      run_gir({"predict", dir / "lp", "--pairs", "-", "-o", dir / "p.csv"}, "", dir.file("pairs.txt", "1 2\n1 33\n"));
  EXPECT_EQ(pairs.exit_code, 0) << pairs.err;
}

TEST(TrainCommand, ResumesWithTheGraphAtAnotherPath) {
  const TempDir dir;
  std::string edges;
  for (int i = 0; i < 30; ++i) edges += fmt::format("{} {}\n{} {}\n", i, (i + 1) % 30, i, (i + 7) % 30);
  const auto graph = dir.file("g.txt", edges);
  ASSERT_EQ(run_gir({"train", "--graph", graph, "--epochs", "20", "-o", dir / "run"}).exit_code, 0);
  std::filesystem::remove(dir / "run/result.json");  // as if it had been killed
  std::filesystem::rename(graph, dir / "g2.txt");
  expect_refusal({"train", "--resume", dir / "run", "--lr", "0.1"}, {"--resume uses the settings of the run", "--lr"});
  const auto resumed = run_gir({"train", "--resume", dir / "run", "--graph", dir / "g2.txt"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
}

TEST(TrainCommand, SelectsTheEpochByTheMetricOfTheUser) {
  const TempDir dir;
  const auto run = run_gir(quick(dir / "auc", {"--task", "nc", "--select-by", "auc", "--format", "json"})).json();
  EXPECT_EQ(run["metric"], "macro_auc");
  EXPECT_EQ(run["select_by"], "macro_auc");
  EXPECT_EQ(run["test"], run["test_metrics"]["macro_auc"]);
  EXPECT_EQ(run["valid"], run["valid_metrics"]["macro_auc"]);
  EXPECT_NE(read_text(dir / "auc/metrics.jsonl").find("\"valid_macro_auc\""), std::string::npos);
  EXPECT_EQ(run_gir({"eval", dir / "auc", "--format", "json"}).json()["test"], run["test"]);
  const auto loss = run_gir(quick(dir / "loss", {"--task", "nc", "--select-by", "loss", "--format", "json"})).json();
  EXPECT_EQ(loss["metric"], "accuracy") << "losses are not a result";
  EXPECT_EQ(loss["select_by"], "loss");
  double lowest = 1e9;
  std::int64_t best_epoch = 0;
  std::istringstream lines(read_text(dir / "loss/metrics.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const auto evaluation = nlohmann::json::parse(line);
    if (evaluation["valid_loss"] >= lowest) continue;
    lowest = evaluation["valid_loss"];
    best_epoch = evaluation["epoch"];
  }
  EXPECT_EQ(loss["best_epoch"], best_epoch);
  const auto plain = run_gir(quick(dir / "plain", {"--task", "nc", "--select-by", "accuracy", "--format", "json"}));
  EXPECT_FALSE(plain.json().contains("select_by")) << "the default";
  for (const char* name : {"macro_f1", "balanced_accuracy", "macro_auc", "macro_ap"}) {
    EXPECT_TRUE(plain.json()["test_metrics"].contains(name)) << name;
  }
  expect_refusal(quick(dir / "no", {"--task", "lp", "--select-by", "accuracy"}),
                 {"--select-by: \"accuracy\" is not a metric", "[known: roc_auc, average_precision"});
}

TEST(TrainCommand, SaysThatValidationMetricsOfARefitAreThoseOfTheModelBefore) {
  const TempDir dir;
  const auto run = run_gir(quick(dir / "run", {"--task", "lp", "--refit"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("the validation metric is that of the model before it"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("along training and validation edges"), std::string::npos) << run.out;
  const auto eval = run_gir({"eval", dir / "run"});
  EXPECT_NE(eval.out.find("validation before the refit"), std::string::npos) << eval.out;
  EXPECT_NE(eval.err.find("with the parameters of the refit"), std::string::npos) << eval.err;
  EXPECT_EQ(eval.err.find("0 validation pairs"), std::string::npos) << eval.err;
  const auto json = run_gir({"eval", dir / "run", "--format", "json"}).json();
  EXPECT_EQ(json["valid_of"], "model before the refit");
  EXPECT_EQ(json["reach"]["edges"], "training and validation");
  ASSERT_EQ(run_gir(quick(dir / "plain", {"--task", "lp"})).exit_code, 0);
  const auto plain = run_gir({"eval", dir / "plain", "--format", "json"}).json();
  EXPECT_EQ(plain["valid_of"], "model");
  EXPECT_EQ(plain["reach"]["edges"], "training");
  const auto report = run_gir({"report", dir / "run", "-o", dir / "r.html"});
  EXPECT_NE(report.err.find("validation metrics are those of the model before that"), std::string::npos) << report.err;
}

TEST(TrainCommand, SpeaksOfNoTestSetWhereThereIsNone) {
  const TempDir dir;
  const auto run =
      run_gir(quick(dir / "run", {"--task", "lp", "--refit", "--split-shares", "0.8,0.2,0", "--messages", "known"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("epochs: files are those of that training"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("test metrics"), std::string::npos) << run.out;
  const auto eval = run_gir({"eval", dir / "run"});
  EXPECT_NE(eval.err.find("nothing, since there is no test set"), std::string::npos) << eval.err;
  EXPECT_EQ(eval.err.find("for test pairs"), std::string::npos) << eval.err;
}

/// A ring of 30 nodes with chords, and labels of which the last class has two nodes.
std::vector<std::string> train_on_rare_class(const TempDir& dir, const std::vector<std::string>& more) {
  std::string edges;
  std::string labels;
  for (int i = 0; i < 30; ++i) {
    edges += fmt::format("{} {}\n{} {}\n", i, (i + 1) % 30, i, (i + 7) % 30);
    labels += fmt::format("{} {}\n", i, i < 28 ? i % 2 : 2);
  }
  std::string train;
  for (int i = 0; i < 20; ++i) train += fmt::format("{}\n", i);
  dir.file("split/train.txt", train + "28\n29\n");
  dir.file("split/valid.txt", "20\n21\n22\n23\n");
  dir.file("split/test.txt", "24\n26\n");
  std::vector<std::string> words = {"train",
                                    "--graph",
                                    dir.file("edges.txt", edges),
                                    "--labels",
                                    dir.file("labels.txt", labels),
                                    "--model",
                                    "gir-a",
                                    "--epochs",
                                    "5",
                                    "--split-from",
                                    dir / "split"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// A split whose validation nodes all have one class.
std::string one_class(const TempDir& dir) {
  std::filesystem::copy(dir / "split", dir / "one-class");
  dir.file("one-class/valid.txt", "20\n22\n");
  return dir / "one-class";
}

TEST(TrainCommand, ShowsNoNumberWhereAMetricIsUndefined) {
  const TempDir dir;
  const auto run = run_gir(train_on_rare_class(dir, {"-o", dir / "run"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("macro_auc -, macro_ap -"), std::string::npos) << run.out;
  EXPECT_NE(run.err.find("validation macro_auc and macro_ap are means over 2 of 3 classes"), std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("test macro_auc and macro_ap are undefined (-)"), std::string::npos) << run.err;
  const auto json = run_gir({"eval", dir / "run", "--format", "json"}).json();
  EXPECT_TRUE(json["test_metrics"]["macro_auc"].is_null());
  EXPECT_TRUE(json["test_metrics"]["macro_ap"].is_null());
  EXPECT_EQ(json["valid_ranked_classes"], 2);
  const auto eval = run_gir({"eval", dir / "run", "--format", "csv"});
  EXPECT_NE(eval.out.find(",-\n"), std::string::npos) << eval.out;
  expect_refusal({"train", "--config", dir / "run/config.json", "--split-from", one_class(dir), "--select-by", "auc",
                  "-o", dir / "none"},
                 {"--select-by: macro_auc is undefined, since all 2 validation nodes have class \"0\""});
}

TEST(TrainCommand, WarnsOfFewNegativesWithWhichHitsAreUndefined) {
  const TempDir dir;
  std::string train;
  for (int i = 0; i < 20; ++i) train += fmt::format("{} {}\n", i, (i + 1) % 20);
  dir.file("split/train.txt", train);
  dir.file("split/valid.txt", "0 5\n1 6\n2 7\n3 8\n4 9\n");
  dir.file("split/test.txt", "0 7\n1 8\n2 9\n3 10\n4 11\n");
  dir.file("split/test_neg.txt", "0 10\n");
  const auto run =
      run_gir({"train", "--split-from", dir / "split", "--model", "gcn", "--epochs", "2", "-o", dir / "run"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("the test set has 5 positive pairs, but only 1 negative one"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("the validation set has 5 positive pairs"), std::string::npos) << run.err;
  EXPECT_NE(run.out.find("hits@10 -, hits@50 -"), std::string::npos) << run.out;
}

TEST(TrainCommand, NamesWeightsThatCannotBeUsed) {
  const TempDir dir;
  std::string zeros;
  for (int i = 0; i < 20; ++i) zeros += fmt::format("{} {} 0\n{} {} 0\n", i, (i + 1) % 20, i, (i + 5) % 20);
  const auto train = [&](const std::string& edges, const std::string& run) {
    return std::vector<std::string>{"train",      "--graph",  edges, "--model", "gcn",
                                    "--weighted", "--epochs", "2",   "-o",      dir / run};
  };
  const auto run = run_gir(train(dir.file("zeros.txt", zeros), "run"));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("all edge weights are 0"), std::string::npos) << run.err;
  expect_refusal(train(dir.file("below.txt", zeros + "3 12 -2\n"), "none"),
                 {"below.txt: the edge between \"3\" and \"12\" has the weight -2 [--weighted needs"});
}

TEST(TrainCommand, RefusesToSelectEpochsByAMetricThatIsTheSameForAllModels) {
  const TempDir dir;
  expect_refusal(quick(dir / "run", {"--task", "lp", "--select-by", "hits@50"}),
                 {"--select-by: hits@50 is undefined, since there are only 8 validation negatives"});
  EXPECT_FALSE(std::filesystem::exists(dir / "run"));
}

TEST(TrainCommand, SaysWhichFlagsHaveNoEffect) {
  const TempDir dir;
  const auto run = run_gir(quick(dir / "run", {"--task", "nc", "--model", "gcn", "--anchors", "3"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("note: --anchors has no effect: gcn has no anchors"), std::string::npos) << run.err;
  const auto again = run_gir({"train", "--config", dir / "run/config.json", "-o", dir / "again"});
  EXPECT_EQ(again.err.find("has no effect"), std::string::npos) << "a configuration has all settings: " << again.err;
}

TEST(TrainCommand, HelpNamesTheDefaultsOfKnownAndOfOtherGraphs) {
  const std::string help = run_gir({"train", "--help"}).out;
  const auto line_of = [&](const std::string& flag) {
    const std::size_t begin = help.find("  --" + flag + " ");
    return help.substr(begin, help.find("\n  --", begin + 3) - begin);
  };
  EXPECT_NE(line_of("evaluate-every").find("=10 (nc: 5)"), std::string::npos) << line_of("evaluate-every");
  EXPECT_NE(line_of("messages").find("=train; auto: known (npc: train, nc: train)"), std::string::npos)
      << line_of("messages");
  EXPECT_NE(line_of("jump").find("[off; auto: on]"), std::string::npos) << line_of("jump");
  EXPECT_NE(line_of("patience").find("=0; auto: 12"), std::string::npos) << line_of("patience");
  EXPECT_EQ(line_of("weighted").find('['), std::string::npos) << line_of("weighted");
}

TEST(TrainCommand, ReproducesARunFromItsConfiguration) {
  const TempDir dir;
  ASSERT_EQ(run_gir(quick(dir / "one", {"--model", "gir-o", "--lr", "0.02", "--seed", "5"})).exit_code, 0);
  const auto again = run_gir({"train", "--config", dir / "one/config.json", "-o", dir / "two"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(read_text(dir / "two/model.safetensors"), read_text(dir / "one/model.safetensors"));
  EXPECT_EQ(read_text(dir / "two/config.json"), read_text(dir / "one/config.json"));
  const auto changed = run_gir({"train", "--config", dir / "one/config.json", "--seed", "6", "-o", dir / "three"});
  ASSERT_EQ(changed.exit_code, 0) << changed.err;
  EXPECT_NE(read_text(dir / "three/model.safetensors"), read_text(dir / "one/model.safetensors"))
      << "flags take precedence";
}

TEST(TrainCommand, TrainsOnAnEdgeListAndKeepsItsIds) {
  const TempDir dir;
  std::string edges;
  for (int i = 0; i < 30; ++i) edges += fmt::format("user{} user{}\nuser{} user{}\n", i, (i + 1) % 30, i, (i + 7) % 30);
  const auto file = dir.file("edges.txt", edges);
  const auto run = run_gir({"train", "--graph", file, "--epochs", "20", "-o", dir / "run"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("(lp)"), std::string::npos) << "link prediction is the default task without labels";
  EXPECT_NE(read_text(dir / "run/nodes.txt").find("user17\n"), std::string::npos);
}

TEST(TrainCommand, KeepsTheColumnsWithTheRun) {
  const TempDir dir;
  std::string edges = "id;who;whom;remark\n";
  for (int i = 0; i < 30; ++i) {
    edges += fmt::format("{};\"user {}\";\"user {}\";\"a;b\"\n", i, i, (i + 1) % 30);
    edges += fmt::format("{};\"user {}\";\"user {}\";\n", i + 30, i, (i + 7) % 30);
  }
  const auto file = dir.file("edges.csv", edges);
  const auto run =
      run_gir({"train", "--graph", file, "--columns", "source=who,target=whom", "--epochs", "2", "-o", dir / "run"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(read_text(dir / "run/config.json").find("source=who,target=whom"), std::string::npos);
  EXPECT_NE(read_text(dir / "run/nodes.txt").find("user 17\n"), std::string::npos);
  const auto reopened = run_gir({"eval", dir / "run"});
  EXPECT_EQ(reopened.exit_code, 0) << reopened.err;
}

TEST(TrainCommand, OpensARunAgainWhoseIdsHaveToBeQuoted) {
  const TempDir dir;
  std::string edges = "who,whom\n";
  for (int i = 0; i < 30; ++i) {
    edges += fmt::format("\"#{}\",\"#{}\"\n\"#{}\",\" {} \"\n", i, (i + 1) % 30, i, (i + 7) % 30);
  }
  const auto graph = dir.file("edges.csv", edges);
  const auto run = run_gir({"train", "--graph", graph, "--model", "gir-a", "--epochs", "2", "-o", dir / "run"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(read_text(dir / "run/anchors.txt").find("\"#"), std::string::npos);
  const auto reopened = run_gir({"eval", dir / "run"});
  EXPECT_EQ(reopened.exit_code, 0) << reopened.err;
  const auto pairs = dir.file("pairs.csv", "source,target\n\"#1\",\" 2 \"\n");
  const auto scored = run_gir({"predict", dir / "run", "--pairs", pairs, "-o", dir / "scores.csv"});
  ASSERT_EQ(scored.exit_code, 0) << scored.err;
  EXPECT_NE(scored.err.find("note: " + pairs.string() + ":1: \"source\", \"target\" skipped as a header line"),
            std::string::npos)
      << scored.err;
  EXPECT_NE(read_text(dir / "scores.csv").find("\n\"#1\",\" 2 \","), std::string::npos);
  ASSERT_EQ(run_gir({"data", "split", graph, "-o", dir / "split"}).exit_code, 0);
  const auto given =
      run_gir({"train", "--graph", graph, "--split-from", dir / "split", "--epochs", "2", "-o", dir / "b"});
  EXPECT_EQ(given.exit_code, 0) << given.err;
}

TEST(TrainCommand, OpensARunAgainWhoseLabelsNameNodesWithoutEdges) {
  const TempDir dir;
  std::string edges = "who,whom\n";
  std::string labels = "id,age,team\n";
  for (int i = 0; i < 30; ++i) edges += fmt::format("{},{}\n{},{}\n", i, (i + 1) % 30, i, (i + 7) % 30);
  for (int i = 0; i < 33; ++i) labels += fmt::format("{},40,{}\n", i, i % 2 == 0 ? "red" : "blue");
  const auto graph = dir.file("edges.csv", edges);
  const auto run = run_gir({"train", "--graph", graph, "--labels", dir.file("people.csv", labels), "--columns",
                            "label=team", "--epochs", "2", "-o", dir / "run"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(read_text(dir / "run/nodes.txt").find("32\n"), std::string::npos);
  EXPECT_EQ(run_gir({"eval", dir / "run"}).exit_code, 0);
  const auto elsewhere = run_gir({"eval", dir / "run", "--graph", dir.file("copy.csv", edges)});
  EXPECT_EQ(elsewhere.exit_code, 0) << elsewhere.err;
}

TEST(TrainCommand, PrintsNothingToStandardErrorWhenQuiet) {
  const TempDir dir;
  const auto run = run_gir(quick(dir / "run", {"-q"}));
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
}

TEST(TrainCommand, RejectsDevicesThatDoNotExist) {
  // With or without a GPU: no machine has that many.
  expect_refusal({"train", "--graph", "karate", "--device", "cuda:999"}, {"gir train: --device: cuda:999: "});
  expect_refusal({"verify", "karate", "--device", "cuda:999"}, {"gir verify: --device: cuda:999: "});
  expect_refusal({"data", "info", "karate", "--device", "cuda:999"}, {"gir data info: --device: cuda:999: "});
  expect_refusal({"train", "--graph", "karate", "--device", "gpu"}, {"\"gpu\"", "[cpu, cuda or cuda:N]"});
  expect_refusal({"train", "--graph", "karate", "--device", "cuda:x"}, {"\"cuda:x\"", "[cpu, cuda or cuda:N]"});
  expect_refusal({"train", "--graph", "karate", "--precision", "half"}, {"\"half\"", "[known: fp32, tf32, bf16]"});
  expect_refusal({"train", "--graph", "karate", "--precision", "tf32"}, {"the CPU computes in fp32"});
}

TEST(TrainCommand, ListsTheDevices) {
  const auto devices = run_gir({"info", "devices", "--format", "json"}).json();
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices[0]["name"], "cpu");
  EXPECT_GT(devices[0]["memory"], 0);
  EXPECT_EQ(run_gir({"data", "info", "karate", "--device", "cpu"}).exit_code, 0);
}

TEST(TrainCommand, ListsTheRecipes) {
  const auto recipes = run_gir({"info", "recipes", "--format", "json"}).json();
  std::map<std::string, nlohmann::json> settings;
  for (const auto& recipe : recipes) settings[recipe["name"]] = recipe["settings"];
  EXPECT_EQ(settings.size(), 5u);
  EXPECT_EQ(settings["strong"]["norm"], "batch");
  EXPECT_EQ(settings["fusion-strong"]["residual-maps"], "true");
  EXPECT_FALSE(settings["fusion"].contains("residual-maps"));
  const auto text = run_gir({"info", "recipes"});
  EXPECT_NE(text.out.find("for nc evaluate-every 5"), std::string::npos) << text.out;
}

TEST(TrainCommand, RejectsInvalidInputInOneLine) {
  const TempDir dir;
  const auto run = dir / "run";
  expect_refusal({"train", "--dataset", "karate"}, {"-o DIR", "--resume"});
  expect_refusal({"train", "-o", run}, {"no graph is given"});
  expect_refusal(quick(run, {"--model", "gir-aa"}), {"unknown model \"gir-aa\"", "[known: gir-a"});
  expect_refusal(quick(run, {"--task", "cl"}), {"unknown task"});
  expect_refusal(quick(run, {"--optimizer", "sgd"}), {"unknown optimizer"});
  expect_refusal(quick(run, {"--jump=maybe"}), {"--jump", "\"maybe\" [true or false]"});
  expect_refusal(quick(run, {"--decoder", "dott"}), {"unknown decoder", "[known: dot"});
  expect_refusal(quick(run, {"--recipe", "papr"}), {"unknown recipe", "paper"});
  expect_refusal(quick(run, {"--strategy", "degre"}), {"unknown strategy"});
  expect_refusal(quick(run, {"--lr", "fast"}), {"--lr", "not a number"});
  expect_refusal(quick(run, {"--layers", "0"}), {"--layers: 0 [at least 1]"});
  expect_refusal(quick(run, {"--anchors", "1000"}), {"1000 anchors"});
  expect_refusal(quick(run, {"--model", "gir-mix", "--anchor-sets", "3"}), {"3 anchor sets do not divide"});
  expect_refusal(quick(run, {"--input-dropout", "1"}), {"--input-dropout: 1", "less than 1"});
  expect_refusal(quick(run, {"--epoch-pairs", "-1"}), {"--epoch-pairs: -1"});
  expect_refusal(quick(run, {"--memory-budget", "-1"}), {"--memory-budget: -1"});
  expect_refusal(quick(run, {"--memory-budget", "0.001"}),
                 {"training would need about", "0.00 GiB are available", "--memory-budget"});
  expect_refusal(quick(run, {"--threads", "0"}), {"at least 1"});
  expect_refusal(quick(run, {"--config", dir / "none.json"}), {"none.json"});
  expect_refusal(quick(run, {"--lerning-rate", "1"}), {"unknown flag \"--lerning-rate\""});
  expect_refusal({"train", "--graph", "path", "--task", "nc", "-o", run}, {"needs labels"});
  expect_refusal({"train", "--graph", dir.file("two.txt", "a b\nb c\n"), "-o", run}, {"too few to split"});
  EXPECT_FALSE(std::filesystem::exists(run)) << "nothing is written before the input is validated";
}

TEST(BenchEpoch, MeasuresEpochsAndLayersOfEveryModel) {
  const std::vector<std::string> small = {"--hidden", "16", "--anchors", "8", "--classes", "3",
                                          "--repeat", "1",  "--warmup",  "0", "--format",  "json"};
  const auto bench = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"bench", "epoch"});
    arguments.insert(arguments.end(), small.begin(), small.end());
    return run_gir(arguments).json();
  };
  for (const auto& [model, layers] : {std::pair("gir", 5), std::pair("gcn", 3), std::pair("gir-a", 5)}) {
    const auto line = bench({"--rmat", "8", "--dim", "6", "--models", model});
    EXPECT_EQ(line.at("model"), model);
    EXPECT_EQ(line.at("nodes"), 256);
    EXPECT_GT(line.at("epoch_ms").get<double>(), 0);
    EXPECT_EQ(line.at("computed_twice"), 0);
    const auto& roofline = line.at("roofline");
    ASSERT_EQ(roofline.at("layers").size(), static_cast<std::size_t>(layers));
    double floor = 0;
    for (const auto& layer : roofline.at("layers")) {
      floor += layer.at("floor_ms").get<double>();
      EXPECT_GT(layer.at("measured_ms").get<double>(), 0);
    }
    EXPECT_NEAR(floor, line.at("floor_ms").get<double>(), 1e-9 + 1e-6 * floor);
  }
  const TempDir dir;
  const std::string path = dir.file("path.txt", "1 2\n2 3\n3 4\n4 5\n5 6\n6 7\n7 8\n8 9\n9 1\n1 5\n2 7\n3 8\n");
  EXPECT_EQ(bench({"--lp", "--edges", path, "--models", "gir"}).at("nodes"), 9);
  expect_refusal({"bench", "epoch", "--models", "gin"}, {"unknown model \"gin\"", "gir-a"});
  expect_refusal({"bench", "epoch", "--rmat", "8", "--edges", path}, {"exclude each other"});
  expect_refusal({"bench", "epoch", "--rmat", "8", "--memory-budget", "0.001"}, {"training would need about"});
}

TEST(TrainCommand, RejectsFoldersThatAreNotEmpty) {
  const TempDir dir;
  ASSERT_EQ(run_gir(quick(dir / "run")).exit_code, 0);
  const std::string before = read_text(dir / "run/model.safetensors");
  expect_refusal(quick(dir / "run"), {"already contains a run", "--overwrite"});
  EXPECT_EQ(read_text(dir / "run/model.safetensors"), before);
  EXPECT_EQ(run_gir(quick(dir / "run", {"--overwrite"})).exit_code, 0);
  expect_refusal({"train", "--resume", dir / "run"}, {"is already finished"});
  expect_refusal({"train", "--resume", dir / "nowhere"}, {"no such folder"});
  expect_refusal(quick("/proc/none/run"), {"/proc/none"});
}

TEST(RunCommands, RejectInvalidInputInOneLine) {
  const TempDir dir;
  ASSERT_EQ(run_gir(quick(dir / "run", {"--task", "nc"})).exit_code, 0);
  expect_refusal({"eval", dir / "nothing"}, {"no such folder"});
  expect_refusal({"embed", dir / "run", "-o", dir / "e.xyz"}, {"e.xyz", ".npy, .csv, .tsv or .vec"});
  expect_refusal({"embed", dir / "run", "--graph", "path", "-o", dir / "e.csv"}, {"gir-a", "fingerprint"});
  expect_refusal({"predict", dir / "run", "--pairs", "a", "--nodes", "b", "-o", dir / "p.csv"},
                 {"--pairs FILE or --nodes FILE"});
  expect_refusal({"predict", dir / "run", "--pairs", dir.file("p.txt", "1 2\n"), "-o", dir / "p.csv"},
                 {"trained to classify nodes"});
  expect_refusal({"predict", dir / "run", "--nodes", dir.file("n.txt", "1\nx\n"), "-o", dir / "p.csv"},
                 {"n.txt:2:", "no node \"x\""});
}

TEST(CompareCommand, WritesTablesAndContinues) {
  const TempDir dir;
  const std::vector<std::string> words = {
      "compare",   "--datasets", "karate,communities", "--models", "gir-a,gcn", "--runs", "2",
      "--splits",  "1",          "--epochs",           "10",       "--task",    "npc",    "-o",
      dir / "grid"};
  const auto first = run_gir(words);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(first.out.find("karate npc"), std::string::npos) << first.out;
  EXPECT_NE(first.err.find(" has the highest mean"), std::string::npos) << first.err;
  for (const char* name : {"table.md", "table.csv", "table.json", "table.tex", "results.jsonl"}) {
    EXPECT_TRUE(std::filesystem::exists(dir / "grid" / name)) << name;
  }
  const auto table = nlohmann::json::parse(read_text(dir / "grid/table.json"));
  ASSERT_EQ(table.size(), 4u);
  for (const char* field : {"dataset", "task", "model", "metric", "mean", "sd", "runs", "paper_mean", "paper_sd"}) {
    EXPECT_TRUE(table[0].contains(field)) << field;
  }
  EXPECT_NE(read_text(dir / "grid/table.md").find("**"), std::string::npos);
  const std::string before = read_text(dir / "grid/table.json");
  const std::string lines = read_text(dir / "grid/results.jsonl");
  EXPECT_EQ(run_gir(words).exit_code, 0);
  EXPECT_EQ(read_text(dir / "grid/table.json"), before);
  EXPECT_EQ(read_text(dir / "grid/results.jsonl"), lines) << "no run was trained again";
}

TEST(ReproduceCommand, ShowsThePapersResultsNextToOurs) {
  GIR_NEEDS_DATA();
  const TempDir dir;
  const auto run = run_gir({"reproduce", "positional", "--quick", "--datasets", "celegans", "--models", "gcn,gir-a",
                            "--data-dir", *testing::data_directory(), "-o", dir / "table"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("86.5 ± 2.1"), std::string::npos) << run.out;
  EXPECT_NE(run.err.find("compared with the paper"), std::string::npos) << run.err;
  EXPECT_TRUE(std::filesystem::exists(dir / "table/table.tex"));
  expect_refusal({"reproduce", "positional", "--recipe", "papr", "-o", dir / "x"}, {"unknown recipe", "paper"});
  expect_refusal({"reproduce", "fusio", "-o", dir / "x"}, {"unknown command", "did you mean fusion?"});
  expect_refusal({"reproduce", "fusion", "--hidden", "wide", "-o", dir / "x"}, {"--hidden: \"wide\" [1 to 1048576]"});
  expect_refusal({"reproduce", "fusion", "--datasets", "karate", "-o", "/proc/none"},
                 {"/proc/none", "[check the path"});
}

TEST(ReproduceCommand, ReproducesTheTableOfFusions) {
  GIR_NEEDS_DATA();
  const TempDir dir;
  const auto run =
      run_gir({"reproduce", "fusion", "--quick", "--data-dir", *testing::data_directory(), "-o", dir / "table"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto table = nlohmann::json::parse(read_text(dir / "table/table.json"));
  ASSERT_EQ(table.size(), 45u) << "9 models on 5 graphs";
  for (const auto& cell : table) {
    EXPECT_EQ(cell["metric"], "accuracy");
    EXPECT_EQ(cell["runs"], 2);
    const bool fused = cell["model"].get<std::string>().starts_with("gcn-g");
    EXPECT_EQ(cell.contains("ec_mean"), fused) << cell;
  }
  EXPECT_NE(run.err.find("coauthor-physics: gcn-gir minus gcn-gcn is"), std::string::npos) << run.err;
  EXPECT_NE(read_text(dir / "table/table.md").find("| EC |"), std::string::npos);
}

TEST(ReproduceCommand, UsesTheGivenNumberOfRunsAndSplits) {
  GIR_NEEDS_DATA();
  const TempDir dir;
  const auto run = run_gir({"reproduce", "fusion", "--datasets", "cora", "--models", "gcn-3", "--hidden", "4", "--runs",
                            "3", "--splits", "3", "--data-dir", *testing::data_directory(), "-o", dir / "table"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto table = nlohmann::json::parse(read_text(dir / "table/table.json"));
  ASSERT_EQ(table.size(), 1u);
  EXPECT_EQ(table[0]["runs"], 3);
  const std::string lines = read_text(dir / "table/results.jsonl");
  for (const char* split : {"\"split\":0", "\"split\":1", "\"split\":2"}) {
    EXPECT_NE(lines.find(split), std::string::npos) << split << lines;
  }
  EXPECT_EQ(lines.find("\"seed\":1"), std::string::npos) << "one seed per split: " << lines;
}

TEST(ReproduceCommand, RejectsInvalidCounts) {
  const TempDir dir;
  const auto refuses = [&](const std::vector<std::string>& counts, std::initializer_list<std::string> said) {
    std::vector<std::string> words = {"reproduce", "fusion", "-o", dir / "x"};
    words.insert(words.end(), counts.begin(), counts.end());
    expect_refusal(words, said);
  };
  refuses({"--quick", "--runs", "4"}, {"excludes", "--runs"});
  refuses({"--quick", "--splits", "2"}, {"excludes", "--splits"});
  refuses({"--runs", "7"}, {"7 runs", "5 splits", "--runs must be a multiple of --splits"});
  refuses({"--runs", "ten"}, {"--runs: \"ten\" [1 to 1048576]"});
  refuses({"--splits", "0"}, {"--splits: \"0\" [1 to 1048576]"});
}

TEST(TrainCommand, PrintsNoNotesOnTheDataWithAnError) {
  GIR_NEEDS_DATA();
  const TempDir dir;
  expect_refusal({"train", "--dataset", "amazon-photo", "--model", "gcn-gir", "--fwr", "-1", "--data-dir",
                  *testing::data_directory(), "-o", dir / "x"},
                 {"--fwr: -1"});
}

TEST(ReproduceCommand, RejectsOgbnArxivWithoutItsOfficialFeatures) {
  GIR_NEEDS_DATA();
  const TempDir dir;
  if (std::filesystem::exists(*testing::data_directory() / "ogbn-arxiv/raw/node-feat.csv.gz")) {
    GTEST_SKIP() << "skipped: this machine has the official features";
  }
  expect_refusal(
      {"reproduce", "fusion", "--datasets", "ogbn-arxiv", "--data-dir", *testing::data_directory(), "-o", dir / "x"},
      {"official features", "ogbn-arxiv-structural"});
}

TEST(TrainCommand, FusesExpertsAndRejectsInvalidOnes) {
  const TempDir dir;
  const auto fuse = [&](const char* name, std::vector<std::string> more) {
    std::vector<std::string> words = {"train", "--dataset", "communities", "--task",       "nc", "--epochs",
                                      "10",    "--hidden",  "8",           "--structural", "-o", dir / name};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const auto run = run_gir(fuse("run", {"--model", "gcn-gir", "--format", "json"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(run.json()["test_metrics"].contains("ec"));
  EXPECT_TRUE(std::filesystem::exists(dir / "run/gate.npy"));
  EXPECT_EQ(run_gir({"eval", dir / "run", "--format", "json"}).json()["test"], run.json()["test"]);
  ASSERT_EQ(run_gir(fuse("pair", {"--experts", "gcn:layers=2,gir-a:layers=3"})).exit_code, 0);
  const auto other = run_gir(fuse("other", {"--config", dir / "pair/config.json", "--model", "gcn"}));
  EXPECT_EQ(other.exit_code, 0) << other.err << " settings of fused models are omitted for others";
  const auto grid = run_gir({"compare", "--config", dir / "pair/config.json", "--datasets", "communities", "--models",
                             "gcn-5,gcn-gir", "--runs", "1", "--splits", "1", "-o", dir / "grid"});
  EXPECT_EQ(grid.exit_code, 0) << grid.err;
  expect_refusal(fuse("x", {"--experts", "gcn"}), {"a single expert"});
  expect_refusal(fuse("x", {"--experts", "gcn,gir", "--fwr", "-1"}), {"--fwr: -1"});
  expect_refusal(fuse("x", {"--experts", dir / "nowhere/run,gcn"}), {"nowhere/run", "no such folder"});
  expect_refusal(fuse("x", {"--model", "gcn-gir", "--expert-cache", "/proc/none"}), {"--expert-cache: /proc/none"});
  EXPECT_FALSE(std::filesystem::exists(dir / "x"));
}

/// A training in a child process.
class Background {
 public:
  explicit Background(const std::vector<std::string>& words) {
    std::vector<char*> arguments = {const_cast<char*>(GIR_PROGRAM)};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    child_ = ::fork();
    if (child_ == 0) {
      static_cast<void>(!std::freopen("/dev/null", "w", stdout));
      static_cast<void>(!std::freopen("/dev/null", "w", stderr));
      ::execv(GIR_PROGRAM, arguments.data());
      ::_exit(127);
    }
  }

  /// Sends the signal when the file exists; returns the wait status.
  int stop(int signal, const std::filesystem::path& file) {
    for (int i = 0; i < 600 && !std::filesystem::exists(file); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    ::kill(child_, signal);
    int status = 0;
    ::waitpid(child_, &status, 0);
    return status;
  }

 private:
  pid_t child_;
};

TEST(TrainCommand, IsBitIdenticalWhenContinuedAfterAKill) {
  const TempDir dir;
  const auto words = [&](const char* name) {
    return std::vector<std::string>{"train",  "--dataset", "communities",        "--task", "lp", "--epochs", "1500",
                                    "--norm", "batch",     "--checkpoint-every", "50",     "-o", dir / name};
  };
  ASSERT_EQ(run_gir(words("whole")).exit_code, 0);
  Background killed(words("killed"));
  ASSERT_TRUE(WIFSIGNALED(killed.stop(SIGKILL, dir / "killed/checkpoint.safetensors")));
  ASSERT_FALSE(std::filesystem::exists(dir / "killed/result.json")) << "killed too late";
  const auto resumed = run_gir({"train", "--resume", dir / "killed"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  for (const char* name : {"model.safetensors", "embeddings.npy", "metrics.jsonl", "config.json"}) {
    EXPECT_EQ(read_text(dir / "killed" / name), read_text(dir / "whole" / name)) << name;
  }
}

TEST(TrainCommand, SavesTheBestModelOnCtrlC) {
  const TempDir dir;
  Background stopped({"train", "--dataset", "communities", "--task", "lp", "--epochs", "1000000", "--checkpoint-every",
                      "20", "-o", dir / "run"});
  const int status = stopped.stop(SIGINT, dir / "run/checkpoint.safetensors");
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const auto eval = run_gir({"eval", dir / "run", "--format", "json"});
  EXPECT_EQ(eval.exit_code, 0) << eval.err;
}

}  // namespace
}  // namespace gir
