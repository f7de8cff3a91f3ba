#include <gmock/gmock.h>
#include <torch/torch.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "defined_metrics.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/graph/generators.h"
#include "gir/io/npy.h"
#include "gir/runs/experiment.h"
#include "gir/runs/expert_cache.h"
#include "gir/runs/expert_specs.h"
#include "gir/runs/grid.h"
#include "gir/runs/open_run.h"
#include "graph/random_graphs.h"
#include "small_datasets.h"
#include "support.h"

namespace gir {
namespace {

using testing::communities;
using testing::defined;
using testing::expect_user_error;
using ::testing::HasSubstr;
using testing::read_text;
using testing::TempDir;

SettingValues quick(SettingValues values) {
  for (const auto& [name, value] : SettingValues{{"task", "nc"},
                                                 {"epochs", "30"},
                                                 {"patience", "0"},
                                                 {"anchors", "8"},
                                                 {"hidden", "8"},
                                                 {"structural", "true"}}) {
    values.try_emplace(name, value);
  }
  return values;
}

RunConfig config_of(const Dataset& dataset, const SettingValues& values) {
  return resolve("fusion", quick(values), dataset);
}

std::vector<torch::Tensor> copies(const std::vector<NamedTensor>& tensors) {
  std::vector<torch::Tensor> result;
  for (const NamedTensor& each : tensors) result.push_back(each.tensor.detach().clone());
  return result;
}

bool all_equal(const std::vector<torch::Tensor>& first, const std::vector<torch::Tensor>& second) {
  return std::equal(first.begin(), first.end(), second.begin(), second.end(),
                    [](const auto& a, const auto& b) { return torch::equal(a, b); });
}

/// The parameters of the experts before and after the training of the gate.
struct Stages {
  std::vector<torch::Tensor> before;
  std::vector<torch::Tensor> after;
  int trained = 0;
};

Stages run_stages(const Dataset& dataset, const std::string& model) {
  Experiment experiment(dataset, config_of(dataset, {{"model", model}}));
  Stages stages;
  std::vector<Experiment*> experts;
  experiment.run({}, [&](Experiment& expert, const Trainer::Observer& observer) {
    expert.run(observer);
    for (const torch::Tensor& each : copies(expert.tensors())) stages.before.push_back(each);
    experts.push_back(&expert);
    ++stages.trained;
  });
  for (Experiment* expert : experts) {
    for (const torch::Tensor& each : copies(expert->tensors())) stages.after.push_back(each);
  }
  return stages;
}

TEST(Fusion, DoesNotChangeFrozenExperts) {
  const Dataset dataset = communities();
  for (const char* model : {"gcn-gir", "gcn-gcn", "gcn-gir-nfwr"}) {
    const Stages stages = run_stages(dataset, model);
    EXPECT_EQ(stages.trained, 2);
    EXPECT_TRUE(all_equal(stages.before, stages.after)) << model;
  }
}

TEST(Fusion, DoesNotReestimateBatchNormStatisticsOfFrozenExperts) {
  const Graph karate = generate_graph("karate").graph;
  const std::vector<NodeId> anchors = {0, 33};
  const Features none;
  const ModelOptions options{.hidden = 8, .dropout = 0.5, .norm = Norm::kBatch, .settle_norms = true};
  for (const bool frozen : {true, false}) {
    ModelInputs context{.graph = karate, .features = none, .anchors = anchors, .classes = 2};
    const auto gcn = make_model("gcn-a", context, options);
    const auto gir = make_model("gir-a", context, options);
    context.experts = {.models = {gcn.get(), gir.get()}, .frozen = frozen};
    const auto metrics = [&] {
      std::vector<torch::Tensor> all = copies(gcn->parameters().buffers());
      for (const torch::Tensor& each : copies(gir->parameters().buffers())) all.push_back(each);
      return all;
    };
    for (Model* expert : context.experts.models) expert->forward({.training = true, .epoch = 1});
    const auto before = metrics();
    make_model("fusion", context, options)->forward({.recalibrate_norms = true});
    EXPECT_EQ(all_equal(before, metrics()), frozen);
  }
}

TEST(Fusion, FineTunesExpertsThatAreNotFrozenAndTrainsJointExpertsOnlyWithTheGate) {
  const Dataset dataset = communities();
  const Stages tuned = run_stages(dataset, "gcn-gir-nf");
  EXPECT_EQ(tuned.trained, 2);
  EXPECT_FALSE(all_equal(tuned.before, tuned.after));
  EXPECT_EQ(run_stages(dataset, "gcn-gir-j").trained, 0);
  EXPECT_EQ(run_stages(dataset, "gcn-gir-ja").trained, 0);
}

/// An expert with constant outputs.
class FixedExpert : public Model {
 public:
  explicit FixedExpert(at::Tensor logits) : Model(0, Initial::kUniform), logits_(std::move(logits)) {}
  ModelOutput forward(const ForwardOptions&) override { return {logits_, logits_}; }
  std::int64_t output_width() const override { return logits_.size(1); }

 private:
  at::Tensor logits_;
};

/// Two classes; all nodes but one are of the first. One expert gives the true class probability 0.9, the other 0.3, so
/// the softmax of the negative losses is 0.75 and 0.25.
class FusionOfFixedExperts : public ::testing::Test {
 protected:
  static constexpr std::int64_t kNodes = 12;

  FusionOfFixedExperts() {
    labels.classes = Array<std::int32_t>(kNodes);
    labels.names = {"a", "b"};
    for (std::int32_t v = 0; v < kNodes; ++v) {
      labels.classes[v] = v == kNodes - 1 ? 1 : 0;  // so that both classes have training nodes
      if (v % 3 == 1) {
        split.valid.push_back(v);
      } else {
        split.train.push_back(v);
      }
    }
    split.test = split.valid;
    context.experts.models = {&better, &worse};
  }

  static at::Tensor logits(double share) {
    at::Tensor rows = torch::tensor({std::log(share), std::log(1 - share)}, torch::kFloat).repeat({kNodes, 1});
    rows[kNodes - 1] = rows[kNodes - 1].flip(0);
    return rows.contiguous();
  }

  /// A fused model with different gate weights for every node.
  std::unique_ptr<Model> model_with_varied_gate(const ModelOptions& options = {}) {
    at::Tensor z = better.forward({}).outputs;
    for (std::int64_t v = 0; v < kNodes; ++v) z[v] += 0.3 * static_cast<double>(v);  // same probabilities, other logits
    auto model = make_model("fusion", context, options);
    for (const NamedTensor& each : model->parameters().trained()) {
      if (each.name == "gate.out")
        each.tensor.detach().copy_(torch::linspace(-1, 1, each.tensor.numel()).view_as(each.tensor));
    }
    return model;
  }

  /// The weight of the better expert after training, for all nodes.
  at::Tensor trained_gate(double weight_regularisation) {
    const auto model = make_model("fusion", context, {});
    const auto objective = fusion_objective(labels, split, {.weight_regularisation = weight_regularisation});
    Trainer trainer(*model, *objective, {.epochs = 400, .evaluate_every = 400, .weight_decay = 0});
    trainer.run();
    return model->forward({}).gate.detach().select(1, 0);
  }

  Graph graph = generate_graph("path", {{"nodes", kNodes}}).graph;
  Features features;
  Labels labels;
  NodeSplit split;
  FixedExpert better{logits(0.9)};
  FixedExpert worse{logits(0.3)};
  ModelInputs context{.graph = graph, .features = features, .anchors = {}, .classes = 2};
};

TEST_F(FusionOfFixedExperts, IsInitialisedWithEqualGateWeights) {
  EXPECT_TRUE(torch::equal(make_model("fusion", context, {})->forward({}).gate, torch::full({kNodes, 2}, 0.5)));
}

TEST_F(FusionOfFixedExperts, MixesThePredictionsByTheGateWeights) {
  const auto model = model_with_varied_gate();
  const ModelOutput output = model->forward({});
  const at::Tensor g = output.gate;
  EXPECT_GT((g.select(1, 0) - 0.5).abs().max().item<double>(), 0.05) << "the gate weights differ clearly";
  EXPECT_TRUE(torch::allclose(g.sum(1), torch::ones({kNodes})));
  const at::Tensor expected = g.select(1, 0).unsqueeze(1) * torch::softmax(logits(0.9), 1) +
                              g.select(1, 1).unsqueeze(1) * torch::softmax(logits(0.3), 1);
  EXPECT_TRUE(torch::allclose(output.outputs.exp(), expected, 1e-5, 1e-6));
  EXPECT_TRUE(torch::equal(output.experts[1], logits(0.3)));
}

TEST_F(FusionOfFixedExperts, GateReadsProbabilitiesIfConfigured) {
  const auto range = [&](bool probabilities) {
    const auto model = model_with_varied_gate({.gate = {.probabilities = probabilities}});
    const at::Tensor gate =
        model->forward({}).gate.select(1, 0).slice(0, 0, kNodes - 1);  // those with the same probabilities
    return (gate.max() - gate.min()).item<double>();
  };
  EXPECT_GT(range(false), 0.01);
  EXPECT_LT(range(true), 1e-5);
}

TEST_F(FusionOfFixedExperts, LossIsThatOfTheMixturePlusTheRegulariser) {
  const auto model = model_with_varied_gate();
  const ModelOutput output = model->forward({});
  const auto loss = [&](const FusionObjectiveOptions& options) {
    return fusion_objective(labels, split, options)->loss(output, {}).item<double>();
  };
  double mixture = 0, distance = 0;
  for (const NodeId v : split.train) {
    const double g = output.gate[v][0].item<double>();
    mixture -= std::log(g * 0.9 + (1 - g) * 0.3) / static_cast<double>(split.train.size());
    distance += 2 * (g - 0.75) * (g - 0.75) / static_cast<double>(split.train.size());
  }
  EXPECT_NEAR(loss({}), mixture, 1e-5);
  EXPECT_NEAR(loss({.weight_regularisation = 3}), mixture + 3 * distance, 1e-5);
  EXPECT_NEAR(loss({.expert_losses = true}), mixture - std::log(0.9) - std::log(0.3), 1e-5);
}

TEST_F(FusionOfFixedExperts, FwrPullsTheGateTowardsTheSoftmaxOfTheNegativeLosses) {
  const at::Tensor pulled = trained_gate(1000);
  EXPECT_TRUE(torch::allclose(pulled, torch::full({kNodes}, 0.75), 0, 0.02)) << pulled;
  const at::Tensor some = trained_gate(1);
  EXPECT_GT(some.min().item<float>(), 0.75f) << "between the target of FWR and the better expert alone";
  EXPECT_GT(trained_gate(0).min().item<float>(), some.max().item<float>())
      << "without FWR the better expert gets all the weight";
}

TEST_F(FusionOfFixedExperts, RejectsInvalidInputs) {
  EXPECT_THROW(fusion_objective(labels, split, {.weight_regularisation = -0.5}), InternalError);
  context.experts.models.pop_back();
  expect_user_error([&] { make_model("fusion", context, {}); }, "a single expert cannot be fused");
  split.train.erase(split.train.end() - 1);  // the only one of class b
  expect_user_error([&] { fusion_objective(labels, split, {}); }, "no training node has class \"b\"");
}

TEST(ExpertSpecs, AreModelsWithTheirOwnSettings) {
  const auto specs = parse_experts("GCN:layers=3,gir:anchors=5:weight_decay=0.1");
  ASSERT_EQ(specs.size(), 2u);
  EXPECT_EQ(specs[0].text(), "gcn:layers=3");
  EXPECT_EQ(specs[1].text(), "gir:anchors=5:weight-decay=0.1");
  const Dataset dataset = communities();
  const RunConfig fused = config_of(dataset, {{"experts", "gcn:layers=4,gir-5:anchors=3"}, {"fwr", "0.25"}});
  EXPECT_EQ(fused.model, "fusion");
  const auto& resolved = fused.fusion.experts;
  EXPECT_EQ(expert_config(fused, resolved[0]).shape.layers, 4);
  EXPECT_EQ(expert_config(fused, resolved[1]).shape.layers, 5) << "a setting of the model gir-5";
  EXPECT_EQ(expert_config(fused, resolved[1]).anchors, 3);
}

TEST(ExpertSpecs, AreInitialisedDifferently) {
  const Dataset dataset = communities();
  const auto first_weights = [&](const SettingValues& values) {
    return copies(Experiment(dataset, config_of(dataset, values)).model().parameters().trained());
  };
  const auto fused = first_weights({{"experts", "gcn:layers=3,gcn:layers=4"}, {"expert-training", "joint"}});
  std::vector<torch::Tensor> same_shape;
  for (const torch::Tensor& each : fused) {
    if (each.dim() == 2 && each.size(0) == 8 && each.size(1) == 8) same_shape.push_back(each);
  }
  ASSERT_GE(same_shape.size(), 3u);
  EXPECT_FALSE(torch::equal(same_shape[0], same_shape[1]));
  const auto alone = first_weights({{"model", "gcn-3"}});
  EXPECT_FALSE(all_equal(alone, first_weights({{"model", "gcn"}, {"layers", "3"}})));
}

TEST(ExpertSpecs, TakeAnAnchorFile) {
  const TempDir dir;
  const Dataset dataset = communities();
  const std::string file = dir.file("anchors.txt", "3\n5\n");
  const RunConfig config = config_of(dataset, {{"experts", "gcn,gir:anchor-file=" + file}});
  Experiment experiment(dataset, config);
  EXPECT_EQ(experiment.anchors().anchors, (std::vector<NodeId>{3, 5}));
  EXPECT_EQ(
      settings_text(resolve("fusion", {{"task", "nc"}, {"experts", find_setting("experts").get(config)}}, dataset)),
      settings_text(resolve("fusion", {{"task", "nc"}, {"experts", "gcn,gir:anchor-file=" + file}}, dataset)));
}

TEST(ExpertSpecs, AreTheSameExpertInAllFusedModels) {
  const Dataset dataset = communities();
  const RunConfig alone = config_of(dataset, {{"model", "gir-5"}});
  for (const char* model : {"gcn-gir", "gcn-gir-nf", "gcn-gir-nfwr"}) {
    const RunConfig fused = config_of(dataset, {{"model", model}});
    const ExpertSpec spec = fused.fusion.experts[1];
    EXPECT_EQ(settings_text(expert_config(fused, spec)), settings_text(alone)) << model;
  }
}

TEST(ExpertSpecs, RejectInvalidExperts) {
  const Dataset dataset = communities();
  const auto with = [&](const SettingValues& values) { return [&, values] { config_of(dataset, values); }; };
  expect_user_error(with({{"experts", "gcn"}}), "a single expert, gcn");
  expect_user_error(with({{"experts", "gcn,gcn"}}), "gcn is listed twice", "seed=1");
  expect_user_error(with({{"experts", "gcn,gcn:layers=3"}}), "gcn:layers=3 is listed twice");
  expect_user_error(with({{"experts", "gcn,gir:lr=0"}}), "`experts`: gir:lr=0", "`lr`: 0 [more than 0]");
  expect_user_error(with({{"experts", "gcn,gcm"}}),
                    "`experts`: neither the folder of a run nor a model: unknown model \"gcm\"", "gcn");
  expect_user_error(with({{"experts", "gcn,gir:layer=3"}}), "`experts`: gir:layer=3: unknown setting \"layer\"",
                    "layers");
  expect_user_error(with({{"experts", "gcn,gir:layers"}}), "expected setting=value, got \"layers\"");
  expect_user_error(with({{"experts", "gcn,gir:split=3"}}), "split is the same for all experts");
  expect_user_error(with({{"experts", "gcn,gcn-gir"}}), "gcn-gir is a fused model itself");
  expect_user_error(with({{"experts", "gcn,"}}), "unknown model \"\"");
  expect_user_error(with({{"experts", "gcn,gir"}, {"fwr", "-1"}}), "`fwr`: -1");
  expect_user_error(with({{"experts", "gcn,gir"}, {"expert-training", "cold"}}), "known: tuned, joint, frozen");
  expect_user_error(with({{"experts", "gcn,gir"}, {"model", "gcn"}}), "`experts` are for fused models, not gcn");
  expect_user_error(with({{"model", "fusion"}}), "fusion has no experts");
  expect_user_error(with({{"model", "gcn-gir"}, {"task", "lp"}}), "is a node classifier", "use `task` nc");
  expect_user_error(with({{"experts", "gcn,no/where"}}), "no/where", "no such folder");
  expect_user_error(with({{"experts", "gcn,gir:layers=3:layers=4"}}), "gir:layers=3:layers=4: layers is given twice");
  expect_user_error(
      [&] {
        Experiment(dataset, config_of(dataset, {{"experts", "gcn,gir:layers=0"}}));
      },
      "`experts`: gir:layers=0: `layers`: 0 [at least 1]");
  const TempDir dir;
  expect_user_error(with({{"experts", "gcn," + dir.path().string() + ":layers=3"}}), dir.path().string(),
                    "a finished run has its own settings [omit \":layers=3\"]");
  expect_user_error(with({{"experts", "gcn,run:layers=3"}}), "neither the folder of a run nor a model");
  const std::string file = dir.file("cache", "");
  expect_user_error([&] { make_cache_folder(file); }, "`expert-cache`: " + file, "[give a folder");
  config_of(dataset, {{"model", "gcn-gir"}, {"expert-cache", dir / "later"}});
  EXPECT_FALSE(std::filesystem::exists(dir / "later")) << "resolving creates no folders";
}

TEST(Fusion, IsBitIdenticalForAnyNumberOfThreads) {
  Dataset dataset;
  dataset.name = "large";
  dataset.data.graph = testing::build(testing::random_large_lines(3000, 20000, false, 5));
  std::vector<std::int64_t> labels(static_cast<std::size_t>(dataset.data.graph.num_nodes()));
  for (std::size_t v = 0; v < labels.size(); ++v) labels[v] = static_cast<std::int64_t>(v % 3);
  dataset.data.labels = labels_from_integers(labels);
  for (const char* model : {"gcn-gir", "gcn-gir-nf", "gcn-gir-ja"}) {
    const auto run = [&](int threads) {
      const ThreadScope count(threads);
      Experiment experiment(dataset, config_of(dataset, {{"model", model}, {"hidden", "32"}, {"epochs", "4"}}));
      EXPECT_GT(experiment.useful_threads(), 1) << "a graph for two threads";
      experiment.run();
      return copies(experiment.tensors());
    };
    EXPECT_TRUE(all_equal(run(1), run(2))) << model;
  }
}

/// A trained model, and the number of epochs in which its experts were trained.
struct Trained {
  RunResult result;
  int expert_epochs = 0;
};

Trained train(const Dataset& dataset, const SettingValues& values, const std::filesystem::path& folder,
              const std::filesystem::path& cache = {}) {
  SettingValues given = values;
  if (!cache.empty()) given["expert-cache"] = cache;
  Experiment experiment(dataset, config_of(dataset, given));
  Trained trained;
  trained.result =
      train_in_directory(RunDirectory::create(folder, false), experiment, dataset, {},
                         [&](const EpochReport& report) { trained.expert_epochs += !report.stage.empty(); });
  return trained;
}

TEST(ExpertCache, TrainsASharedExpertOnce) {
  const TempDir dir;
  const Dataset dataset = communities();
  const auto run = [&](const char* model) { return train(dataset, {{"model", model}}, dir / model, dir / "experts"); };
  EXPECT_EQ(run("gcn-gir").expert_epochs, 60);
  EXPECT_EQ(run("gcn-gir-nfwr").expert_epochs, 0);
  EXPECT_EQ(run("gcn-gcn").expert_epochs, 30) << "gcn-5 is new";
  EXPECT_EQ(train(dataset, {{"model", "gcn-gir"}, {"gate-probabilities", "true"}, {"gate-hidden", "8"}}, dir / "gate",
                  dir / "experts")
                .expert_epochs,
            0)
      << "experts do not depend on the settings of the gate";
  EXPECT_EQ(train(dataset, {{"model", "gcn-gir"}, {"seed", "1"}}, dir / "other", dir / "experts").expert_epochs, 60);
}

TEST(ExpertCache, ContinuesAnInterruptedExpert) {
  const TempDir dir;
  const Dataset dataset = communities();
  const RunConfig config = config_of(dataset, {{"model", "gcn-3"}});
  ExpertCache cache(dir / "experts");
  Experiment whole(dataset, config);
  whole.run();
  Experiment stopped(dataset, config);
  EXPECT_THROW(cache.train(stopped, dataset,
                           [](const EpochReport& report) {
                             if (report.epoch == 12) throw Interrupted();
                           }),
               Interrupted);
  Experiment resumed(dataset, config);
  std::int64_t first = 0;
  cache.train(resumed, dataset, [&](const EpochReport& report) { first = first == 0 ? report.epoch : first; });
  EXPECT_EQ(first, 13);
  EXPECT_TRUE(all_equal(copies(resumed.tensors()), copies(whole.tensors())));
}

TEST(ExpertCache, StartsOverIfAKillLeftNoConfiguration) {
  const TempDir dir;
  const Dataset dataset = communities();
  const RunConfig config = config_of(dataset, {{"model", "gcn-3"}});
  ExpertCache cache(dir / "experts");
  const auto place = cache.place(config, fingerprint(dataset.data), {});
  std::filesystem::create_directories(place);
  std::ofstream(place / ".config.json.tmp-1") << "{";
  Experiment expert(dataset, config);
  EXPECT_TRUE(cache.train(expert, dataset).finished());
}

TEST(ExpertCache, KeepsTheBestEpochOfAnExpertWhoseLossBecameNan) {
  const TempDir dir;
  const Dataset dataset = communities();
  // Learning rate so large that values overflow soon, but not in the first epoch.
  const RunConfig config = config_of(
      dataset, {{"model", "gcn-3"}, {"optimizer", "adam"}, {"lr", "1e12"}, {"norm", "none"}, {"evaluate-every", "1"}});
  ExpertCache cache(dir / "experts");
  Experiment first(dataset, config);
  const RunResult stored = read_record(cache.train(first, dataset)).result;
  EXPECT_GT(stored.bad_epoch, 1);
  EXPECT_EQ(stored.best_epoch, stored.bad_epoch - 1);
  Experiment second(dataset, config);
  EXPECT_EQ(read_record(cache.train(second, dataset)).result.bad_epoch, stored.bad_epoch)
      << "the stored record reports it, too";
  EXPECT_TRUE(all_equal(copies(first.tensors()), copies(second.tensors())));
}

class FusedRun : public ::testing::Test {
 protected:
  FusedRun() { write_data(); }

  /// Written to files, so that runs can be opened.
  void write_data() {
    const Dataset made = communities();
    std::string edges, labels;
    const Graph& graph = made.data.graph;
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      labels += fmt::format("{} {}\n", v, made.data.labels.classes[v]);
      for (const NodeId u : graph.out_neighbors(v)) {
        if (v < u) edges += fmt::format("{} {}\n", v, u);
      }
    }
    request.graph = dir.file("edges.txt", edges);
    request.labels = dir.file("labels.txt", labels);
    dataset = open_data(request);
  }

  SettingValues with(SettingValues values) const {
    values["graph"] = request.graph;
    values["labels"] = request.labels;
    return values;
  }

  TempDir dir;
  DataRequest request;
  Dataset dataset;
};

TEST_F(FusedRun, StoresGateExpertsAndMetricsAndCanBeOpened) {
  for (const char* model : {"gcn-gir", "gcn-gir-nf", "gcn-gir-j"}) {
    const RunResult result = train(dataset, with({{"model", model}}), dir / model).result;
    const auto json = nlohmann::json::parse(read_text(dir / model / "result.json"));
    EXPECT_EQ(json["experts"], (std::vector<std::string>{"gcn-3", "gir-5"}));
    for (const char* name : {"accuracy", "ec", "ec_1", "ec_2", "accuracy_1", "accuracy_2"}) {
      EXPECT_TRUE(json["test_metrics"].contains(name)) << name;
    }
    const NpyArray gate = read_npy(dir / model / "gate.npy");
    EXPECT_EQ(gate.shape(), (std::vector<std::int64_t>{dataset.data.graph.num_nodes(), 2}));
    FinishedRun opened = open_run(RunDirectory::open(dir / model));
    EXPECT_EQ(defined(opened.experiment->evaluate().test), defined(result.test)) << model;
    EXPECT_EQ(opened.experiment->anchor_lists()[1].size(), 8u);
  }
}

TEST_F(FusedRun, ResumedIsBitIdentical) {
  for (const char* model : {"gcn-gir", "gcn-gir-nf", "gcn-gir-j"}) {
    for (const char* settle_norms : {"false", "true"}) {
      const SettingValues values = with({{"model", model}, {"settle-norms", settle_norms}});
      const std::string whole = fmt::format("{}-{}-whole", model, settle_norms);
      const std::string stopped = fmt::format("{}-{}-stopped", model, settle_norms);
      train(dataset, values, dir / whole);
      const RunConfig config = config_of(dataset, values);
      Experiment first(dataset, config);
      train_in_directory(RunDirectory::create(dir / stopped, false), first, dataset, {}, [](const EpochReport& report) {
        if (report.stage.empty() && report.epoch == 12) throw Interrupted();
      });
      Experiment second(dataset, config);
      train_in_directory(RunDirectory::open(dir / stopped), second, dataset, {.resume = true});
      EXPECT_EQ(read_text(dir / stopped / "model.safetensors"), read_text(dir / whole / "model.safetensors")) << model;
      EXPECT_EQ(read_text(dir / stopped / "gate.npy"), read_text(dir / whole / "gate.npy")) << model;
    }
  }
}

TEST_F(FusedRun, UsesFinishedRunsAsExperts) {
  train(dataset, with({{"model", "gcn"}, {"hidden", "12"}}), dir / "a");
  train(dataset, with({{"model", "gir-a"}, {"layers", "2"}, {"seed", "3"}}), dir / "b");
  const std::string folders = (dir / "a").string() + "," + (dir / "b").string();
  const Trained fused = train(dataset, with({{"experts", folders}}), dir / "fused");
  EXPECT_EQ(fused.expert_epochs, 0);
  const auto json = nlohmann::json::parse(read_text(dir / "fused/result.json"));
  EXPECT_EQ(json["experts"][0], "gcn:hidden=12");
  EXPECT_EQ(json["experts"][1], "gir-a:layers=2:seed=3");
  const auto expert = nlohmann::json::parse(read_text(dir / "b/result.json"));
  EXPECT_EQ(json["test_metrics"]["accuracy_2"], expert["test_metrics"]["accuracy"]) << "the expert is unchanged";
  std::filesystem::remove_all(dir / "a");
  std::filesystem::remove_all(dir / "b");
  EXPECT_EQ(defined(open_run(RunDirectory::open(dir / "fused")).experiment->evaluate().test),
            defined(fused.result.test))
      << "a fused run does not need the folders of its experts any more";
}

TEST_F(FusedRun, RejectsExpertsThatDoNotMatch) {
  train(dataset, with({{"model", "gcn"}}), dir / "good");
  const auto fuse = [&](const std::string& other, SettingValues more = {}) {
    more["experts"] = (dir / "good").string() + "," + (dir / other).string();
    return [&, more] { config_of(dataset, with(more)); };
  };
  train(dataset, with({{"model", "gir"}, {"split", "3"}}), dir / "split");
  expect_user_error(fuse("split"), "was trained on another split", "`split` 3");
  train(dataset, with({{"model", "gir"}, {"task", "lp"}}), dir / "links");
  expect_user_error(fuse("links"), "was trained for lp");
  const Dataset other = communities(2);
  train(other, {{"model", "gir"}}, dir / "graph");
  expect_user_error(fuse("graph"), "another graph");
  expect_user_error(fuse("good"), "is listed twice");
  SettingValues joint = {{"expert-training", "joint"}};
  train(dataset, with({{"model", "gir"}}), dir / "gir");
  expect_user_error(fuse("gir", joint), "cannot be trained jointly");
  {
    Experiment experiment(dataset, config_of(dataset, with({{"model", "gir"}})));
    train_in_directory(RunDirectory::create(dir / "stopped", false), experiment, dataset, {},
                       [](const EpochReport&) { throw Interrupted(); });
  }
  expect_user_error(fuse("stopped"), "was interrupted", "`resume`");
  // A resolved configuration contains the folders; the split is checked again when the experiment is constructed.
  RunConfig moved = config_of(dataset, with({{"experts", (dir / "good").string() + "," + (dir / "gir").string()}}));
  moved.split = 1;
  expect_user_error([&] { Experiment(dataset, moved); }, "was trained on another split");
  moved.split = 0;
  moved.fusion.experts = parse_experts("gcn:layers=2,gir");
  expect_user_error([&] { Experiment(dataset, moved); }, "is gcn, not gcn:layers=2");
  std::filesystem::create_directory(dir / "empty");
  expect_user_error(fuse("empty"), "contains no run");
  train(dataset, with({{"model", "gir"}}), dir / "cut");
  dir.file("cut/result.json", "{\"interr");
  expect_user_error(fuse("cut"), "result.json", "damaged");
  train(dataset, with({{"model", "gir"}}), dir / "damaged");
  dir.file("damaged/model.safetensors", "no tensors");
  const RunConfig damaged = [&] {
    SettingValues values;
    values["experts"] = (dir / "good").string() + "," + (dir / "damaged").string();
    return config_of(dataset, with(values));
  }();
  expect_user_error([&] { Experiment(dataset, damaged); }, "damaged/model.safetensors");
}

TEST_F(FusedRun, RejectsModelsWhoseAnchorsHaveChanged) {
  train(dataset, with({{"model", "gir"}}), dir / "gir");
  train(dataset, with({{"model", "gcn-gir"}}), dir / "fused");
  const RunConfig config = config_of(dataset, with({{"experts", "gcn," + (dir / "gir").string()}}));
  const auto cut = [&](const std::string& name) {  // leaves the first anchor
    const std::string all = read_text(dir / name);
    dir.file(name, all.substr(0, all.find('\n') + 1));
  };
  cut("gir/anchors.txt");
  cut("fused/anchors-2.txt");
  expect_user_error([&] { Experiment(dataset, config); }, "gir/anchors.txt", "the model was trained with");
  expect_user_error([&] { open_run(RunDirectory::open(dir / "gir")); }, "gir/anchors.txt");
  expect_user_error([&] { open_run(RunDirectory::open(dir / "fused")); }, "fused/anchors-2.txt", "train again");
}

TEST_F(FusedRun, RejectsExpertsWithOtherClasses) {
  train(dataset, with({{"model", "gcn"}}), dir / "all");
  Dataset fewer = open_data(request);
  for (auto& each : fewer.data.labels.classes) each = std::min(each, 1);
  fewer.data.labels.names.resize(2);
  train(fewer, with({{"model", "gir"}}), dir / "two");
  const std::string folders = (dir / "all").string() + "," + (dir / "two").string();
  expect_user_error([&] { config_of(dataset, with({{"experts", folders}})); }, "has 2 classes");
}

TEST(Grid, SharesExpertsBetweenItsModels) {
  const TempDir dir;
  const GridOptions options{.datasets = {"communities"},
                            .models = {"gcn-3", "gir-5", "gcn-gir", "gcn-gir-nfwr"},
                            .runs = 2,
                            .splits = 2,
                            .recipe = "fusion",
                            .given = quick({})};
  const std::vector<GridResult> results = run_grid(options, dir / "grid");
  ASSERT_EQ(results.size(), 8u);
  EXPECT_FALSE(results[0].complementarity);
  EXPECT_TRUE(results[4].complementarity);
  EXPECT_EQ(results[4].complementarity, results[6].complementarity) << "the same experts misclassify the same nodes";
  std::size_t experts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir / "grid/experts")) experts += entry.is_directory();
  EXPECT_EQ(experts, 4u) << "two models on two splits";
  EXPECT_EQ(run_grid(options, dir / "grid")[4].complementarity, results[4].complementarity) << "read back";
}

/// A grid of a single run.
GridOptions one_fusion(const SettingValues& values) {
  return {.datasets = {"communities"},
          .models = {"gcn-gir"},
          .runs = 1,
          .splits = 1,
          .recipe = "fusion",
          .given = quick(values)};
}

TEST(Grid, SharesExpertsWithOtherGrids) {
  const TempDir dir;
  const GridOptions options = one_fusion({{"expert-cache", dir / "cache"}});
  const std::vector<GridResult> first = run_grid(options, dir / "first");
  EXPECT_FALSE(std::filesystem::exists(dir / "first/experts"));
  const auto expert_times = [&] {
    std::map<std::string, std::filesystem::file_time_type> times;
    for (const auto& entry : std::filesystem::directory_iterator(dir / "cache")) {
      if (entry.is_directory()) times[entry.path()] = last_write_time(entry.path() / "result.json");
    }
    return times;
  };
  const auto trained = expert_times();
  EXPECT_EQ(trained.size(), 2u);
  EXPECT_EQ(run_grid(options, dir / "second")[0].test, first[0].test);
  EXPECT_EQ(expert_times(), trained) << "they were not trained again";
}

TEST(Grid, LeavesNothingBehindIfTheExpertCacheIsInvalid) {
  const TempDir dir;
  const GridOptions options = one_fusion({{"expert-cache", dir.file("cache", "")}});
  expect_user_error([&] { run_grid(options, dir / "grid"); }, "`expert-cache`: ", "[give a folder");
  EXPECT_FALSE(std::filesystem::exists(dir / "grid"));
}

TEST(Grid, NamesTheInvalidRun) {
  const TempDir dir;
  const GridOptions options = one_fusion({{"task", "lp"}});
  expect_user_error([&] { run_grid(options, dir / "grid"); }, "gcn-gir on communities: ", "the task is lp");
  EXPECT_FALSE(std::filesystem::exists(dir / "grid"));
}

}  // namespace
}  // namespace gir
