#include "gir/learn/trainer.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <numbers>

#include "gir/core/error.h"
#include "gir/learn/memory_budget.h"
#include "gir/nn/device.h"

namespace gir {
namespace {

enum Counter : std::int64_t { kDone, kBestEpoch, kStale, kNumCounters };
enum Best : std::int64_t { kBestMetric, kBestLoss, kNumBest };

/// The first epoch allocates everything that lives on the device; the second one runs as all later ones do.
constexpr int kWarmupEpochs = 2;

/// Options of a run are checked when they are set, with messages for the user. This guards options that C++ callers
/// construct directly.
bool are_valid(const TrainerOptions& options) {
  return options.epochs >= 1 && options.evaluate_every >= 1 && options.patience >= 0 && options.fixed_epochs >= 0 &&
         options.learning_rate > 0 && options.weight_decay >= 0 && options.clip >= 0;
}

}  // namespace

Trainer::Trainer(Model& model, Objective& objective, const TrainerOptions& options, const Context& context)
    : model_(model), objective_(objective), options_(options), context_(context) {
  ensure(are_valid(options), "trainer options within their bounds");
  std::vector<NamedTensor> trained = model.parameters().trained();
  for (const NamedTensor& each : objective.parameters()) trained.push_back(each);
  tensors_ = trained;
  for (const NamedTensor& each : model.parameters().buffers()) tensors_.push_back(each);
  for (const NamedTensor& each : tensors_) best_.push_back(each.tensor.detach().clone());
  optimizer_ =
      Registry<OptimizerEntry>::get(options.optimizer).make(std::move(trained), {.weight_decay = options.weight_decay});
  counters_ = at::zeros({kNumCounters}, at::kLong);
  best_evaluation_ = at::full({kNumBest}, -1.0, at::kDouble);
}

std::int64_t Trainer::epochs_done() const { return counters_.data_ptr<std::int64_t>()[kDone]; }

std::vector<NamedTensor> Trainer::state() const {
  std::vector<NamedTensor> all = {{"counters", counters_}, {"best-evaluation", best_evaluation_}};
  for (const NamedTensor& each : optimizer_->state()) all.push_back({"optimizer/" + each.name, each.tensor});
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    all.push_back({"now/" + tensors_[i].name, tensors_[i].tensor.detach()});
    all.push_back({"best/" + tensors_[i].name, best_[i]});
  }
  return all;
}

double Trainer::learning_rate(std::int64_t epoch) const {
  const double passed = static_cast<double>(epoch - 1) / static_cast<double>(options_.epochs);
  switch (options_.schedule) {
    case Schedule::kConstant:
      return options_.learning_rate;
    case Schedule::kLinear:
      return options_.learning_rate * (1 - passed);
    case Schedule::kCosine:
      return options_.learning_rate * 0.5 * (1 + std::cos(std::numbers::pi * passed));
    case Schedule::kHold:
      return options_.learning_rate * std::min(1.0, 2 * (1 - passed));
  }
  throw InternalError("unknown learning rate schedule");
}

double Trainer::train_epoch(std::int64_t epoch) {
  const auto number = static_cast<std::uint64_t>(epoch);
  const ForwardOptions forward{.training = true, .epoch = number, .view = objective_.view(number)};
  capture_when_due(forward);
  if (recording_ != nullptr) return replay_epoch(epoch, forward);
  const at::Tensor loss = fresh_loss(forward);
  // The copy of the loss is only waited for after the backward pass has been launched, so that the GPU is never idle.
  const PendingNumber pending(loss);
  loss.backward();
  const auto value = static_cast<double>(pending.wait());
  if (!std::isfinite(value)) return value;
  if (options_.clip > 0) optimizer_->clip_gradients(options_.clip);
  optimizer_->step(learning_rate(epoch));
  return value;
}

at::Tensor Trainer::fresh_loss(const ForwardOptions& forward) {
  optimizer_->clear_gradients();
  return objective_.loss(model_.forward(forward), forward);
}

/// If the capture fails, for lack of memory for instance, kernels are launched one by one as before.
void Trainer::capture_when_due(const ForwardOptions& forward) {
  if (recording_ != nullptr) return;
  if (warmup_epochs_ < kWarmupEpochs) {
    ++warmup_epochs_;
    return;
  }
  if (!captures_) captures_ = can_capture();
  if (!*captures_) return;
  try {
    // Only their count matters here: every replay overwrites the values.
    const StepNumbers numbers = optimizer_->step_numbers(options_.learning_rate, 1);
    recording_ = Recording::of(context_.device, forward.epoch, numbers, [&](const at::Tensor& step) {
      const at::Tensor loss = fresh_loss(forward);
      loss.backward();
      optimizer_->apply(step);
      recorded_loss_ = loss.detach();
    });
  } catch (const c10::Error&) {
    captures_ = false;
  } catch (const std::bad_alloc&) {
    captures_ = false;
  }
}

void Trainer::release_recording() {
  recording_.reset();
  recorded_loss_.reset();
  captures_.reset();
  warmup_epochs_ = 0;
}

double Trainer::replay_epoch(std::int64_t epoch, const ForwardOptions& forward) {
  recording_->replay(forward.epoch, optimizer_->next_step(learning_rate(epoch)));
  return static_cast<double>(PendingNumber(recorded_loss_).wait());
}

/// Gradient clipping reads the norm on the CPU, which a CUDA graph cannot. A capture holds the memory of an epoch, and
/// large epochs gain nothing from it: their kernels take longer than launching them.
bool Trainer::can_capture() const {
  constexpr std::int64_t kMaxBytes = std::int64_t{1} << 28;
  return options_.record && options_.clip == 0 && Recording::is_possible(context_.device) && model_.repeats() &&
         objective_.repeats() && memory_need(model_, objective_).total() <= kMaxBytes;
}

void Trainer::evaluate(EpochReport& report) {
  const at::NoGradGuard no_gradients;
  auto* counters = counters_.data_ptr<std::int64_t>();
  const ForwardOptions forward{.epoch = static_cast<std::uint64_t>(report.epoch), .recalibrate_norms = true};
  metrics_ = objective_.evaluate(model_.forward(forward), EvaluationSet::kValid);
  report.valid = &metrics_;
  if (std::isnan(metrics_.main())) return;
  if (is_better(metrics_)) {
    best_evaluation_.data_ptr<double>()[kBestMetric] = metrics_.main();
    best_evaluation_.data_ptr<double>()[kBestLoss] = metrics_.loss;
    counters[kBestEpoch] = report.epoch;
    counters[kStale] = 0;
    keep_best();
  } else {
    ++counters[kStale];
  }
}

/// A metric of 1 cannot improve any more although the model still can, so the loss decides between perfect evaluations.
bool Trainer::is_better(const Metrics& metrics) const {
  if (counters_.data_ptr<std::int64_t>()[kBestEpoch] == 0) return true;
  const double* best = best_evaluation_.data_ptr<double>();
  const bool both_perfect = metrics.main() == 1 && best[kBestMetric] == 1;
  if (metrics.by_loss || both_perfect) return metrics.loss < best[kBestLoss];
  return metrics.main() > best[kBestMetric];
}

bool Trainer::out_of_patience() const {
  return options_.patience > 0 && counters_.data_ptr<std::int64_t>()[kStale] >= options_.patience;
}

std::int64_t Trainer::last_epoch() const {
  return has_validation() ? options_.epochs : std::min(options_.epochs, options_.fixed_epochs);
}

/// What every evaluation does, where there are evaluations.
void Trainer::recalibrate_norms() {
  const at::NoGradGuard no_gradients;
  static_cast<void>(model_.forward({.epoch = static_cast<std::uint64_t>(last_epoch()), .recalibrate_norms = true}));
}

void Trainer::keep_best() {
  for (std::size_t i = 0; i < tensors_.size(); ++i) best_[i].copy_(tensors_[i].tensor.detach());
}

void Trainer::restore_best() {
  const at::NoGradGuard no_gradients;
  for (std::size_t i = 0; i < tensors_.size(); ++i) tensors_[i].tensor.copy_(best_[i]);
}

TrainOutcome Trainer::run(const Observer& observer) {
  const ContextScope scope(context_);
  const RecordingScope recording_scope{*this};
  auto* counters = counters_.data_ptr<std::int64_t>();
  TrainOutcome outcome;
  try {
    while (!out_of_patience() && counters[kDone] < last_epoch()) {
      EpochReport report{.epoch = counters[kDone] + 1, .epochs = last_epoch()};
      report.loss = train_epoch(report.epoch);
      report.repeated = recording_ != nullptr;
      const bool is_due =
          has_validation() && (report.epoch % options_.evaluate_every == 0 || report.epoch == options_.epochs);
      if (std::isfinite(report.loss) && is_due) evaluate(report);
      if (!std::isfinite(report.loss) || (is_due && std::isnan(metrics_.main()))) {
        outcome.bad_epoch = report.epoch;
        break;
      }
      counters[kDone] = report.epoch;
      report.best_epoch = counters[kBestEpoch];
      report.best_valid = best_evaluation_.data_ptr<double>()[kBestMetric];
      report.last = out_of_patience() || report.epoch == last_epoch();
      if (observer) observer(report);
    }
  } catch (const Interrupted&) {
    outcome.interrupted = true;
  }
  optimizer_->clear_gradients();
  outcome.epochs = counters[kDone];
  outcome.best_epoch = counters[kBestEpoch];
  if (outcome.best_epoch > 0) restore_best();
  if (!has_validation() && outcome.epochs == last_epoch()) recalibrate_norms();
  return outcome;
}

}  // namespace gir
