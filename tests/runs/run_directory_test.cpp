#include "gir/runs/run_directory.h"

#include <gmock/gmock.h>
#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "defined_metrics.h"
#include "gir/core/error.h"
#include "gir/graph/generators.h"
#include "gir/io/npy.h"
#include "gir/runs/embeddings.h"
#include "gir/runs/open_run.h"
#include "gir/runs/predictions.h"
#include "gir/runs/run_record.h"
#include "gir/runs/tensor_file.h"
#include "support.h"

namespace gir {
namespace {

using testing::defined;
using testing::expect_user_error;
using testing::read_text;
using testing::TempDir;

SettingValues quick(SettingValues values) {
  values.try_emplace("graph", "karate");
  values.try_emplace("epochs", "40");
  values.try_emplace("hidden", "8");
  values.try_emplace("anchors", "6");
  return values;
}

/// Trains in a run directory.
RunResult train(const std::filesystem::path& folder, const SettingValues& values, bool resume = false,
                const Trainer::Observer& observer = {}) {
  const Dataset dataset = open_data({.graph = quick(values).at("graph"), .features = {}, .labels = {}});
  Experiment experiment(dataset, resolve("paper", quick(values), dataset));
  const RunDirectory directory = resume ? RunDirectory::open(folder) : RunDirectory::create(folder, false);
  return train_in_directory(directory, experiment, dataset, {.resume = resume}, observer);
}

TEST(RunDirectory, ContainsTheDocumentedFilesAndFields) {
  const TempDir dir;
  const RunResult result = train(dir / "run", {{"task", "nc"}});
  const RunDirectory run = RunDirectory::open(dir / "run");
  const auto json = nlohmann::json::parse(read_text(run.result()));
  for (const char* field :
       {"dataset", "task", "model", "metric", "test", "valid", "best_epoch", "seed", "split", "seconds", "version"}) {
    EXPECT_TRUE(json.contains(field)) << field;
  }
  EXPECT_EQ(json["test"].get<double>(), result.test.main());
  EXPECT_EQ(json["dataset"], "karate");
  EXPECT_EQ(read_npy(run.embeddings()).shape(), (std::vector<std::int64_t>{34, 8}));
  EXPECT_EQ(std::ranges::count(read_text(run.nodes()), '\n'), 34);
  EXPECT_EQ(std::ranges::count(read_text(run.anchors()), '\n'), 6);
  EXPECT_EQ(std::ranges::count(read_text(run.metrics()), '\n'), 8) << "one evaluation every 5 epochs";
  const auto first = nlohmann::json::parse(read_text(run.metrics()).substr(0, read_text(run.metrics()).find('\n')));
  EXPECT_EQ(first["epoch"], 5);
  EXPECT_TRUE(first.contains("loss") && first.contains("valid_accuracy"));
}

TEST(RunDirectory, RestoresTheModel) {
  const TempDir dir;
  for (const char* model : {"gir-a", "gcn", "pgnn-e", "agnn-f", "gir-mix", "gir-x"}) {
    for (const char* task : {"nc", "lp"}) {
      const auto folder = dir / fmt::format("{}-{}", model, task);
      const RunResult result =
          train(folder, {{"model", model}, {"task", task}, {"norm", "batch"}, {"anchor-sets", "2"}});
      FinishedRun run = open_run(RunDirectory::open(folder));
      const RunResult again = run.experiment->evaluate();
      EXPECT_EQ(defined(again.test), defined(result.test)) << model << " " << task;
      EXPECT_EQ(defined(again.valid), defined(result.valid)) << model << " " << task;
    }
  }
}

TEST(RunDirectory, StoresAnchorsThatOnlyPairFeaturesUse) {
  const TempDir dir;
  const RunResult result = train(
      dir / "run", {{"model", "gcn"}, {"task", "lp"}, {"hidden-parts", "4"}, {"pair-features", "anchor-distances"}});
  EXPECT_GT(result.anchors, 0);
  EXPECT_EQ(defined(open_run(RunDirectory::open(dir / "run")).experiment->evaluate().test), defined(result.test));
}

/// All files of a run that do not contain times.
std::string reproducible_files(const std::filesystem::path& folder) {
  const RunDirectory run = RunDirectory::open(folder);
  return read_text(run.model()) + read_text(run.embeddings()) + read_text(run.metrics()) + read_text(run.anchors());
}

TEST(RunDirectory, IsBitIdenticalWhenResumed) {
  const TempDir dir;
  struct Killed {};
  for (const char* model : {"gir-a", "pgnn-f", "gir-x"}) {
    const SettingValues values = {
        {"model", model}, {"task", "lp"}, {"checkpoint-every", "7"}, {"evaluate-every", "3"}, {"norm", "batch"}};
    const auto whole = dir / fmt::format("{}-whole", model);
    const auto killed = dir / fmt::format("{}-killed", model);
    train(whole, values);
    for (const std::int64_t stop : {12, 20, 38}) {
      const auto observer = [&](const EpochReport& report) {
        if (report.epoch == stop) throw Killed();  // a kill: nothing more is written
      };
      EXPECT_THROW(train(killed, values, stop != 12, observer), Killed);
      EXPECT_FALSE(RunDirectory::open(killed).finished());
    }
    train(killed, values, true);
    EXPECT_EQ(reproducible_files(killed), reproducible_files(whole)) << model;
  }
}

TEST(RunDirectory, KeepsTheBestModelWhenInterrupted) {
  const TempDir dir;
  const RunResult result = train(dir / "stopped", {{"task", "lp"}}, false, [](const EpochReport& report) {
    if (report.epoch == 25) throw Interrupted();
  });
  EXPECT_TRUE(result.interrupted);
  EXPECT_TRUE(RunDirectory::open(dir / "stopped").finished());
  EXPECT_EQ(defined(open_run(RunDirectory::open(dir / "stopped")).experiment->evaluate().valid), defined(result.valid));
}

TEST(RunDirectory, ContinuesACheckpointOfAnEarlierVersion) {
  const TempDir dir;
  struct Killed {};
  const SettingValues values = {{"task", "lp"}, {"checkpoint-every", "7"}, {"evaluate-every", "3"}};
  train(dir / "whole", values);
  const auto stop = [](const EpochReport& report) {
    if (report.epoch == 20) throw Killed();
  };
  EXPECT_THROW(train(dir / "killed", values, false, stop), Killed);
  const auto checkpoint = RunDirectory::open(dir / "killed").checkpoint();
  std::string bytes = read_text(checkpoint);
  const std::string name = "\"best-evaluation\":";
  const auto at = bytes.find(name);
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, name.size(), "\"best-look\":      ");  // JSON of the same length, so that the header stays valid
  dir.file("killed/checkpoint.safetensors", bytes);
  train(dir / "killed", values, true);
  EXPECT_EQ(reproducible_files(dir / "killed"), reproducible_files(dir / "whole"));
}

TEST(RunDirectory, ReadsTheMetricsOfAnEarlierVersion) {
  const TempDir dir;
  const RunResult result = train(dir / "run", {{"task", "lp"}});
  const auto path = RunDirectory::open(dir / "run").result();
  auto document = nlohmann::ordered_json::parse(read_text(path));
  for (const std::string set : {"test", "valid"}) {
    document[set + "_figures"] = document[set + "_metrics"];
    document.erase(set + "_metrics");
  }
  dir.file("run/result.json", document.dump());
  const RunRecord record = read_record(path);
  EXPECT_EQ(defined(record.result.test), defined(result.test));
  EXPECT_EQ(defined(record.result.valid), defined(result.valid));
}

TEST(RunDirectory, IsBitIdenticalWhenContinuedAfterAnInterruption) {
  const TempDir dir;
  const SettingValues values = {{"task", "lp"}, {"evaluate-every", "3"}};
  train(dir / "whole", values);
  train(dir / "stopped", values, false, [](const EpochReport& report) {
    if (report.epoch == 25) throw Interrupted();
  });
  EXPECT_TRUE(RunDirectory::open(dir / "stopped").interrupted());
  train(dir / "stopped", values, true);
  EXPECT_FALSE(RunDirectory::open(dir / "stopped").interrupted());
  EXPECT_EQ(reproducible_files(dir / "stopped"), reproducible_files(dir / "whole"));
}

TEST(RunDirectory, RejectsResumingWithOtherSettingsOrData) {
  const TempDir dir;
  const auto edges = dir.file("g.txt", "a b\nb c\nc a\nc d\nd e\ne f\nf d\na g\ng h\nh a\nb h\n");
  const SettingValues values = {{"graph", edges.string()}, {"task", "lp"}, {"anchors", "2"}, {"checkpoint-every", "5"}};
  struct Killed {};
  EXPECT_THROW(train(dir / "run", values, false,
                     [](const EpochReport& report) {
                       if (report.epoch == 12) throw Killed();
                     }),
               Killed);
  SettingValues changed = values;
  changed["lr"] = "0.5";
  expect_user_error([&] { train(dir / "run", changed, true); }, "checkpoint.safetensors", "other settings");
  dir.file("g.txt", "a b\nb c\nc a\nc d\nd e\ne f\nf d\na g\ng h\nh a\nb g\n");
  expect_user_error([&] { train(dir / "run", values, true); }, "checkpoint.safetensors", "other data");
}

TEST(RunDirectory, ReportsALossThatBecomesNanBeforeTheFirstEvaluation) {
  const TempDir dir;
  expect_user_error(
      [&] {
        train(dir / "run", {{"task", "lp"}, {"lr", "1e30"}, {"evaluate-every", "1"}});
      },
      "the loss became NaN or infinite in epoch", "before the first evaluation", "`lr`");
}

TEST(RunDirectory, RejectsAPathThatCannotBeCreated) {
  const TempDir dir;
  const std::string file = dir.file("file", "");
  expect_user_error([&] { RunDirectory::create(file + "/run", false); }, file + "/run", "cannot be created");
}

TEST(RunDirectory, DoesNotOverwriteUnlessAsked) {
  const TempDir dir;
  train(dir / "run", {});
  expect_user_error([&] { RunDirectory::create(dir / "run", false); }, "run", "already contains a run", "`overwrite`");
  RunDirectory::create(dir / "run", true);
  EXPECT_TRUE(std::filesystem::is_empty(dir / "run"));
  dir.file("other/precious.txt", "mine");
  expect_user_error([&] { RunDirectory::create(dir / "other", true); }, "contains other files");
  expect_user_error([&] { RunDirectory::create(dir.file("file", ""), true); }, "not a folder");
}

TEST(RunDirectory, RejectsDamagedAndForeignFiles) {
  const TempDir dir;
  train(dir / "run", {{"model", "gir-a"}});
  const RunDirectory run = RunDirectory::open(dir / "run");
  const auto open = [&] { open_run(run); };
  const std::string model = read_text(run.model());
  dir.file("run/model.safetensors", model.substr(0, model.size() / 2));
  expect_user_error(open, "model.safetensors");
  train(dir / "wider", {{"model", "gir-a"}, {"hidden", "16"}});
  dir.file("run/model.safetensors", read_text(dir / "wider/model.safetensors"));
  expect_user_error(open, "model.safetensors", "shape", "belongs to another model");
  dir.file("run/model.safetensors", model);
  open();
  dir.file("run/config.json", "{");
  expect_user_error(open, "config.json", "not a configuration");
  std::filesystem::remove(run.result());
  expect_user_error(open, "is not finished");
  expect_user_error([&] { RunDirectory::open(dir / "nowhere"); }, "no such folder");
  std::filesystem::create_directory(dir / "empty");
  expect_user_error([&] { RunDirectory::open(dir / "empty"); }, "contains no run", "[give the folder of a run");
}

TEST(RunDirectory, RejectsAGraphThatHasChanged) {
  const TempDir dir;
  const auto edges = dir.file("g.txt", "a b\nb c\nc a\nc d\nd e\ne f\nf d\na g\ng h\nh a\nb h\n");
  train(dir / "run", {{"graph", edges.string()}, {"task", "lp"}, {"anchors", "2"}});
  open_run(RunDirectory::open(dir / "run"));
  dir.file("g.txt", "a b\nb c\nc a\nc d\nd e\ne f\nf d\na g\ng h\nh a\nb g\n");
  expect_user_error([&] { open_run(RunDirectory::open(dir / "run")); }, "not the one", "was trained on");
}

Dataset generated(const char* kind) {
  Dataset dataset;
  dataset.name = kind;
  dataset.data = generate_graph(kind);
  return dataset;
}

TEST(EmbedOtherGraph, WorksForInductiveModelsAndRejectsTransductiveOnes) {
  const TempDir dir;
  const Dataset other = generated("communities");
  for (const char* model : {"gir", "gcn", "sage", "mlp"}) {
    train(dir / model, {{"model", model}, {"task", "lp"}});
    const at::Tensor vectors = open_on_other_graph(RunDirectory::open(dir / model), other)->forward().embeddings;
    EXPECT_EQ(vectors.size(0), other.data.graph.num_nodes());
    EXPECT_EQ(vectors.size(1), 8);
  }
  for (const char* model : {"gir-a", "gir-o", "gir-mix"}) {
    train(dir / model, {{"model", model}, {"task", "lp"}, {"anchor-sets", "2"}});
    const Dataset karate = open_data({.graph = "karate"});
    const auto same = open_on_other_graph(RunDirectory::open(dir / model), karate);
    EXPECT_TRUE(torch::equal(same->forward().embeddings,
                             open_run(RunDirectory::open(dir / model)).experiment->forward().embeddings));
    expect_user_error([&] { open_on_other_graph(RunDirectory::open(dir / model), other); }, model, "fingerprint");
  }
}

TEST(Embeddings, AreWrittenWithTheOriginalIds) {
  const TempDir dir;
  const torch::Tensor values = torch::tensor({{1.5f, -2.0f}, {0.1f, 3e-9f}});
  const NodeNames names = NodeNames::strings({"a,b", "c"});
  write_embeddings(dir / "e.csv", values, names);
  EXPECT_EQ(read_text(dir / "e.csv"), "node,e0,e1\n\"a,b\",1.5,-2\nc,0.1,3e-09\n");
  write_embeddings(dir / "e.tsv", values, names);
  EXPECT_EQ(read_text(dir / "e.tsv"), "node\te0\te1\na,b\t1.5\t-2\nc\t0.1\t3e-09\n");
  write_embeddings(dir / "e.vec", values, names);
  EXPECT_EQ(read_text(dir / "e.vec"), "2 2\na,b 1.5 -2\nc 0.1 3e-09\n");
  write_embeddings(dir / "e.npy", values, names);
  EXPECT_EQ(read_npy(dir / "e.npy").to<float>()[3], 3e-9f);
  expect_user_error([&] { write_embeddings(dir / "e.xlsx", values, names); }, "e.xlsx", ".npy, .csv, .tsv or .vec");
  expect_user_error(
      [&] {
        write_embeddings(dir / "e.vec", values, NodeNames::strings({"a b", "c"}));
      },
      "a b", "white space");
}

TEST(Predictions, HaveOriginalIdsAndProbabilities) {
  const TempDir dir;
  train(dir / "nc", {{"task", "nc"}});
  FinishedRun nodes = open_run(RunDirectory::open(dir / "nc"));
  const std::vector<NodeId> wanted = {3, 0};
  write_node_classes(dir / "nodes.csv", *nodes.experiment, nodes.data->data.graph.names(), nodes.classes, wanted);
  const std::string text = read_text(dir / "nodes.csv");
  EXPECT_TRUE(text.starts_with("node,class,p("));
  EXPECT_NE(text.find("\n" + nodes.data->data.graph.names().name(3) + ","), std::string::npos);
  const std::vector<std::pair<NodeId, NodeId>> pairs = {{0, 1}, {5, 2}};
  expect_user_error([&] { write_pair_scores(dir / "p.csv", *nodes.experiment, nodes.data->data.graph.names(), pairs); },
                    "trained to classify nodes");
  train(dir / "lp", {{"task", "lp"}});
  FinishedRun links = open_run(RunDirectory::open(dir / "lp"));
  const NodeNames& names = links.data->data.graph.names();
  write_pair_scores(dir / "pairs.csv", *links.experiment, names, pairs);
  EXPECT_TRUE(read_text(dir / "pairs.csv").starts_with("source,target,score\n" + names.name(0) + "," + names.name(1)));
  EXPECT_EQ(std::ranges::count(read_text(dir / "pairs.csv"), '\n'), 3);
  const std::vector<std::pair<NodeId, NodeId>> same = {{1, 1}};
  expect_user_error([&] { write_pair_scores(dir / "p.csv", *links.experiment, names, same); }, "paired with itself");
}

TEST(TensorFile, ReadsWhatItHasWritten) {
  const TempDir dir;
  const std::vector<NamedTensor> tensors = {{"f", torch::randn({3, 2})},
                                            {"i", torch::tensor({std::int64_t{7}}, torch::kLong)},
                                            {"d", torch::randn({2}, torch::kDouble)},
                                            {"empty", torch::empty({0, 4})}};
  save_tensors(dir / "t.safetensors", tensors, {{"what", "a test"}});
  std::vector<NamedTensor> again;
  for (const NamedTensor& each : tensors) again.push_back({each.name, torch::zeros_like(each.tensor)});
  EXPECT_EQ(load_tensors(dir / "t.safetensors", again).at("what"), "a test");
  for (std::size_t i = 0; i < tensors.size(); ++i) EXPECT_TRUE(torch::equal(again[i].tensor, tensors[i].tensor));
  expect_user_error([&] { load_tensors(dir / "t.safetensors", {{"g", torch::zeros({1})}}); }, "no tensor \"g\"");
}

}  // namespace
}  // namespace gir
