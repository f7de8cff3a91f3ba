// What an experiment does once it is prepared: forward passes, other message graphs, training, evaluation.

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include <chrono>
#include <optional>

#include "gir/core/error.h"
#include "gir/learn/memory_budget.h"
#include "gir/nn/device.h"
#include "gir/runs/experiment.h"
#include "gir/runs/expert_specs.h"
#include "run_warnings.h"

namespace gir {

std::vector<NamedTensor> Experiment::tensors() const {
  if (refit_) return refit_->tensors();
  std::vector<NamedTensor> all = model_->parameters().all();
  if (decoder_) {
    for (const NamedTensor& each : decoder_->parameters().all()) all.push_back(each);
  }
  return all;
}

ModelOutput Experiment::forward() {
  if (refit_) return refit_->forward();
  const at::NoGradGuard no_gradients;
  const ContextScope scope(context_);
  const ThreadLimit limit(threads_);
  // With `settle-norms`, running statistics belong to the graph that the model is evaluated on.
  return model_->forward({.recalibrate_norms = infers_only_ && task_ == Task::kLinkPrediction});
}

std::unique_ptr<Experiment> Experiment::with_messages(const Graph& graph) const {
  if (refit_) return refit_->with_messages(graph);
  auto other = std::make_unique<Experiment>(
      dataset_, config_, context_,
      ExperimentOptions{.purpose = Purpose::kUse, .anchors = anchor_lists(), .message_graph = &graph});
  const at::NoGradGuard no_gradients;
  const std::vector<NamedTensor> from = tensors();
  const std::vector<NamedTensor> to = other->tensors();
  ensure(from.size() == to.size(), "the same parameters on every graph");
  for (std::size_t i = 0; i < from.size(); ++i) {
    ensure(from[i].name == to[i].name, "the same parameters on every graph");
    to[i].tensor.copy_(from[i].tensor);
  }
  return other;
}

std::unique_ptr<Experiment> Experiment::with_messages(MessageEdges edges) const {
  if (refit_) return refit_->with_messages(edges);
  ensure(task_ == Task::kLinkPrediction && pairs_.has_value(), "a split of edges");
  if (edges == MessageEdges::kAll) return with_messages(dataset_.data.graph);
  auto graph = std::make_unique<const Graph>(edges == MessageEdges::kKnown ? pairs_->known_graph(dataset_.data.graph)
                                                                           : message_graph_->clone());
  auto other = with_messages(*graph);
  other->own_message_graph_ = std::move(graph);
  return other;
}

std::unique_ptr<Experiment> Experiment::with_test_messages() const {
  if (refit_) return refit_->with_test_messages();
  const bool more_is_known = task_ == Task::kLinkPrediction && has_validation();
  if (config_.messages == MessageEdges::kTrain || !more_is_known) return nullptr;
  auto tested = with_messages(MessageEdges::kKnown);
  check_for_leaks(*pairs_, tested->message_graph(), EvaluationSet::kTest, config_.messages);
  return tested;
}

/// The metrics of the test set; `output` is that of messages along the training edges.
Metrics Experiment::evaluate_test(const ModelOutput& output) {
  if (pairs_ ? pairs_->test().positives.empty() : nodes_.test.empty()) return {};
  const std::unique_ptr<Experiment> tested = with_test_messages();
  if (!tested) return objective_->evaluate_all(output, EvaluationSet::kTest);
  return make_objective(&tested->pair_description())->evaluate_all(tested->forward(), EvaluationSet::kTest);
}

RunResult Experiment::evaluate() { return last().evaluate(/*with_test=*/true); }

RunResult Experiment::evaluate(bool with_test) {
  const at::NoGradGuard no_gradients;
  const ContextScope scope(context_);
  const ModelOutput output = forward();
  std::int64_t parameters = decoder_ ? decoder_->parameters().num_values() : 0;
  std::vector<std::string> experts;
  for (const ExpertSpec& spec : config_.fusion.experts) experts.push_back(spec.text());
  if (config_.fusion.training == ExpertTraining::kFrozen) {
    for (const auto& expert : experts_) parameters += expert->model_->parameters().num_values();
  }
  return {.dataset = dataset_.name,
          .task = task_,
          .model = config_.model,
          .metric = objective_->metric(),
          .valid = has_validation() ? objective_->evaluate_all(output, EvaluationSet::kValid) : Metrics{},
          .test = with_test && !validation_only_ ? evaluate_test(output) : Metrics{},
          .seed = config_.seed,
          .split = config_.split,
          .split_fingerprint = split_fingerprint_,
          .messages = task_ == Task::kLinkPrediction ? std::string(name_of(config_.messages)) : "",
          .refit = !has_validation(),
          .parameters = parameters + model_->parameters().num_values(),
          .anchors = std::ssize(anchors_.anchors),
          .device = context_.mark(),
          .experts = std::move(experts),
          .select_by = config_.select_by};
}

void Experiment::train_experts(const Trainer::Observer& observer, const ExpertTrainer& train_expert) {
  if (config_.fusion.training == ExpertTraining::kJoint) return;
  for (std::size_t i = 0; i < experts_.size(); ++i) {
    if (!expert_folder(config_.fusion, i).empty()) continue;  // a finished run
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

RunResult Experiment::run(const Trainer::Observer& observer, const ExpertTrainer& train_expert,
                          const RefitObserver& before_refit) {
  const ContextScope scope(context_);
  RunResult result = fit(observer, train_expert);
  if (validation_only_) return result;
  std::optional<ValidatedClasses> validated;
  if (config_.refit && !result.interrupted) {
    validated = validated_classes(*this, task_, forward());
    result = refit(std::move(result), observer, before_refit);
  }
  const ModelOutput output = forward();
  if (!validated) validated = validated_classes(*this, task_, output);
  result.reach = measure_reach(last(), output.embeddings);
  if (task_ == Task::kLinkPrediction) {
    std::optional<Graph> known;
    if (config_.messages != MessageEdges::kTrain || result.refit) known = pairs_->known_graph(dataset_.data.graph);
    result.baselines = link_baselines(*pairs_, *message_graph_, known ? *known : *message_graph_);
  }
  result.warnings = run_warnings(*this, dataset_, *validated, result);
  return result;
}

/// The last training of a run with `refit`. What only the training before it needed is freed first.
RunResult Experiment::refit(RunResult chosen, const Trainer::Observer& observer, const RefitObserver& before_refit) {
  const auto start = std::chrono::steady_clock::now();
  trainer_.reset();
  objective_.reset();
  decoder_.reset();
  description_.reset();
  pool_.reset();
  model_.reset();
  hidden_.reset();
  refit_ = std::make_unique<Experiment>(
      dataset_, config_, context_,
      ExperimentOptions{.purpose = Purpose::kRefit, .epochs = chosen.best_epoch, .progress = progress_});
  if (before_refit) before_refit(*refit_);
  const auto watch = [&](const EpochReport& report) {
    EpochReport staged = report;
    staged.stage = kRefitStage;
    if (observer) observer(staged);
  };
  const RunResult trained = refit_->fit(watch, {});
  if (trained.interrupted) throw Interrupted();
  chosen.test = trained.test;
  chosen.anchors = trained.anchors;
  chosen.parameters = trained.parameters;
  chosen.refit = true;
  chosen.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return chosen;
}

RunResult Experiment::fit(const Trainer::Observer& observer, const ExpertTrainer& train_expert) {
  const auto start = std::chrono::steady_clock::now();
  const ContextScope scope(context_);
  if (trainer_->epochs_done() == 0) train_experts(observer, train_expert);
  const TrainOutcome outcome = [&] {
    std::optional<TrainingMemory> memory;
    if (trainer_->epochs_done() < config_.training.epochs) {
      memory.emplace(*model_, *objective_, context_);
    }
    const ThreadLimit limit(threads_);
    return trainer_->run(observer);
  }();
  if (outcome.bad_epoch > 0 && !has_validation()) {
    throw UserError(
        "the loss became NaN or infinite in epoch {} of the last training [omit `refit`, lower `lr` or set `clip`]",
        outcome.bad_epoch);
  }
  if (outcome.bad_epoch > 0 && outcome.best_epoch == 0) {
    throw UserError(
        "the loss became NaN or infinite in epoch {}, before the first evaluation [lower `lr` or set `clip`]",
        outcome.bad_epoch);
  }
  // The test set is evaluated once: with `refit`, after the last training.
  const bool refit_follows = config_.refit && has_validation() && !outcome.interrupted;
  RunResult result = evaluate(/*with_test=*/!refit_follows);
  result.best_epoch = outcome.best_epoch;
  result.epochs = outcome.epochs;
  result.interrupted = outcome.interrupted;
  result.bad_epoch = outcome.bad_epoch;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.prepare_seconds = prepare_seconds_;
  return result;
}

}  // namespace gir
