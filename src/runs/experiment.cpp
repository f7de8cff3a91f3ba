#include "gir/runs/experiment.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/core/random.h"
#include "gir/learn/memory_budget.h"
#include "gir/nn/device.h"
#include "gir/runs/expert_specs.h"
#include "gir/runs/run_directory.h"

namespace gir {
namespace {

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

/// One thread per half a million values that an epoch touches; more threads would cost more in synchronisation than
/// they gain.
int threads_for(std::int64_t rows, std::int64_t width) {
  return static_cast<int>(1 + std::min<std::int64_t>(rows * width >> 19, 1 << 10));
}

void check_features(const Dataset& dataset) {
  const std::int64_t row = first_row_not_finite(dataset.data.features);
  if (row < 0) return;
  throw UserError("{}: a feature of node {} is NaN or infinite [replace it by a finite number]", dataset.name,
                  quoted(dataset.data.graph.names().name(static_cast<NodeId>(row))));
}

std::int64_t budget_bytes(double gibibytes) {
  return static_cast<std::int64_t>(std::clamp(std::ldexp(gibibytes, 30), 1.0, std::ldexp(1.0, 62)));
}

std::uint64_t model_seed(const RunConfig& config) {
  if (config.seed_stream.empty()) return config.seed;
  return RandomStream(config.seed, "expert/" + config.seed_stream).bits(0);
}

/// The anchors of all experts without duplicates, in the order in which they first occur.
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

bool uses_anchors(const RunConfig& config) {
  if (Registry<ModelEntry>::get(config.model).uses_anchors) return true;
  if (config.shape.positions == Positions::kAnchors) return true;
  if (config.task == task_name(Task::kNodeClassification)) return false;
  const auto features = pair_features_of(config.pair_features);
  return std::any_of(features.begin(), features.end(), [](const auto* entry) { return entry->uses_anchors; });
}

Experiment::Experiment(const Dataset& dataset, RunConfig config, const Context& context,
                       const ExperimentOptions& options)
    : dataset_(dataset),
      config_(std::move(config)),
      context_(context),
      task_(parse_task(config_.task)),
      validation_only_(options.validation_only),
      progress_(options.progress) {
  const auto start = std::chrono::steady_clock::now();
  prepare(options);
  if (progress_) progress_({.what = "", .done = 1, .total = 1});
  prepare_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Reports the start of a step of the preparation.
void Experiment::report_step(std::string_view step) const {
  if (progress_) progress_({.what = step});
}

void Experiment::prepare(const ExperimentOptions& options) {
  if (config_.memory_budget > 0) context_.memory_budget = budget_bytes(config_.memory_budget);
  const ContextScope scope(context_);
  check_features(dataset_);
  const bool trains = options.purpose == Purpose::kTraining || options.purpose == Purpose::kRefit;
  infers_only_ = options.purpose == Purpose::kOtherGraph || options.message_graph != nullptr;
  if (infers_only_) {
    message_graph_ = options.message_graph != nullptr ? options.message_graph : &dataset_.data.graph;
    ensure(message_graph_->num_nodes() == dataset_.data.graph.num_nodes(), "a message graph on the nodes of the data");
  } else {
    report_step("splitting the data");
    split();
    if (config_.refit && options.purpose != Purpose::kTraining) join_training_and_validation();
  }
  if (trains) hide_edges();
  if (uses_anchors(config_)) {
    report_step("selecting anchors");
    choose_anchors(options.anchors);
  }
  if (!config_.fusion.experts.empty()) make_experts(options);
  const std::int64_t own_classes = task_ == Task::kNodeClassification ? dataset_.data.labels.num_classes() : 0;
  report_step("building the model input");
  make_model(options.classes.value_or(own_classes));
  if (trains && task_ == Task::kNodeClassification) fit_to_classes();
  describe_pairs();
  if (trains) gather_pairs();
  if (!infers_only_) objective_ = make_objective(description_ ? &*description_ : nullptr);
  move_to_device(tensors(), context_.device);
  if (infers_only_) {
    threads_ = threads_for(message_graph_->num_arcs() + message_graph_->num_nodes(), config_.shape.hidden);
    return;
  }
  TrainerOptions training = config_.training;
  training.fixed_epochs = options.epochs;
  trainer_ = std::make_unique<Trainer>(*model_, *objective_, training, context_);
  if (trains) objective_->check_selection();
  if (trains) TrainingMemory::reject_too_large(*model_, *objective_, context_);
  std::int64_t positives =
      hidden_ ? std::ssize(hidden_->parts.front()) : (pairs_ ? std::ssize(pairs_->train_positives()) : 0);
  if (config_.epoch_pairs > 0) positives = std::min(positives, config_.epoch_pairs);
  for (const auto& expert : experts_) threads_ = std::max(threads_, expert->threads_);
  if (!experts_.empty()) return;
  threads_ =
      threads_for(message_graph_->num_arcs() + message_graph_->num_nodes() + 2 * positives, config_.shape.hidden);
}

void Experiment::make_model(std::int64_t classes) {
  Experts experts{.models = {}, .frozen = config_.fusion.training == ExpertTraining::kFrozen};
  for (const auto& expert : experts_) experts.models.push_back(expert->model_.get());
  model_ = gir::make_model(config_.model,
                           {.graph = *message_graph_,
                            .features = dataset_.data.features,
                            .anchors = anchors_.anchors,
                            .classes = classes,
                            .seed = model_seed(config_),
                            .training_graphs = training_graphs(),
                            .experts = experts,
                            .distance_search = distance_search(context_)},
                           config_.shape);
}

void Experiment::choose_anchors(const std::optional<AnchorLists>& anchors) {
  if (anchors) {
    ensure(anchors->size() == 1, "one list of anchors");
    anchors_.anchors = anchors->front();
    return;
  }
  const std::int64_t count = config_.anchors > 0 ? config_.anchors : automatic_anchor_count(*message_graph_);
  anchors_ = select_anchors(*message_graph_, {.count = count,
                                              .strategy = config_.strategy,
                                              .fill = config_.fill,
                                              .seed = config_.seed,
                                              .file = config_.anchor_file});
}

void Experiment::make_experts(const ExperimentOptions& options) {
  const std::vector<ExpertSpec>& specs = config_.fusion.experts;
  ensure(!options.anchors || options.anchors->size() == specs.size(), "one list of anchors per expert");
  for (std::size_t i = 0; i < specs.size(); ++i) {
    RunConfig config = expert_config(config_, specs[i]);
    const std::filesystem::path folder = expert_folder(config_.fusion, i);
    ExperimentOptions own{
        .purpose = options.purpose, .validation_only = options.validation_only, .progress = progress_};
    if (options.purpose == Purpose::kTraining && !folder.empty()) {
      const RunDirectory run = open_expert_run(folder, specs[i], config_, dataset_);
      if (uses_anchors(config)) own.anchors = AnchorLists{read_anchors(run.anchors(), *message_graph_)};
      experts_.push_back(std::make_unique<Experiment>(dataset_, std::move(config), context_, own));
      load_model(run, *experts_.back());
      continue;
    }
    if (options.anchors) own.anchors = AnchorLists{(*options.anchors)[i]};
    try {
      experts_.push_back(std::make_unique<Experiment>(dataset_, std::move(config), context_, own));
    } catch (const UserError& error) {
      throw UserError("expert {}: {}", specs[i].text(), error.what());
    }
  }
  anchors_ = all_anchors(experts_, message_graph_->num_nodes());
}

AnchorLists Experiment::anchor_lists() const {
  if (refit_) return refit_->anchor_lists();
  if (experts_.empty()) return {anchors_.anchors};
  AnchorLists lists;
  for (const auto& expert : experts_) lists.push_back(expert->anchors_.anchors);
  return lists;
}

/// The features of pairs, and the decoder that reads them.
void Experiment::describe_pairs() {
  if (task_ == Task::kNodeClassification) return;
  if (!config_.pair_features.empty()) report_step("preparing pair features");
  const GraphViews graphs{.graph = *message_graph_, .training = training_graphs()};
  description_.emplace(
      config_.pair_features,
      PairInputs{.graphs = graphs, .anchors = anchors_.anchors, .distance_search = distance_search(context_)});
  decoder_ = make_decoder(config_.decoder, {.width = model_->output_width(),
                                            .members = config_.shape.members,
                                            .features = description_->width(),
                                            .dropout = config_.decoder_dropout,
                                            .seed = config_.seed});
}

std::unique_ptr<Objective> Experiment::make_objective(const PairDescription* description) const {
  const bool fuses = !experts_.empty();
  std::optional<PairTask> pairs;
  if (pairs_) {
    pairs.emplace(PairTask{.split = *pairs_,
                           .decoder = *decoder_,
                           .description = *description,
                           .hidden = hidden_ ? &*hidden_ : nullptr,
                           .pool = pool_ ? &*pool_ : nullptr,
                           .epoch_pairs = config_.epoch_pairs,
                           .seed = config_.seed,
                           .device = context_.device,
                           .select_by = config_.select_by});
  }
  return gir::make_objective(
      objective_entry(config_.objective, task_, fuses).name,
      {.task = task_,
       .labels = &dataset_.data.labels,
       .nodes = &nodes_,
       .options = {.nodes = {.class_weights = config_.class_weights, .select_by = config_.select_by},
                   .weight_regularisation = config_.fusion.weight_regularisation,
                   .expert_losses = config_.fusion.expert_losses,
                   .experts = std::ssize(experts_)},
       .pairs = std::move(pairs)},
      fuses);
}

void Experiment::fit_to_classes() {
  std::vector<std::int32_t> classes;
  for (const NodeId node : nodes_.train) classes.push_back(dataset_.data.labels.classes[node]);
  model_->fit(nodes_.train, classes);
}

/// Training pairs with their features, and what the decoder takes from them before the first epoch.
void Experiment::gather_pairs() {
  if (!description_ || description_->width() == 0) return;
  report_step("computing pair features");
  pool_.emplace(*pairs_, hidden_ ? &*hidden_ : nullptr, *description_, config_.seed,
                [&] { report_step("computing pair features"); });
  report_step("fitting the decoder");
  decoder_->fit(pool_->features(), pool_->targets());
}

}  // namespace gir
