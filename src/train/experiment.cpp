#include "gir/train/experiment.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include <chrono>
#include <cmath>
#include <filesystem>

#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/core/random.h"
#include "gir/core/text.h"
#include "gir/nn/device.h"
#include "gir/train/expert_specs.h"
#include "gir/train/memory_budget.h"
#include "gir/train/run_directory.h"

namespace gir {
namespace {

Task chosen_task(const RunConfig& config, const Dataset& dataset) {
  if (!config.task.empty()) return parse_task(config.task);
  if (dataset.task) return *dataset.task;
  return dataset.data.labels.empty() ? Task::kLinkPrediction : Task::kNodeClassification;
}

constexpr std::int64_t kMostHiddenParts = 100;  ///< each takes as much memory as the message graph, at least

/// The first row with a value that is not finite; -1 for none.
std::int64_t first_row_not_finite(const Features& features) {
  if (const auto* dense = std::get_if<DenseMatrix>(&features)) {
    for (std::int64_t i = 0; i < dense->values.size(); ++i) {
      if (!std::isfinite(dense->values[i])) return i / dense->columns;
    }
  } else if (const auto* sparse = std::get_if<SparseMatrix>(&features)) {
    for (std::int64_t row = 0; row < sparse->rows; ++row) {
      for (std::int64_t i = sparse->offsets[row]; i < sparse->offsets[row + 1]; ++i) {
        if (!std::isfinite(sparse->values[i])) return row;
      }
    }
  }
  return -1;
}

/// Threads that an epoch can make use of: one for every half a million values that it touches.
int threads_for(std::int64_t rows, std::int64_t width) {
  return static_cast<int>(1 + std::min<std::int64_t>(rows * width >> 19, 1 << 10));
}

/// A file of anchors means the strategy `file`, and nobody tops up what the user chose.
void use_anchor_file(RunConfig& config, const SettingValues& given) {
  if (!config.anchor_file.empty() && !given.contains("strategy")) config.strategy = "file";
  const bool from_file = canonical_name(config.strategy) == "file";
  if (!config.anchor_file.empty() && !from_file) {
    throw UserError("--anchor-file is for the strategy file, not {} [--strategy file]", config.strategy);
  }
  if (from_file && config.anchor_file.empty()) throw UserError("the strategy file needs ids [give --anchor-file FILE]");
  if (from_file && !given.contains("fill")) config.fill.clear();
}

/// Files are kept by their whole path, so that a run can be used from any folder.
void use_whole_paths(RunConfig& config) {
  const bool known_by_name = Registry<DatasetEntry>::find(config.data.graph) != nullptr;
  for (std::string* path : {&config.data.graph, &config.data.features, &config.data.labels, &config.anchor_file}) {
    if (path == &config.data.graph && known_by_name) continue;
    if (!path->empty() && std::filesystem::exists(*path)) *path = std::filesystem::absolute(*path).string();
  }
  if (!config.fusion.cache.empty()) config.fusion.cache = std::filesystem::absolute(config.fusion.cache).string();
}

/// The official split without nodes that have no label.
NodeSplit labelled_part(NodeSplit split, const Labels& labels) {
  for (std::vector<NodeId>* part : {&split.train, &split.valid, &split.test}) {
    std::erase_if(*part, [&](NodeId node) { return labels.classes[node] == Labels::kNone; });
    if (part->empty())
      throw UserError("a part of the official split has no labelled node [leave --official-split away]");
  }
  return split;
}

void check_features(const Dataset& dataset) {
  const std::int64_t row = first_row_not_finite(dataset.data.features);
  if (row < 0) return;
  throw UserError("{}: a feature of node {} is not a finite number [mend it]", dataset.name,
                  quoted(dataset.data.graph.names().name(static_cast<NodeId>(row))));
}

/// Puts the names of pair features as they are registered.
void check_pair_settings(RunConfig& config) {
  if (config.hidden_parts != 0 && (config.hidden_parts < 2 || config.hidden_parts > kMostHiddenParts)) {
    throw UserError("--hidden-parts: {} [0, or 2 to {}]", config.hidden_parts, kMostHiddenParts);
  }
  std::vector<std::string> names;
  for (const PairFeatureEntry* entry : pair_features_of(config.pair_features)) {
    names.push_back(entry->name);
    if (entry->sees_own_edge && config.task == task_name(Task::kLinkPrediction) && config.hidden_parts == 0) {
      throw UserError(
          "--pair-features: {} tells training which pairs are linked, unless these are hidden meanwhile "
          "[--hidden-parts 10]",
          entry->name);
    }
  }
  config.pair_features = join(names, ",");
}

/// Now, and not after the run's own folder has been made.
void make_cache_folder(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder)) {
    throw UserError("--expert-cache: {}: {} [a folder, or where one can be made]", folder,
                    error ? error.message() : "not a folder");
  }
}

/// Experts belong to fused models, and fused models to classes.
void check_fusion_settings(RunConfig& config, const Dataset& dataset) {
  const ModelEntry& entry = Registry<ModelEntry>::get(config.model);
  if (!entry.fuses) {
    if (!config.fusion.experts.empty()) {
      throw UserError("--experts are for fused models, not {} [--model fusion]", entry.name);
    }
    config.fusion = {};
    config.shape.gate = {};
    return;
  }
  if (config.fusion.experts.empty()) {
    throw UserError("{} of what? [--experts A,B, or a model that has its own, such as gcn-gir]", entry.name);
  }
  if (config.task != task_name(Task::kNodeClassification)) {
    throw UserError("{} decides about classes of nodes, and the task is {} [--task nc on a graph with labels]",
                    entry.name, config.task);
  }
  make_cache_folder(config.fusion.cache);
  if (!(config.fusion.weight_regularisation >= 0)) {
    throw UserError("--fwr: {} [at least 0]", config.fusion.weight_regularisation);
  }
  resolve_experts(config, dataset);
}

std::uint64_t model_seed(const RunConfig& config) {
  if (config.seed_stream.empty()) return config.seed;
  return RandomStream(config.seed, "expert/" + config.seed_stream).bits(0);
}

/// Every node once, in the order in which they first occur.
AnchorSelection all_anchors(const std::vector<std::unique_ptr<Experiment>>& experts, std::int64_t nodes) {
  AnchorSelection all;
  std::vector<bool> seen(static_cast<std::size_t>(nodes), false);
  for (const auto& expert : experts) {
    for (const NodeId node : expert->anchors().anchors) {
      if (!seen[static_cast<std::size_t>(node)]) all.anchors.push_back(node);
      seen[static_cast<std::size_t>(node)] = true;
    }
    for (const std::string& note : expert->anchors().notes) all.notes.push_back(note);
  }
  return all;
}

}  // namespace

RunConfig resolve(std::string_view recipe_name, const SettingValues& given, const Dataset& dataset) {
  RunConfig config;
  if (const auto task = given.find("task"); task != given.end()) set(config, "task", task->second);
  config.task = task_name(chosen_task(config, dataset));
  const Recipe& recipe = Registry<Recipe>::get(recipe_name);
  for (const auto& [name, value] : recipe.values) set(config, name, value);
  if (const auto of_task = recipe.task_values.find(config.task); of_task != recipe.task_values.end()) {
    for (const auto& [name, value] : of_task->second) set(config, name, value);
  }
  if (given.contains("experts")) config.model = "fusion";
  if (const auto model = given.find("model"); model != given.end()) set(config, "model", model->second);
  for (const auto& [name, value] : Registry<ModelEntry>::get(config.model).settings) set(config, name, value);
  for (const auto& [name, value] : given) set(config, name, value);
  config.task = task_name(chosen_task(config, dataset));
  config.model = Registry<ModelEntry>::get(config.model).name;
  config.decoder = Registry<DecoderEntry>::get(config.decoder).name;
  use_anchor_file(config, given);
  use_whole_paths(config);
  if (!given.contains("official-split")) {
    config.official_split = dataset.official_split && config.task == task_name(Task::kNodeClassification);
  }
  if (config.shape.hidden == 0) config.shape.hidden = dataset.sizes.hidden;
  if (config.anchors == 0) config.anchors = dataset.sizes.anchors;
  if (!given.contains("anchors")) config.anchors = std::min(config.anchors, dataset.data.graph.num_nodes());
  if (config.shape.anchor_sets == 0) config.shape.anchor_sets = dataset.sizes.anchor_sets;
  check_trainer_options(config.training);
  if (!(config.decoder_dropout >= 0 && config.decoder_dropout < 1)) {
    throw UserError("--decoder-dropout: {} [at least 0 and less than 1]", config.decoder_dropout);
  }
  check_pair_settings(config);
  check_fusion_settings(config, dataset);
  if (config.epoch_pairs < 0) throw UserError("--epoch-pairs: {} [at least 0]", config.epoch_pairs);
  if (!(config.memory_budget >= 0)) throw UserError("--memory-budget: {} [at least 0]", config.memory_budget);
  if (config.checkpoint_every < 0) throw UserError("--checkpoint-every: {} [at least 0]", config.checkpoint_every);
  return config;
}

void check_for_leaks(const PairSplit& split, const Graph& message_graph) {
  for (const JudgedPairs* part : {&split.valid(), &split.test()}) {
    for (const NodePair& pair : part->positives) {
      ensure(!message_graph.has_arc(pair.first, pair.second) && !message_graph.has_arc(pair.second, pair.first),
             "a judged edge carries messages");
    }
  }
}

bool uses_anchors(const RunConfig& config) {
  if (Registry<ModelEntry>::get(config.model).uses_anchors) return true;
  if (config.task == task_name(Task::kNodeClassification)) return false;
  const auto features = pair_features_of(config.pair_features);
  return std::any_of(features.begin(), features.end(), [](const auto* entry) { return entry->uses_anchors; });
}

Experiment::Experiment(const Dataset& dataset, RunConfig config, const std::optional<AnchorLists>& anchors,
                       Purpose purpose)
    : dataset_(dataset), config_(std::move(config)), task_(parse_task(config_.task)) {
  check_features(dataset);
  split();
  if (purpose == Purpose::kTraining) hide_edges();
  if (uses_anchors(config_)) choose_anchors(anchors);
  if (!config_.fusion.experts.empty()) make_experts(anchors, purpose);
  const bool classes = task_ == Task::kNodeClassification;
  Experts experts{.models = {}, .frozen = config_.fusion.training == ExpertTraining::kFrozen};
  for (const auto& expert : experts_) experts.models.push_back(expert->model_.get());
  model_ = make_model(config_.model,
                      {.graph = *message_graph_,
                       .features = dataset.data.features,
                       .anchors = anchors_.anchors,
                       .classes = classes ? dataset.data.labels.num_classes() : 0,
                       .seed = model_seed(config_),
                       .training_graphs = training_graphs(),
                       .experts = experts},
                      config_.shape);
  make_objective();
  move_to_device(tensors());
  if (purpose == Purpose::kTraining && description_ && description_->width() > 0) learn_feature_scale();
  trainer_ = std::make_unique<Trainer>(*model_, *objective_, config_.training);
  if (purpose == Purpose::kTraining) {
    TrainingMemory::refuse_too_large(*model_, *objective_, budget_bytes(config_.memory_budget));
  }
  std::int64_t positives =
      hidden_ ? std::ssize(hidden_->parts.front()) : (pairs_ ? std::ssize(pairs_->train_positives()) : 0);
  if (config_.epoch_pairs > 0) positives = std::min(positives, config_.epoch_pairs);
  for (const auto& expert : experts_) threads_ = std::max(threads_, expert->threads_);
  if (!experts_.empty()) return;
  threads_ =
      threads_for(message_graph_->num_arcs() + message_graph_->num_nodes() + 2 * positives, config_.shape.hidden);
}

void Experiment::split() {
  const AttributedGraph& data = dataset_.data;
  const SplitShares shares = default_shares(task_);
  if (config_.official_split && (task_ != Task::kNodeClassification || !data.split)) {
    throw UserError("{} comes with no split of its own for {} [leave --official-split away]", dataset_.name,
                    config_.task);
  }
  if (task_ == Task::kNodeClassification) {
    nodes_ = split_nodes(data, config_.split, shares);
    if (config_.official_split) nodes_ = labelled_part(*data.split, data.labels);
    message_graph_ = &data.graph;
    return;
  }
  if (task_ == Task::kLinkPrediction) {
    pairs_ = PairSplit::of_links(data.graph, config_.split, shares);
    check_for_leaks(*pairs_, pairs_->message_graph());
  } else {
    pairs_ = PairSplit::of_node_pairs(data, config_.split, shares);
  }
  message_graph_ = &pairs_->message_graph();
}

void Experiment::hide_edges() {
  if (task_ != Task::kLinkPrediction || config_.hidden_parts == 0) return;
  hidden_ = hide_in_turn(*pairs_, std::min(config_.hidden_parts, std::ssize(pairs_->train_positives())), config_.seed);
}

void Experiment::choose_anchors(const std::optional<AnchorLists>& anchors) {
  if (anchors) {
    ensure(anchors->size() == 1, "anchors of one model");
    anchors_.anchors = anchors->front();
    return;
  }
  anchors_ = select_anchors(*message_graph_, {.count = config_.anchors,
                                              .strategy = config_.strategy,
                                              .fill = config_.fill,
                                              .seed = config_.seed,
                                              .file = config_.anchor_file});
}

void Experiment::make_experts(const std::optional<AnchorLists>& anchors, Purpose purpose) {
  const std::vector<ExpertSpec> specs = parse_experts(config_.fusion.experts);
  const std::vector<std::filesystem::path> folders = expert_folders(config_);
  ensure(!anchors || anchors->size() == specs.size(), "anchors of every expert");
  for (std::size_t i = 0; i < specs.size(); ++i) {
    RunConfig config = expert_config(config_, specs[i]);
    if (purpose == Purpose::kTraining && !folders[i].empty()) {
      const RunDirectory run = open_expert_run(folders[i], specs[i], config_, dataset_);
      std::optional<AnchorLists> own;
      if (uses_anchors(config)) own = AnchorLists{read_anchors(run.anchors(), *message_graph_)};
      experts_.push_back(std::make_unique<Experiment>(dataset_, std::move(config), own, purpose));
      load_model(run, *experts_.back());
      continue;
    }
    std::optional<AnchorLists> known;
    if (anchors) known = AnchorLists{(*anchors)[i]};
    try {
      experts_.push_back(std::make_unique<Experiment>(dataset_, std::move(config), known, purpose));
    } catch (const UserError& error) {
      throw UserError("expert {}: {}", specs[i].text(), error.what());
    }
  }
  anchors_ = all_anchors(experts_, message_graph_->num_nodes());
}

AnchorLists Experiment::anchor_lists() const {
  if (experts_.empty()) return {anchors_.anchors};
  AnchorLists lists;
  for (const auto& expert : experts_) lists.push_back(expert->anchors_.anchors);
  return lists;
}

void Experiment::make_objective() {
  if (!experts_.empty()) {
    objective_ = fusion_objective(dataset_.data.labels, nodes_,
                                  {.nodes = {.class_weights = config_.class_weights},
                                   .weight_regularisation = config_.fusion.weight_regularisation,
                                   .expert_losses = config_.fusion.expert_losses});
    return;
  }
  if (task_ == Task::kNodeClassification) {
    objective_ = node_objective(dataset_.data.labels, nodes_, {.class_weights = config_.class_weights});
    return;
  }
  const GraphViews graphs{.graph = *message_graph_, .training = training_graphs()};
  description_.emplace(config_.pair_features, PairContext{.graphs = graphs, .anchors = anchors_.anchors});
  decoder_ = Registry<DecoderEntry>::get(config_.decoder)
                 .make({.width = model_->output_width(),
                        .features = description_->width(),
                        .dropout = config_.decoder_dropout,
                        .seed = config_.seed});
  objective_ = pair_objective({.split = *pairs_,
                               .decoder = *decoder_,
                               .description = *description_,
                               .hidden = hidden_ ? &*hidden_ : nullptr,
                               .epoch_pairs = config_.epoch_pairs,
                               .seed = config_.seed});
}

/// From pairs as training sees them: edges where they are hidden, and as many others.
void Experiment::learn_feature_scale() {
  std::vector<NodePair> sample = hidden_ ? hidden_->parts.front() : pairs_->train_positives();
  if (config_.epoch_pairs > 0 && config_.epoch_pairs < std::ssize(sample)) {
    Rng(config_.seed, "train/feature-scale").shuffle(sample);
    sample.resize(static_cast<std::size_t>(config_.epoch_pairs));
  }
  const auto negatives = pairs_->train_negatives(0, config_.seed, sample.size());
  sample.insert(sample.end(), negatives.begin(), negatives.end());
  decoder_->learn_feature_scale(features_of(sample, *description_, hidden_ ? 1 : 0));
}

std::vector<NamedTensor> Experiment::tensors() const {
  std::vector<NamedTensor> all = model_->parameters().all();
  if (decoder_) {
    for (const NamedTensor& each : decoder_->parameters().all()) all.push_back(each);
  }
  return all;
}

ModelOutput Experiment::evaluate() {
  const at::NoGradGuard no_gradients;
  const ThreadLimit limit(threads_);
  return model_->forward({});
}

RunResult Experiment::judge() {
  const at::NoGradGuard no_gradients;
  const ModelOutput output = evaluate();
  std::int64_t parameters = decoder_ ? decoder_->parameters().num_values() : 0;
  std::vector<std::string> experts;
  for (const ExpertSpec& spec : parse_experts(config_.fusion.experts)) experts.push_back(spec.text());
  if (config_.fusion.training == ExpertTraining::kFrozen) {
    for (const auto& expert : experts_) parameters += expert->model_->parameters().num_values();
  }
  return {.dataset = dataset_.name,
          .task = task_,
          .model = config_.model,
          .metric = objective_->metric(),
          .valid = objective_->judge(output, Part::kValid),
          .test = objective_->judge(output, Part::kTest),
          .seed = config_.seed,
          .split = config_.split,
          .parameters = parameters + model_->parameters().num_values(),
          .anchors = std::ssize(anchors_.anchors),
          .experts = std::move(experts)};
}

void Experiment::train_experts(const Trainer::Observer& observer, const ExpertTrainer& train_expert) {
  if (config_.fusion.training == ExpertTraining::kJoint) return;
  const std::vector<std::filesystem::path> folders = expert_folders(config_);
  for (std::size_t i = 0; i < experts_.size(); ++i) {
    if (!folders[i].empty()) continue;  // finished elsewhere
    Experiment& expert = *experts_[i];
    const std::string stage = fmt::format("expert {} of {}, {}", i + 1, experts_.size(), expert.config().model);
    const auto watch = [&](const EpochReport& report) {
      EpochReport staged = report;
      staged.stage = stage;
      if (observer) observer(staged);
    };
    if (train_expert) {
      train_expert(expert, watch);
    } else if (expert.run(watch).interrupted) {
      throw Interrupted();
    }
  }
}

RunResult Experiment::run(const Trainer::Observer& observer, const ExpertTrainer& train_expert) {
  const auto start = std::chrono::steady_clock::now();
  if (trainer_->epochs_done() == 0) train_experts(observer, train_expert);
  const TrainOutcome outcome = [&] {
    std::optional<TrainingMemory> memory;
    if (trainer_->epochs_done() < config_.training.epochs) {
      memory.emplace(*model_, *objective_, budget_bytes(config_.memory_budget));
    }
    const ThreadLimit limit(threads_);
    return trainer_->run(observer);
  }();
  if (outcome.bad_epoch > 0 && outcome.best_epoch == 0) {
    throw UserError("the loss is not a number at epoch {}, and no model was kept before [lower --lr or set --clip]",
                    outcome.bad_epoch);
  }
  RunResult result = judge();
  result.best_epoch = outcome.best_epoch;
  result.epochs = outcome.epochs;
  result.interrupted = outcome.interrupted;
  result.bad_epoch = outcome.bad_epoch;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace gir
