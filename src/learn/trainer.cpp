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
enum Best : std::int64_t { kBestFigure, kBestLoss, kNumBest };

/// What a recording needs is on the device after the first epoch; the second one finds it there.
constexpr int kWarmEpochs = 2;

/// What hand-made options of a trainer must keep to. Those of a run were checked when they were set.
bool are_valid(const TrainerOptions& options) {
  return options.epochs >= 1 && options.evaluate_every >= 1 && options.patience >= 0 && options.learning_rate > 0 &&
         options.weight_decay >= 0 && options.clip >= 0;
}

}  // namespace

Trainer::Trainer(Model& model, Objective& objective, const TrainerOptions& options, const Context& context)
    : model_(model), objective_(objective), options_(options), context_(context) {
  ensure(are_valid(options), "options of a trainer within their bounds");
  std::vector<NamedTensor> trained = model.parameters().trained();
  for (const NamedTensor& each : objective.parameters()) trained.push_back(each);
  tensors_ = trained;
  for (const NamedTensor& each : model.parameters().buffers()) tensors_.push_back(each);
  for (const NamedTensor& each : tensors_) best_.push_back(each.tensor.detach().clone());
  optimizer_ =
      Registry<OptimizerEntry>::get(options.optimizer).make(std::move(trained), {.weight_decay = options.weight_decay});
  counters_ = at::zeros({kNumCounters}, at::kLong);
  best_look_ = at::full({kNumBest}, -1.0, at::kDouble);
}

std::int64_t Trainer::epochs_done() const { return counters_.data_ptr<std::int64_t>()[kDone]; }

std::vector<NamedTensor> Trainer::state() const {
  std::vector<NamedTensor> all = {{"counters", counters_}, {"best-look", best_look_}};
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
  throw InternalError("a schedule of the learning rate");
}

double Trainer::train_epoch(std::int64_t epoch) {
  const auto number = static_cast<std::uint64_t>(epoch);
  const ForwardOptions forward{.training = true, .epoch = number, .view = objective_.view(number)};
  record_when_due(forward);
  if (recording_ != nullptr) return repeat_epoch(epoch, forward);
  const at::Tensor loss = fresh_loss(forward);
  const PendingNumber pending(loss);  // a GPU is told of the way back before anybody waits, and so never idle
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

/// A device that will not record, for want of memory, say, is asked step by step as before.
void Trainer::record_when_due(const ForwardOptions& forward) {
  if (recording_ != nullptr) return;
  if (warm_epochs_ < kWarmEpochs) {
    ++warm_epochs_;
    return;
  }
  if (!records_) records_ = can_record();
  if (!*records_) return;
  try {
    const StepNumbers numbers = optimizer_->step_numbers(options_.learning_rate, 1);  // as many as repetitions bring
    recording_ = Recording::of(context_.device, forward.epoch, numbers, [&](const at::Tensor& step) {
      const at::Tensor loss = fresh_loss(forward);
      loss.backward();
      optimizer_->apply(step);
      recorded_loss_ = loss.detach();
    });
  } catch (const c10::Error&) {
    records_ = false;
  } catch (const std::bad_alloc&) {
    records_ = false;
  }
}

void Trainer::forget_recording() {
  recording_.reset();
  recorded_loss_.reset();
  records_.reset();
  warm_epochs_ = 0;
}

double Trainer::repeat_epoch(std::int64_t epoch, const ForwardOptions& forward) {
  recording_->replay(forward.epoch, optimizer_->next_step(learning_rate(epoch)));
  return static_cast<double>(PendingNumber(recorded_loss_).wait());
}

/// Gradients that are clipped are looked at first. A recording keeps the memory of an epoch, and large epochs do not
/// wait to be asked for.
bool Trainer::can_record() const {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 28;
  return options_.record && options_.clip == 0 && Recording::is_possible(context_.device) && model_.repeats() &&
         objective_.repeats() && memory_need(model_, objective_).total() <= kMostBytes;
}

void Trainer::evaluate(EpochReport& report) {
  const at::NoGradGuard no_gradients;
  auto* counters = counters_.data_ptr<std::int64_t>();
  const ForwardOptions forward{.epoch = static_cast<std::uint64_t>(report.epoch), .settle = true};
  metrics_ = objective_.evaluate(model_.forward(forward), Part::kValid);
  report.valid = &metrics_;
  if (std::isnan(metrics_.main())) return;
  if (is_better(metrics_)) {
    best_look_.data_ptr<double>()[kBestFigure] = metrics_.main();
    best_look_.data_ptr<double>()[kBestLoss] = metrics_.loss;
    counters[kBestEpoch] = report.epoch;
    counters[kStale] = 0;
    keep_best();
  } else {
    ++counters[kStale];
  }
}

/// A figure of 1 says nothing about how sure the model is; among those the loss does.
bool Trainer::is_better(const Metrics& metrics) const {
  const double* best = best_look_.data_ptr<double>();
  if (metrics.main() < 1 || best[kBestFigure] < 1) return metrics.main() > best[kBestFigure];
  return metrics.loss < best[kBestLoss];
}

bool Trainer::out_of_patience() const {
  return options_.patience > 0 && counters_.data_ptr<std::int64_t>()[kStale] >= options_.patience;
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
  const Forget forget{*this};
  auto* counters = counters_.data_ptr<std::int64_t>();
  TrainOutcome outcome;
  try {
    while (!out_of_patience() && counters[kDone] < options_.epochs) {
      EpochReport report{.epoch = counters[kDone] + 1, .epochs = options_.epochs};
      report.loss = train_epoch(report.epoch);
      report.repeated = recording_ != nullptr;
      const bool is_due = report.epoch % options_.evaluate_every == 0 || report.epoch == options_.epochs;
      if (std::isfinite(report.loss) && is_due) evaluate(report);
      if (!std::isfinite(report.loss) || (is_due && std::isnan(metrics_.main()))) {
        outcome.bad_epoch = report.epoch;
        break;
      }
      counters[kDone] = report.epoch;
      report.best_epoch = counters[kBestEpoch];
      report.best_valid = best_look_.data_ptr<double>()[kBestFigure];
      if (observer) observer(report);
    }
  } catch (const Interrupted&) {
    outcome.interrupted = true;
  }
  optimizer_->clear_gradients();
  outcome.epochs = counters[kDone];
  outcome.best_epoch = counters[kBestEpoch];
  if (outcome.best_epoch > 0) restore_best();
  return outcome;
}

}  // namespace gir
