// A run can be used at another place, with its data at another place or in another format, or with no file at all.

#include <gmock/gmock.h>

#include "defined_metrics.h"
#include "gir/core/error.h"
#include "gir/graph/generators.h"
#include "gir/io/format.h"
#include "gir/runs/open_run.h"
#include "gir/runs/predictions.h"
#include "small_datasets.h"
#include "support.h"

namespace gir {
namespace {

namespace fs = std::filesystem;
using testing::communities;
using testing::defined;
using testing::expect_user_error;
using testing::read_text;
using testing::TempDir;

constexpr const char* kEdges = "a b\nb c\nc a\nc d\nd e\ne f\nf d\na g\ng h\nh a\nb h\nh d\ni a\ni b\nj e\nj f\n";
constexpr const char* kLabels = "a x\nb x\nc x\ng x\nh x\ni x\nd y\ne y\nf y\nj y\n";
constexpr const char* kFeatures = "1 0\n2 0\n1 1\n0 5\n0 4\n1 5\n2 1\n1 1\n0 0\n0 7\n";

SettingValues quick(SettingValues values) {
  for (const auto& [name, value] : SettingValues{{"epochs", "20"}, {"hidden", "8"}, {"anchors", "3"}}) {
    values.try_emplace(name, value);
  }
  return values;
}

RunResult train_on(const fs::path& folder, const Dataset& dataset, const SettingValues& values,
                   const Trainer::Observer& observer = {}) {
  Experiment experiment(dataset, resolve("paper", quick(values), dataset));
  return train_in_directory(RunDirectory::create(folder, false), experiment, dataset, {}, observer);
}

RunResult train(const fs::path& folder, const SettingValues& values, const Trainer::Observer& observer = {}) {
  return train_on(folder, open_data(data_request(values)), values, observer);
}

/// What an opened run evaluates to.
std::vector<std::pair<std::string, double>> test_metrics(const fs::path& folder, const OpenOptions& options = {}) {
  return defined(open_run(RunDirectory::open(folder), options).experiment->evaluate().test);
}

/// A project with a graph, labels and features in `data` and a classifier in `runs/one`.
RunResult make_project(const TempDir& dir) {
  return train(dir / "project/runs/one", {{"graph", dir.file("project/data/g.txt", kEdges).string()},
                                          {"labels", dir.file("project/data/labels.txt", kLabels).string()},
                                          {"features", dir.file("project/data/features.txt", kFeatures).string()}});
}

TEST(MovedRun, FindsDataThatMovedWithIt) {
  const TempDir dir;
  const RunResult result = make_project(dir);
  fs::create_directory(dir / "elsewhere");
  fs::rename(dir / "project", dir / "elsewhere/renamed");
  EXPECT_EQ(test_metrics(dir / "elsewhere/renamed/runs/one"), defined(result.test));
}

TEST(MovedRun, FindsDataInItsFolderAndBesideIt) {
  const TempDir dir;
  const RunResult result = make_project(dir);
  fs::create_directories(dir / "new");
  fs::rename(dir / "project/runs/one", dir / "new/one");
  fs::rename(dir / "project/data/g.txt", dir / "new/one/g.txt");
  fs::rename(dir / "project/data/labels.txt", dir / "new/labels.txt");
  fs::rename(dir / "project/data/features.txt", dir / "new/features.txt");
  EXPECT_EQ(test_metrics(dir / "new/one"), defined(result.test));
}

TEST(MovedRun, NamesTheMissingFileAndTheSettingThatGivesIt) {
  const TempDir dir;
  const RunResult result = make_project(dir);
  fs::rename(dir / "project/data", dir / "gone");
  const auto open = [&](const DataRequest& data) {
    return [&dir, data] { test_metrics(dir / "project/runs/one", {.data = data}); };
  };
  DataRequest data;
  expect_user_error(open(data), (dir / "project/data/g.txt").string() + ": no such file", "[give", "`graph`");
  data.graph = dir / "gone/g.txt";
  expect_user_error(open(data), (dir / "project/data/features.txt").string() + ": no such file", "`features`");
  data.features = dir / "gone/features.txt";
  expect_user_error(open(data), (dir / "project/data/labels.txt").string() + ": no such file", "`labels`");
  data.labels = dir / "gone/labels.txt";
  EXPECT_EQ(test_metrics(dir / "project/runs/one", {.data = data}), defined(result.test));
  data.labels = dir.file("others.txt", "a y\nb x\nc x\ng x\nh x\ni x\nd y\ne y\nf y\nj y\n");
  expect_user_error(open(data), "features or labels are not those", "`labels`");
}

TEST(MovedRun, AcceptsItsGraphInAnotherFormatAndRefusesAnotherOne) {
  const TempDir dir;
  const RunResult result = make_project(dir);
  const Dataset whole = open_run_data(RunDirectory::open(dir / "project/runs/one"));
  write_graph(dir / "whole.npz", whole.data);
  const auto folder = dir / "project/runs/one";
  FinishedRun run = open_run(RunDirectory::open(folder), {.data = {.graph = dir / "whole.npz"}});
  EXPECT_FALSE(run.other_graph);
  EXPECT_EQ(run.data->name, "g.txt") << "the same data has the same name";
  EXPECT_EQ(defined(run.experiment->evaluate().test), defined(result.test));
  const auto other = dir.file("other.txt", "a b\nb c\n");
  expect_user_error([&] { test_metrics(folder, {.data = {.graph = other}}); }, "other.txt", "gir-a is transductive");
  expect_user_error([&] { test_metrics(folder, {.data = {.graph = other}, .other_graph = false}); }, "other.txt",
                    "not the one");
}

TEST(MovedRun, ReadsTheGraphAsTheRunDid) {
  const TempDir dir;
  const auto edges = dir.file("numbers.txt", "0 1\n1 2\n2 3\n3 4\n4 0\n5 6\n6 7\n7 5\n2 6\n");
  const SettingValues values = {
      {"graph", edges.string()}, {"task", "lp"}, {"directed", "true"}, {"num-nodes", "12"}, {"model", "gcn"}};
  const RunResult result = train(dir / "run", values);
  fs::rename(edges, dir / "moved.txt");
  EXPECT_EQ(test_metrics(dir / "run", {.data = {.graph = dir / "moved.txt"}}), defined(result.test));
  const auto larger = dir.file("larger.txt", "0 1\n1 2\n2 0\n17 2\n");
  FinishedRun other = open_run(RunDirectory::open(dir / "run"), {.data = {.graph = larger}});
  EXPECT_TRUE(other.other_graph);
  EXPECT_EQ(other.data->data.graph.num_nodes(), 4) << "num-nodes is for the graph of the run";
  EXPECT_TRUE(other.data->data.graph.directed());
}

TEST(MovedRun, NeedsOnlyTheEdgesForLinksWithoutFeatures) {
  const TempDir dir;
  const RunResult result = train(dir / "run", {{"graph", dir.file("g.txt", kEdges).string()},
                                               {"labels", dir.file("labels.txt", kLabels).string()},
                                               {"task", "lp"}});
  fs::remove(dir / "labels.txt");
  const Dataset edges = open_data({.graph = dir / "g.txt"});
  EXPECT_EQ(defined(open_run(RunDirectory::open(dir / "run"), edges)->evaluate().test), defined(result.test));
}

TEST(MovedRun, FindsItsSplitAndRejectsAnotherOne) {
  const TempDir dir;
  dir.file("p/split/train.txt", "a b\nb c\nc a\nc d\nd e\ne f\nf d\na g\ng h\nh a\nb h\n");
  dir.file("p/split/valid.txt", "h d\ni a\n");
  dir.file("p/split/test.txt", "i b\nj e\n");
  const RunResult result = train(dir / "p/run", {{"split-from", (dir / "p/split").string()}, {"task", "lp"}});
  fs::rename(dir / "p", dir / "q");
  EXPECT_FALSE(fs::exists(RunDirectory::open(dir / "q/run").graph())) << "the split has the edges";
  EXPECT_EQ(test_metrics(dir / "q/run"), defined(result.test));
  fs::rename(dir / "q/split", dir / "mine");
  expect_user_error([&] { test_metrics(dir / "q/run"); }, (dir / "p/split").string() + ": no such file",
                    "`split-from`");
  EXPECT_EQ(test_metrics(dir / "q/run", {.data = {.split_from = dir / "mine"}}), defined(result.test));
  dir.file("mine/valid.txt", "i b\ni a\n");
  dir.file("mine/test.txt", "h d\nj e\n");
  expect_user_error([&] { test_metrics(dir / "q/run", {.data = {.split_from = dir / "mine"}}); },
                    "is not the split that", "`split-from`");
}

TEST(MovedRun, NeedsNoAnchorFile) {
  const TempDir dir;
  const RunResult result =
      train(dir / "run", {{"graph", "karate"}, {"anchor-file", dir.file("mine.txt", "3\n1\n33\n").string()}});
  fs::remove(dir / "mine.txt");
  fs::rename(dir / "run", dir / "moved");
  EXPECT_EQ(test_metrics(dir / "moved"), defined(result.test));
}

TEST(MovedRun, KeepsItsExperts) {
  const TempDir dir;
  const std::string edges = dir.file("p/g.txt", kEdges).string();
  const std::string labels = dir.file("p/labels.txt", kLabels).string();
  train(dir / "p/expert", {{"graph", edges}, {"labels", labels}, {"model", "gcn"}});
  const RunResult result = train(dir / "p/fused", {{"graph", edges},
                                                   {"labels", labels},
                                                   {"experts", (dir / "p/expert").string() + ",gir:layers=2"},
                                                   {"expert-cache", (dir / "p/cache").string()}});
  fs::rename(dir / "p", dir / "q");
  fs::remove_all(dir / "q/expert");
  fs::remove_all(dir / "q/cache");
  EXPECT_EQ(test_metrics(dir / "q/fused"), defined(result.test));
}

TEST(MovedRun, IsBitIdenticalWhenResumed) {
  const TempDir dir;
  struct Killed {};
  const auto start = [&](const char* project, std::int64_t stop) {
    const std::string root = (dir / project).string();
    train(root + "/run",
          {{"graph", dir.file(root + "/g.txt", kEdges).string()},
           {"task", "lp"},
           {"anchor-file", dir.file(root + "/mine.txt", "a\nd\n").string()},
           {"checkpoint-every", "5"}},
          [&](const EpochReport& report) {
            if (report.epoch == stop) throw Killed();
          });
  };
  start("whole", -1);
  EXPECT_THROW(start("killed", 12), Killed);
  fs::rename(dir / "killed", dir / "moved");
  const RunDirectory run = RunDirectory::open(dir / "moved/run");
  const SettingValues settings = directory_settings(run);
  const Dataset dataset = open_data(data_request(settings));
  Experiment experiment(dataset, resolve("paper", settings, dataset));
  train_in_directory(run, experiment, dataset, {.resume = true});
  EXPECT_EQ(read_text(run.model()), read_text(dir / "whole/run/model.safetensors"));
  EXPECT_EQ(directory_config(run).data.graph, (dir / "moved/g.txt").string());
}

TEST(RunFromMemory, KeepsACopyOfItsGraph) {
  const TempDir dir;
  Dataset dataset = communities(7);
  dataset.name = "mine";
  dataset.data.graph =
      build_graph({.arcs = Array<Arc>{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {2, 3}, {6, 0}, {7, 5}, {1, 1}},
                   .weights = Array<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
                   .directed = true,
                   .names = NodeNames::strings({"a", "b,c", "c d", "d", "e", "f", "g", "\"h"})});
  dataset.data.labels = labels_from_strings({"l", "l", "l", "r", "r", "r", "", "r"});
  dataset.data.features = DenseMatrix{.rows = 8, .columns = 1, .values = Array<float>{1, 2, 3, 4, 5, 6, 7, 0.1F}};
  const RunResult result = train_on(dir / "run", dataset, {{"task", "nc"}});
  fs::rename(dir / "run", dir / "moved");
  FinishedRun run = open_run(RunDirectory::open(dir / "moved"));
  EXPECT_EQ(run.data->name, "mine");
  EXPECT_EQ(defined(run.experiment->evaluate().test), defined(result.test));
}

TEST(RunFromMemory, KeepsTheOtherParametersOfAGenerator) {
  const TempDir dir;
  const RunResult result = train_on(dir / "other", communities(7), {{"graph", "communities"}});
  EXPECT_EQ(test_metrics(dir / "other"), defined(result.test));
  train(dir / "default", {{"graph", "communities"}});
  EXPECT_FALSE(fs::exists(RunDirectory::open(dir / "default").graph()));
}

TEST(RunFromMemory, IsOpenedWithTheDataOfTheCaller) {
  const TempDir dir;
  Dataset dataset = communities(7);
  const RunResult result = train_on(dir / "run", dataset, {});
  const RunDirectory run = RunDirectory::open(dir / "run");
  fs::remove(run.graph());
  EXPECT_EQ(defined(open_run(run, dataset)->evaluate().test), defined(result.test));
  EXPECT_EQ(defined(open_on_other_graph(run, dataset)->evaluate().test), defined(result.test))
      << "it is the same graph";
  expect_user_error([&] { open_run(run, communities(8)); }, "not the one");
}

TEST(OtherGraph, IsPredictedByInductiveModels) {
  const TempDir dir;
  const std::string edges = dir.file("g.txt", kEdges).string();
  const std::string labels = dir.file("labels.txt", kLabels).string();
  const std::string other = dir.file("other.txt", "p q\nq r\nr p\nr s\n").string();
  train(dir / "nc", {{"graph", edges}, {"labels", labels}, {"model", "gcn"}});
  FinishedRun nodes = open_run(RunDirectory::open(dir / "nc"), {.data = {.graph = other}});
  ASSERT_TRUE(nodes.other_graph);
  const std::vector<NodeId> wanted = {0, 3};
  write_node_classes(dir / "nodes.csv", *nodes.experiment, nodes.data->data.graph.names(), nodes.classes, wanted);
  EXPECT_TRUE(read_text(dir / "nodes.csv").starts_with("node,class,p(x),p(y)\np,")) << "the classes of the run";
  train(dir / "lp", {{"graph", edges},
                     {"task", "lp"},
                     {"model", "gcn"},
                     {"hidden-parts", "2"},
                     {"pair-features", "common-neighbors,anchor-distances"}});
  FinishedRun links = open_run(RunDirectory::open(dir / "lp"), {.data = {.graph = other}});
  const std::vector<std::pair<NodeId, NodeId>> pairs = {{0, 1}, {0, 3}};
  const auto scores = pair_scores(*links.experiment, pairs);
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_NE(scores[0], scores[1]) << "decoder and pair features are those of the run";
}

}  // namespace
}  // namespace gir
