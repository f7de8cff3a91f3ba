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
  kLinear,  ///< linear decay to 0
  kCosine,  ///< cosine decay to 0
  kHold,    ///< constant for the first half of the epochs, then linear decay to 0
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
  std::int64_t evaluate_every = 10;  ///< epochs between evaluations on the validation set; the last epoch is always
                                     ///< evaluated
  std::int64_t patience = 0;         ///< early stopping: evaluations without improvement; 0: no early stopping
  std::string optimizer = "adam";
  double learning_rate = 0.01;
  double weight_decay = 1e-5;
  Schedule schedule = Schedule::kConstant;
  double clip = 0;                ///< gradient clipping norm (of all gradients together); 0: no clipping
  std::int64_t fixed_epochs = 0;  ///< at least 1: train so many epochs (at most `epochs`, whose schedule applies)
                                  ///< without validation and keep the last parameters
  bool record = true;  ///< captures small epochs as CUDA graphs where possible: faster, bit-identical. A NaN or
                       ///< infinite loss is then detected only after its step.
};

/// Passed to the observer after every epoch.
struct GIR_API EpochReport {
  std::string_view stage = {};  ///< "expert 1 of 2, gcn-3" while an expert of a fused model is trained; else empty
  std::int64_t epoch = 0;       ///< from 1
  std::int64_t epochs = 0;      ///< maximum
  double loss = 0;
  bool repeated = false;           ///< the epoch was a replay of a captured CUDA graph
  const Metrics* valid = nullptr;  ///< validation metrics if the epoch was evaluated, else null
  std::int64_t best_epoch = 0;     ///< so far; 0: no evaluation yet
  double best_valid = 0;           ///< main validation metric of that epoch
  bool last = false;               ///< training ends after this epoch
};

struct GIR_API TrainOutcome {
  std::int64_t epochs = 0;      ///< completed
  std::int64_t best_epoch = 0;  ///< whose parameters the model has now; 0: no epoch was evaluated, it has the last ones
  bool interrupted = false;     ///< the observer threw Interrupted
  std::int64_t bad_epoch = 0;   ///< the first epoch with NaN or infinite loss or outputs; 0: none
};

/// Full-batch training that selects the epoch with the best validation metric, or with the lowest validation loss where
/// the objective says so. Of equal evaluations the first one wins, except that evaluations with a perfect metric are
/// ordered by their validation loss.
class GIR_API Trainer {
 public:
  /// Called after every epoch. Throwing Interrupted stops the training, which ends with the best model so far.
  using Observer = std::function<void(const EpochReport&)>;

  /// Model and objective must outlive the trainer; their tensors are on the device of the context.
  Trainer(Model& model, Objective& objective, const TrainerOptions& options, const Context& context = {});

  /// Trains the remaining epochs. Afterwards model and decoder have the parameters of the best epoch.
  TrainOutcome run(const Observer& observer = {});

  /// Number of completed epochs.
  std::int64_t epochs_done() const;

  /// The state for checkpoints, everything that the remaining epochs depend on: current and best parameters, the state
  /// of the optimiser and counters. The tensors share memory with the trainer: save them between epochs, or load values
  /// into them before run().
  std::vector<NamedTensor> state() const;

 private:
  /// A captured CUDA graph belongs to the thread and the stream of one run(), and is released at its end.
  struct RecordingScope {
    Trainer& trainer;
    ~RecordingScope() { trainer.release_recording(); }
  };

  double train_epoch(std::int64_t epoch);
  double replay_epoch(std::int64_t epoch, const ForwardOptions& forward);
  at::Tensor fresh_loss(const ForwardOptions& forward);
  void capture_when_due(const ForwardOptions& forward);
  bool can_capture() const;
  void release_recording();
  void evaluate(EpochReport& report);
  bool is_better(const Metrics& metrics) const;
  bool out_of_patience() const;
  bool has_validation() const { return options_.fixed_epochs == 0; }
  std::int64_t last_epoch() const;
  void recalibrate_norms();
  void keep_best();
  void restore_best();
  double learning_rate(std::int64_t epoch) const;

  Model& model_;
  Objective& objective_;
  TrainerOptions options_;
  Context context_;
  std::vector<NamedTensor> tensors_;  ///< parameters and buffers of model and objective
  std::vector<at::Tensor> best_;      ///< their values in the best epoch
  std::unique_ptr<Optimizer> optimizer_;
  at::Tensor counters_;         ///< int64: epochs done, best epoch, evaluations since
  at::Tensor best_evaluation_;  ///< double: the best validation metric and its loss
  Metrics metrics_;
  std::optional<bool> captures_;          ///< whether epochs can be captured; unset before the warm-up epochs are over
  int warmup_epochs_ = 0;                 ///< epochs that were launched kernel by kernel
  std::unique_ptr<Recording> recording_;  ///< the captured epoch
  at::Tensor recorded_loss_;
};

}  // namespace gir
