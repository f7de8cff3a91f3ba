#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/context.h"
#include "gir/core/enum_names.h"
#include "gir/core/export.h"
#include "gir/learn/objective.h"
#include "gir/learn/optimizer.h"
#include "gir/models/model.h"
#include "gir/nn/recording.h"

namespace gir {

/// Learning rate schedule.
enum class Schedule {
  kConstant,
  kLinear,  ///< down to 0
  kCosine,  ///< down to 0 along half a cosine
  kHold,    ///< constant for the first half of the epochs, then linear down to 0
};

template <>
struct EnumNames<Schedule> {
  static constexpr std::string_view kKind = "schedule";
  static constexpr auto kAll = enum_names<Schedule>({{Schedule::kConstant, "constant"},
                                                     {Schedule::kLinear, "linear"},
                                                     {Schedule::kCosine, "cosine"},
                                                     {Schedule::kHold, "hold"}});
};

struct TrainerOptions {
  std::int64_t epochs = 600;
  std::int64_t evaluate_every = 10;  ///< epochs between looks at the validation data; the last epoch always counts
  std::int64_t patience = 0;         ///< looks that are no better before training stops; 0: never stop early
  std::string optimizer = "adam";
  double learning_rate = 0.01;
  double weight_decay = 1e-5;
  Schedule schedule = Schedule::kConstant;
  double clip = 0;     ///< gradient clipping: largest L2 norm of all gradients together; 0: no clipping
  bool record = true;  ///< devices that can capture small epochs (CUDA graphs) do: the same bits, sooner. A loss that
                       ///< is not a number is then noticed after its step.
};

/// What there is to tell after an epoch.
struct GIR_API EpochReport {
  std::string_view stage = {};  ///< "expert 1 of 2, gcn-3" where it is a part of something larger
  std::int64_t epoch = 0;       ///< from 1
  std::int64_t epochs = 0;      ///< at most
  double loss = 0;
  bool repeated = false;           ///< a device knew already what the epoch was
  const Metrics* valid = nullptr;  ///< where the epoch was judged
  std::int64_t best_epoch = 0;     ///< so far; 0: none
  double best_valid = 0;
};

struct GIR_API TrainOutcome {
  std::int64_t epochs = 0;      ///< that were run
  std::int64_t best_epoch = 0;  ///< whose parameters the model has now; 0: it was never judged
  bool interrupted = false;     ///< the observer threw Interrupted
  std::int64_t bad_epoch = 0;   ///< the first whose loss or outputs were not numbers; 0: none
};

/// Full-batch training with selection by the validation figure: the first of the best looks counts, and of perfect ones
/// that with the lowest validation loss.
class GIR_API Trainer {
 public:
  /// Called after every epoch. To stop, throw Interrupted: training ends with the best model so far.
  using Observer = std::function<void(const EpochReport&)>;

  /// Model and objective must outlive it; their tensors are on the context's device.
  Trainer(Model& model, Objective& objective, const TrainerOptions& options, const Context& context = {});

  /// Trains to the end from wherever it is. Afterwards model and decoder have the parameters of the best epoch.
  TrainOutcome run(const Observer& observer = {});

  /// Epochs behind it.
  std::int64_t epochs_done() const;

  /// Everything that the rest of the training depends on: parameters, the best ones, the optimiser's memory and
  /// counters. The same memory, not copies: write them out between epochs, or read values into them before run().
  std::vector<NamedTensor> state() const;

 private:
  /// What was recorded belongs to the thread and the queue of one run().
  struct Forget {
    Trainer& trainer;
    ~Forget() { trainer.forget_recording(); }
  };

  double train_epoch(std::int64_t epoch);
  double repeat_epoch(std::int64_t epoch, const ForwardOptions& forward);
  at::Tensor fresh_loss(const ForwardOptions& forward);
  void record_when_due(const ForwardOptions& forward);
  bool can_record() const;
  void forget_recording();
  void evaluate(EpochReport& report);
  bool is_better(const Metrics& metrics) const;
  bool out_of_patience() const;
  void keep_best();
  void restore_best();
  double learning_rate(std::int64_t epoch) const;

  Model& model_;
  Objective& objective_;
  TrainerOptions options_;
  Context context_;
  std::vector<NamedTensor> tensors_;  ///< of model and objective
  std::vector<at::Tensor> best_;      ///< copies of them
  std::unique_ptr<Optimizer> optimizer_;
  at::Tensor counters_;   ///< int64: epochs done, best epoch, looks since
  at::Tensor best_look_;  ///< double: the best validation figure and the loss that came with it
  Metrics metrics_;
  std::optional<bool> records_;           ///< whether it can; not known before it is time to
  int warm_epochs_ = 0;                   ///< that were asked for step by step
  std::unique_ptr<Recording> recording_;  ///< of an epoch
  at::Tensor recorded_loss_;
};

}  // namespace gir
