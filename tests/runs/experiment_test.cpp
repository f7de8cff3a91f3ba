#include "gir/runs/experiment.h"

#include <gmock/gmock.h>
#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "defined_metrics.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/runs/grid.h"
#include "graph/random_graphs.h"
#include "small_datasets.h"
#include "support.h"

namespace gir {
namespace {

using testing::communities;
using testing::defined;
using testing::expect_user_error;
using ::testing::HasSubstr;
using testing::TempDir;

/// Short runs on small models.
SettingValues quick(SettingValues values) {
  values.try_emplace("epochs", "30");
  values.try_emplace("anchors", "8");
  values.try_emplace("hidden", "16");
  values.try_emplace("anchor-sets", "2");
  return values;
}

/// All tensors that a run ends with.
std::vector<torch::Tensor> bits_of(const Dataset& dataset, const SettingValues& values) {
  Experiment experiment(dataset, resolve("paper", quick(values), dataset));
  experiment.run();
  std::vector<torch::Tensor> tensors = {experiment.forward().embeddings};
  for (const NamedTensor& each : experiment.tensors()) tensors.push_back(each.tensor.detach());
  return tensors;
}

void expect_equal_bits(const std::vector<torch::Tensor>& first, const std::vector<torch::Tensor>& second) {
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(torch::equal(first[i], second[i])) << i;
}

TEST(Experiment, TellsTheStepsOfItsPreparation) {
  const Dataset dataset = communities();
  const RunConfig config = resolve("paper", quick({{"model", "gir-x"}, {"task", "lp"}, {"refit", "true"}}), dataset);
  std::vector<std::string> steps;
  std::int64_t ready = 0;
  const auto progress = [&](const Progress& step) {
    steps.emplace_back(step.what);
    ready += step.total > 0 && step.done == step.total;
  };
  Experiment experiment(dataset, config, {}, {.progress = progress});
  EXPECT_EQ(ready, 1);
  for (const char* step : {"splitting the data", "selecting anchors", "computing pair features"}) {
    EXPECT_THAT(steps, ::testing::Contains(step));
  }
  const RunResult result = experiment.run();
  EXPECT_EQ(ready, 2) << "the last training of a run with refit";
  EXPECT_GT(result.prepare_seconds, 0);
}

TEST(Experiment, CanBeStoppedWhileItIsPrepared) {
  const Dataset dataset = communities();
  const RunConfig config = resolve("paper", quick({{"model", "gir-x"}, {"task", "lp"}}), dataset);
  const auto stop = [](const Progress& step) {
    if (step.what == "computing pair features") throw Interrupted();
  };
  EXPECT_THROW(Experiment(dataset, config, {}, {.progress = stop}), Interrupted);
}

TEST(Experiment, IsBitIdenticalWhenRepeatedAndForAnyNumberOfThreads) {
  const Dataset dataset = communities();
  for (const char* model : {"gir-a", "gir-mix", "gir-x", "pgnn-e", "gcn-o"}) {
    for (const char* task : {"lp", "npc", "nc"}) {
      const SettingValues values = {{"model", model}, {"task", task}, {"norm", "batch"}};
      const auto run = [&](int threads) {
        const ThreadScope count(threads);
        return bits_of(dataset, values);
      };
      const auto first = run(1);
      expect_equal_bits(first, run(1));
      expect_equal_bits(first, run(2));
    }
  }
}

TEST(Experiment, IsBitIdenticalOnTwoThreadsOnAGraphThatUsesThem) {
  Dataset dataset;
  dataset.name = "large";
  dataset.data.graph = testing::build(testing::random_large_lines(3000, 20000, false, 5));
  for (const char* model : {"gir-a", "gir-mix", "gcn-o", "gir-x"}) {
    const SettingValues values = {{"model", model},        {"task", "lp"},   {"epochs", "4"},
                                  {"evaluate-every", "2"}, {"hidden", "32"}, {"norm", "layer"}};
    const auto run = [&](int threads) {
      const ThreadScope count(threads);
      Experiment experiment(dataset, resolve("paper", quick(values), dataset));
      EXPECT_GT(experiment.useful_threads(), 1) << "a graph for two threads";
      experiment.run();
      return experiment.forward().embeddings;
    };
    EXPECT_TRUE(torch::equal(run(1), run(2))) << model;
  }
}

TEST(Experiment, DependsOnSeedAndSplit) {
  const Dataset dataset = communities();
  const auto base = bits_of(dataset, {{"task", "lp"}});
  EXPECT_FALSE(torch::equal(base[0], bits_of(dataset, {{"task", "lp"}, {"seed", "1"}})[0]));
  EXPECT_FALSE(torch::equal(base[0], bits_of(dataset, {{"task", "lp"}, {"split", "1"}})[0]));
}

TEST(Experiment, LearnsPositionsThatAGcnCannotEncode) {
  const Dataset dataset = communities();
  const auto auc = [&](const char* model) {
    Experiment experiment(dataset, resolve("paper", {{"model", model}, {"task", "npc"}, {"epochs", "200"}}, dataset));
    return experiment.run().test.main();
  };
  EXPECT_GT(auc("gir-a"), 0.95);
  EXPECT_LT(auc("gcn"), 0.65);
}

TEST(Experiment, DoesNotSeeHeldOutEdges) {
  const Dataset dataset = communities();
  const RunConfig config = resolve("paper", quick({{"task", "lp"}, {"model", "gir-a"}}), dataset);
  const Experiment experiment(dataset, config);
  const PairSplit split = PairSplit::of_links(dataset.data.graph, config.split, default_shares(Task::kLinkPrediction));
  check_for_leaks(split, experiment.message_graph());
  EXPECT_EQ(experiment.message_graph().fingerprint(), split.message_graph().fingerprint());
  // Anchors are selected on the message graph, not on the whole graph.
  const auto expected = select_anchors(split.message_graph(), {.count = 8, .fill = "degree"}).anchors;
  EXPECT_EQ(experiment.anchors().anchors, expected);
}

TEST(Experiment, RemovesNoEdgesFromTheMessageGraphAfterTraining) {
  const Dataset dataset = communities();
  const RunConfig config = resolve("paper", quick({{"task", "lp"}, {"model", "gir-x"}}), dataset);
  Experiment trained(dataset, config);
  Experiment used(dataset, config, {}, {.purpose = Purpose::kUse, .anchors = trained.anchor_lists()});
  for (std::size_t i = 0; i < trained.tensors().size(); ++i) {
    used.tensors()[i].tensor.detach().copy_(trained.tensors()[i].tensor.detach());
  }
  EXPECT_EQ(defined(used.evaluate().valid), defined(trained.evaluate().valid));
}

TEST(Resolve, AppliesTheSettingsOfEveryModel) {
  const Dataset dataset = communities();
  for (const ModelEntry& entry : Registry<ModelEntry>::all()) {
    for (const char* recipe : {"paper", "strong"}) {
      SettingValues given = {{"model", entry.name}};
      if (entry.name == "fusion") given["experts"] = "gcn,gir";  // has no predefined experts
      const std::string settings = settings_text(resolve(recipe, given, dataset));
      for (const auto& [name, value] : entry.settings) {
        EXPECT_THAT(settings, ::testing::AnyOf(HasSubstr(fmt::format("\"{}\": {}", name, value)),
                                               HasSubstr(fmt::format("\"{}\": \"{}\"", name, value))));
      }
    }
  }
}

TEST(Resolve, ModelOverridesRecipeAndUserOverridesModel) {
  const Dataset dataset = communities();
  EXPECT_EQ(resolve("strong", {{"model", "gir-a"}}, dataset).shape.dropout, 0.2);
  EXPECT_EQ(resolve("strong", {{"model", "gir-x"}}, dataset).shape.dropout, 0.5);
  EXPECT_EQ(resolve("strong", {{"model", "gir-x"}, {"dropout", "0.1"}}, dataset).shape.dropout, 0.1);
}

TEST(Resolve, RejectsInvalidPairSettings) {
  const Dataset dataset = communities();
  const auto with = [&](SettingValues values) { return [&, values] { resolve("paper", values, dataset); }; };
  expect_user_error(with({{"task", "lp"}, {"pair-features", "anchor-distances"}}), "reveals to training which pairs",
                    "[use `hidden-parts` 10]");
  expect_user_error(with({{"task", "nc"}, {"pair-features", "nonsense"}}), "unknown pair feature");
  expect_user_error(with({{"task", "lp"}, {"hidden-parts", "1"}}), "`hidden-parts`: 1", "[0, or 2 to 100]");
  EXPECT_EQ(resolve("paper", {{"task", "npc"}, {"pair-features", "Anchor_Distances"}}, dataset).pair_features,
            "anchor-distances");
}

TEST(CheckForLeaks, DetectsAHeldOutEdgeInTheMessageGraph) {
  const Dataset dataset = communities();
  const Graph& whole = dataset.data.graph;
  const PairSplit split = PairSplit::of_links(whole, 0, default_shares(Task::kLinkPrediction));
  check_for_leaks(split, split.message_graph());
  for (const NodePair planted : {split.valid().positives.front(), split.test().positives.back()}) {
    const Graph leaking = filter_edges(whole, [&](NodeId u, NodeId v) {
      return make_pair_of(u, v) == planted || split.message_graph().has_arc(u, v);
    });
    EXPECT_THROW(check_for_leaks(split, leaking), InternalError);
  }
}

/// Short runs of every model of the paper on every graph of the paper: the first run of every cell of its table.
TEST(Grid, TrainsAllModelsOnAllSixDatasetsAndGirABeatsGcn) {
  GIR_NEEDS_DATA();
  const TempDir dir;
  const std::vector<std::string> datasets = {"email", "europe", "usa", "celegans", "ns", "pb"};
  const auto results = run_grid(
      {.datasets = datasets,
       .models = {"gcn", "gcn-a", "gcn-o", "pgnn-f", "pgnn-e", "agnn-f", "agnn-e", "gir", "gir-a", "gir-o", "gir-mix"},
       .runs = 1,
       .splits = 1,
       .given = {{"epochs", "60"}},
       .data_dir = *testing::data_directory()},
      dir / "grid");
  ASSERT_EQ(results.size(), 66u);
  std::map<std::string, std::map<std::string, double>> test;
  for (const GridResult& result : results) {
    EXPECT_TRUE(std::isfinite(result.test) && result.test > 0 && result.best_epoch > 0) << result.model;
    test[result.dataset][result.model] = result.test;
  }
  for (const std::string& dataset : datasets) {
    EXPECT_GT(test[dataset]["gir-a"], test[dataset]["gcn"] + 0.08) << dataset;
  }
}

TEST(Experiment, RejectsDataThatTheTaskCannotUse) {
  Dataset dataset = communities();
  const auto make = [&](const SettingValues& values) {
    return [&, values] { Experiment(dataset, resolve("paper", quick(values), dataset)); };
  };
  expect_user_error(make({{"task", "nc"}, {"official-split", "true"}}), "no official split");
  expect_user_error(make({{"task", "nx"}}), "unknown task");
  expect_user_error(make({{"task", "lp"}, {"anchors", "100000"}}), "100000 anchors");
  dataset.data.features = DenseMatrix{.rows = dataset.data.graph.num_nodes(),
                                      .columns = 1,
                                      .values = Array<float>(dataset.data.graph.num_nodes(), 1.0f)};
  std::get<DenseMatrix>(dataset.data.features).values[7] = std::nanf("");
  expect_user_error(make({{"task", "lp"}}), "node \"7\"", "NaN or infinite");
  dataset.data.features = {};
  dataset.data.labels = {};
  expect_user_error(make({{"task", "nc"}}), "needs labels");
  dataset.data.labels =
      labels_from_integers(std::vector<std::int64_t>(static_cast<std::size_t>(dataset.data.graph.num_nodes()), 1));
  expect_user_error(make({{"task", "nc"}}), "two classes");
  Dataset tiny;
  tiny.name = "tiny";
  tiny.data.graph = testing::undirected(3, {{0, 1}, {1, 2}});
  expect_user_error([&] { Experiment(tiny, resolve("paper", {{"task", "lp"}}, tiny)); }, "too few to split");
}

TEST(Experiment, ReportsTheEpochInWhichTheLossBecomesNan) {
  const Dataset dataset = communities();
  Experiment experiment(dataset, resolve("paper", quick({{"task", "lp"}, {"lr", "1e30"}}), dataset));
  expect_user_error([&] { experiment.run(); }, "the loss became NaN or infinite in epoch", "`lr`");
}

TEST(Resolve, UserOverridesRecipeAndTheDataSetSuppliesDefaults) {
  Dataset dataset = communities();
  dataset.sizes = {.hidden = 16, .anchors = 12, .anchor_sets = 4};
  const RunConfig config = resolve("paper", {{"lr", "0.5"}, {"task", "nc"}}, dataset);
  EXPECT_EQ(config.training.learning_rate, 0.5);
  EXPECT_EQ(config.training.evaluate_every, 5) << "the recipe's value for this task";
  EXPECT_EQ(config.shape.hidden, 16);
  EXPECT_EQ(config.anchors, 12);
  EXPECT_EQ(config.shape.anchor_sets, 4);
  EXPECT_EQ(config.shape.dropout, 0.5);
  EXPECT_EQ(resolve("paper", {{"task", "lp"}}, dataset).training.evaluate_every, 10);
}

TEST(Resolve, UsesTheOfficialSplitIfTheDataSetAsksForIt) {
  Dataset dataset = communities();
  dataset.official_split = true;
  dataset.data.split = NodeSplit{.train = {0}, .valid = {1}, .test = {2}};
  EXPECT_TRUE(resolve("paper", {{"task", "nc"}}, dataset).official_split);
  EXPECT_FALSE(resolve("paper", {{"task", "nc"}, {"official-split", "false"}}, dataset).official_split);
  EXPECT_FALSE(resolve("paper", {{"task", "lp"}}, dataset).official_split) << "the official split is one of nodes";
  EXPECT_FALSE(resolve("paper", {{"task", "nc"}, {"split-shares", "0.5,0.2,0.3"}}, dataset).official_split);
  EXPECT_FALSE(resolve("paper", {{"task", "nc"}, {"split", "0"}}, dataset).official_split) << "a split by its number";
}

TEST(Resolve, RefusesAnOfficialSplitThatDoesNotExist) {
  const Dataset dataset = communities();
  for (const char* task : {"nc", "lp", "npc"}) {
    expect_user_error(
        [&] {
          resolve("paper", {{"task", task}, {"official-split", "true"}, {"split", "3"}}, dataset);
        },
        "communities has no official split");
  }
}

TEST(Resolve, RefusesToDrawASplitThatExists) {
  Dataset dataset = communities();
  dataset.data.split = NodeSplit{.train = {0}, .valid = {1}, .test = {2}};
  const auto resolving = [&](SettingValues values) {
    values.insert({{"task", "nc"}, {"official-split", "true"}});
    return [&, values] { resolve("paper", values, dataset); };
  };
  expect_user_error(resolving({{"split-shares", "0.5,0.2,0.3"}}), "`official-split`", "`split-shares` has no effect");
  expect_user_error(resolving({{"split", "2"}}), "only one official split, so `split` 2 has no effect");
  EXPECT_TRUE(resolve("paper", {{"task", "nc"}, {"official-split", "true"}, {"split", "0"}}, dataset).official_split)
      << "as in a configuration file, which has all settings";
}

TEST(UnusedSettings, NamesThoseThatTheModelOrTheTaskDoesNotHave) {
  const Dataset dataset = communities();
  const auto unused = [&](SettingValues given) { return unused_settings(resolve("paper", given, dataset), given); };
  using Sentences = std::vector<std::string>;
  EXPECT_EQ(unused({{"task", "lp"}, {"model", "gcn"}, {"anchors", "8"}, {"class-weights", "true"}}),
            (Sentences{"`anchors` has no effect: gcn has no anchors",
                       "`class-weights` has no effect: it is for the classes of nodes (nc)"}));
  EXPECT_EQ(unused({{"task", "lp"}, {"model", "gcn"}, {"anchors", "8"}, {"positions", "anchors"}}), Sentences());
  EXPECT_EQ(unused({{"task", "nc"}, {"hidden-parts", "10"}, {"decoder", "dot"}}),
            (Sentences{"`decoder` has no effect: it is for pairs, not for nodes (nc)",
                       "`hidden-parts` has no effect: it is for links (lp)"}));
  EXPECT_EQ(unused({{"task", "nc"}, {"model", "pgnn-e"}, {"weighted", "true"}}),
            (Sentences{"`weighted` has no effect: in pgnn-e no messages travel along edges"}));
  EXPECT_EQ(unused({{"task", "nc"}, {"fwr", "0.5"}}), (Sentences{"`fwr` has no effect: gir-a is not a fused model"}));
  EXPECT_EQ(unused({{"task", "lp"}, {"model", "gir-a"}, {"hidden-views", "3"}}),
            (Sentences{"`hidden-views` has no effect: no supervision edges are hidden [set `hidden-parts`]"}));
  EXPECT_EQ(unused({{"task", "lp"}, {"model", "gir-x"}, {"hidden-views", "3"}, {"decoder-dropout", "0.3"}}),
            Sentences());
  SettingValues everything;
  const RunConfig config = resolve("paper", {{"task", "nc"}}, dataset);
  for (const Setting& each : settings()) everything[each.name] = each.get(RunConfig());
  EXPECT_EQ(unused_settings(config, everything), Sentences()) << "plain defaults ask for nothing";
}

TEST(Resolve, DoesNotFillUpTheAnchorsOfAFile) {
  const TempDir dir;
  const Dataset karate = load_dataset("karate");
  const std::string file = dir.file("anchors.txt", "33\n0\n");
  const RunConfig config = resolve("paper", {{"anchor-file", file}}, karate);
  EXPECT_EQ(config.strategy, "file");
  const Experiment experiment(karate, config);
  EXPECT_EQ(experiment.anchors().anchors, (std::vector<NodeId>{33, 0})) << "not filled up";
  expect_user_error([&] { resolve("paper", {{"strategy", "file"}}, karate); }, "`anchor-file`");
  expect_user_error(
      [&] {
        resolve("paper", {{"strategy", "degree"}, {"anchor-file", file}}, karate);
      },
      "use `strategy` file");
}

TEST(Settings, AreEqualAfterWritingAndReadingAFile) {
  const TempDir dir;
  RunConfig config;
  set(config, "model", "gir-mix");
  set(config, "lr", "0.003");
  set(config, "weighted", "true");
  set(config, "norm", "batch");
  set(config, "directed", "false");
  set(config, "num-nodes", "7");
  set(config, "graph", "a \"strange\" name.txt");
  RunConfig again;
  for (const auto& [name, value] : read_settings(dir.file("config.json", settings_text(config))))
    set(again, name, value);
  EXPECT_EQ(settings_text(again), settings_text(config));
  EXPECT_EQ(again.training.learning_rate, 0.003);
  EXPECT_EQ(again.data.read.directed, false);
  EXPECT_EQ(again.data.read.num_nodes, 7);
}

/// config.json of a run of gir 0.1.0.
constexpr const char* kEarlierConfig =
    R"({"graph": "communities", "features": "", "labels": "", "read-as": "", "directed": "", "text-ids": false,
  "num-nodes": "", "task": "lp", "split": 0, "official-split": false, "model": "gir-x", "layers": 3, "hidden":
  16, "message": "mean", "attention-heads": 1, "weighted": false, "dropout": 0.5, "input-dropout": 0, "norm":
  "batch", "settle-norms": false, "residual": false, "residual-maps": false, "jump": true, "structural": true,
  "initial": "uniform", "normalise": false, "decoder": "boosted", "decoder-dropout": 0, "pair-features":
  "common-neighbors", "hidden-parts": 10, "epoch-pairs": 0, "anchors": 16, "anchor-sets": 8, "strategy":
  "ga-mpca", "fill": "degree", "anchor-file": "", "experts": "", "expert-runs": "", "expert-cache": "",
  "expert-training": "frozen", "fwr": 0.01, "expert-losses": false, "gate-hidden": 64, "gate-probabilities":
  false, "epochs": 20, "evaluate-every": 10, "patience": 0, "optimizer": "adam", "lr": 0.01, "weight-decay":
  1e-05, "schedule": "constant", "clip": 0, "class-weights": false, "checkpoint-every": 0, "memory-budget": 0,
  "seed": 0, "seed-stream": ""})";

TEST(Settings, OfAnEarlierRunDoNotComeFromARecipe) {
  const TempDir dir;
  const Dataset dataset = communities();
  const RunConfig config = resolve("auto", read_settings(dir.file("config.json", kEarlierConfig)), dataset);
  EXPECT_EQ(config.shape.positions, Positions::kNone);
  EXPECT_EQ(config.messages, MessageEdges::kTrain);
  EXPECT_EQ(config.hidden_views, 0) << "nor from the model";
  const SettingValues partial = {{"layers", "2"}, {"model", "gir-a"}};
  EXPECT_EQ(read_settings(dir.file("best.json", R"({"layers": 2, "model": "gir-a"})")), partial)
      << "the rest is left to the recipe";
}

TEST(Settings, ThatEarlierRunsLackAreMarkedAsNewer) {
  const auto earlier = nlohmann::json::parse(kEarlierConfig);
  for (const Setting& each : settings()) EXPECT_NE(each.scope.newer, earlier.contains(each.name)) << each.name;
}

TEST(Settings, ReportWhatIsInvalid) {
  const TempDir dir;
  RunConfig config;
  expect_user_error([&] { set(config, "lear", "1"); }, "unknown setting \"lear\"", "[known: lr");
  expect_user_error([&] { set(config, "lr", "fast"); }, "`lr`: \"fast\" is not a number");
  expect_user_error([&] { set(config, "layers", "3.5"); }, "`layers`: \"3.5\" is not a whole number");
  expect_user_error([&] { set(config, "norm", "bach"); }, "`norm`: unknown norm \"bach\"", "[known: batch");
  expect_user_error([&] { set(config, "seed", "-1"); }, "`seed`");
  expect_user_error([&] { set(config, "epochs", "0"); }, "`epochs`: 0 [at least 1]");
  expect_user_error([&] { set(config, "evaluate-every", "0"); }, "`evaluate-every`: 0 [at least 1]");
  expect_user_error([&] { set(config, "patience", "-1"); }, "`patience`: -1 [at least 0]");
  expect_user_error([&] { set(config, "lr", "0"); }, "`lr`: 0 [more than 0]");
  expect_user_error([&] { set(config, "dropout", "1"); }, "`dropout`: 1 [at least 0 and less than 1]");
  expect_user_error([&] { set(config, "num-nodes", "0"); }, "`num-nodes`: 0 [at least 1]");
  expect_user_error([&] { set(config, "schedule", "cosin"); }, "`schedule`: unknown schedule", "[known: cosine");
  expect_user_error([&] { read_settings(dir.file("c.json", "[1]")); }, "c.json", "not a configuration");
  expect_user_error([&] { read_settings(dir.file("c.json", "{\"lr\": [1]}")); }, "c.json", "\"lr\"");
  expect_user_error([&] { read_settings(dir.file("c.json", "{\"lr\": \"x\"}")); }, "c.json", "`lr`");
  expect_user_error([&] { read_settings(dir.file("c.json", "{\"lear\": 1}")); }, "c.json", "unknown setting", "lr");
}

GridOptions small_grid() {
  return {.datasets = {"communities", "karate"},
          .models = {"gir-a", "gcn"},
          .runs = 4,
          .splits = 2,
          .given = quick({{"task", "npc"}, {"epochs", "10"}, {"hidden", "8"}})};
}

std::vector<double> tests_of(const std::vector<GridResult>& results) {
  std::vector<double> values;
  for (const GridResult& result : results) values.push_back(result.test);
  return values;
}

TEST(Grid, IsIdenticalForAnyNumberOfThreadsAndWhenContinued) {
  const TempDir dir;
  std::vector<double> alone;
  {
    const ThreadScope one(1);
    alone = tests_of(run_grid(small_grid(), dir / "one"));
  }
  EXPECT_EQ(alone.size(), 16u);
  const ThreadScope two(2);
  EXPECT_EQ(tests_of(run_grid(small_grid(), dir / "two")), alone);
  // Interrupt in the middle, append an incomplete line as a kill would leave it, and continue.
  std::int64_t ended = 0;
  EXPECT_THROW(run_grid(small_grid(), dir / "three",
                        [&](const GridProgress& progress) {
                          ended = progress.done;
                          if (progress.done >= 5) throw Interrupted();
                        }),
               Interrupted);
  EXPECT_GE(ended, 5);
  const std::string lines = testing::read_text(dir / "three" / "results.jsonl");
  std::ofstream(dir / "three" / "results.jsonl", std::ios::app) << "{\"dataset\":\"comm";
  std::int64_t found = 0;
  const auto continued =
      run_grid(small_grid(), dir / "three", [&](const GridProgress& progress) { found = progress.found; });
  EXPECT_EQ(found, std::count(lines.begin(), lines.end(), '\n'));
  EXPECT_EQ(tests_of(continued), alone);
}

TEST(Grid, TrainsAgainWithOtherSettings) {
  const TempDir dir;
  run_grid(small_grid(), dir / "grid");
  GridOptions changed = small_grid();
  changed.given["epochs"] = "11";
  std::int64_t found = -1;
  run_grid(changed, dir / "grid", [&](const GridProgress& progress) { found = progress.found; });
  EXPECT_EQ(found, 0);
}

TEST(Grid, ReadsLabelsFromAFileAndTrainsAgainWhenTheyChange) {
  const TempDir dir;
  std::string edges;
  std::string labels;
  for (int i = 0; i < 30; ++i) {
    edges += fmt::format("{} {}\n", i, (i + 1) % 30);
    labels += fmt::format("{} {}\n", i, i < 15 ? "left" : "right");
  }
  const GridOptions options{.datasets = {dir.file("edges.txt", edges)},
                            .models = {"gcn"},
                            .runs = 1,
                            .splits = 1,
                            .given = {{"labels", dir.file("labels.txt", labels)}, {"epochs", "5"}, {"hidden", "4"}}};
  EXPECT_EQ(run_grid(options, dir / "grid").front().task, "nc") << "the task of a graph with labels";
  std::int64_t found = -1;
  const GridObserver observer = [&](const GridProgress& progress) { found = progress.found; };
  labels.replace(labels.find("left"), 4, "right");
  dir.file("labels.txt", labels);
  run_grid(options, dir / "grid", observer);
  EXPECT_EQ(found, 0);
}

TEST(Grid, ReportsWhatIsInvalid) {
  const TempDir dir;
  const auto with = [&](const auto& change) {
    GridOptions options = small_grid();
    change(options);
    return [&dir, options] { run_grid(options, dir / "grid"); };
  };
  expect_user_error(with([](GridOptions& grid) { grid.runs = 5; }),
                    "5 runs cannot be distributed evenly over 2 splits");
  expect_user_error(with([](GridOptions& grid) { grid.models = {"gir-z"}; }), "unknown model");
  expect_user_error(with([](GridOptions& grid) {
                      grid.models = {"gir_a", "gcn", "gir-a"};
                    }),
                    "two of the models", "\"gir-a\"");
  expect_user_error(with([](GridOptions& grid) { grid.datasets = {"karate", "karate"}; }), "two of the data sets");
  expect_user_error(with([](GridOptions& grid) { grid.datasets = {"nowhere"}; }), "\"nowhere\"");
  expect_user_error(with([](GridOptions& grid) {
                      grid.given["anchor-sets"] = "3";
                      grid.models = {"gir-mix"};
                    }),
                    "gir-mix on communities", "anchor sets");
  dir.file("run/config.json", "{}");
  expect_user_error([&] { run_grid(small_grid(), dir / "run"); }, "contains a single run", "another folder");
  dir.file("bad/results.jsonl", "{\"dataset\":1}\n");
  expect_user_error([&] { run_grid(small_grid(), dir / "bad"); }, "results.jsonl:1:", "not the result of a run");
}

}  // namespace
}  // namespace gir
