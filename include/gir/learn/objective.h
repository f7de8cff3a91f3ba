#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gir/core/context.h"
#include "gir/core/export.h"
#include "gir/core/registry.h"
#include "gir/data/hidden_edges.h"
#include "gir/data/split.h"
#include "gir/data/task.h"
#include "gir/graph/attributes.h"
#include "gir/learn/decoder.h"
#include "gir/learn/pair_pool.h"
#include "gir/models/model.h"
#include "gir/pairs/pair_features.h"

namespace gir {

/// Metrics on the validation or the test set, fractions in [0, 1]. The first one is the main metric, which selects the
/// best epoch unless the loss does.
struct GIR_API Metrics {
  std::vector<std::pair<std::string, double>> values;
  double loss = 0;                  ///< mean cross entropy if has_loss(), else 0
  std::int64_t ranked_classes = 0;  ///< that macro_auc and macro_ap are means over, if these are among the values
  bool by_loss = false;             ///< the epoch with the lowest loss is the best one

  /// NaN where there is nothing to evaluate.
  double main() const { return values.empty() ? std::numeric_limits<double>::quiet_NaN() : values.front().second; }

  /// Whether the loss matters: it selects the epoch, or orders evaluations with a perfect metric.
  bool has_loss() const { return by_loss || main() == 1; }

  /// Makes a metric the main one. InternalError if it is not among the values.
  void put_first(std::string_view name);
};

/// The value of `select-by` for the lowest validation loss, which every task has.
constexpr std::string_view kSelectByLoss = "loss";

/// The data that a model is evaluated on.
enum class EvaluationSet { kValid, kTest };

/// The training loss of a task, and its evaluation.
class GIR_API Objective {
 public:
  virtual ~Objective() = default;
  Objective(const Objective&) = delete;
  Objective& operator=(const Objective&) = delete;

  /// Name of the main metric: "accuracy" or "roc_auc" unless another one selects the epoch.
  virtual std::string metric() const = 0;

  /// The view, that is which of the model's message graphs, that the loss of an epoch is computed on; see
  /// ForwardOptions::view.
  virtual std::int64_t view(std::uint64_t) const { return 0; }

  /// The training loss, a scalar with gradients.
  virtual at::Tensor loss(const ModelOutput& output, const ForwardOptions& options) = 0;

  /// Whether the loss launches the same kernels in every epoch after the first, so that a CUDA graph of it can be
  /// captured and replayed.
  virtual bool repeats() const { return false; }

  /// Evaluates on one of the sets. The only metric is NaN if some output is not finite.
  virtual Metrics evaluate(const ModelOutput& output, EvaluationSet set) const = 0;

  /// The same with metrics that take too long to be computed at every evaluation during training.
  virtual Metrics evaluate_all(const ModelOutput& output, EvaluationSet set) const { return evaluate(output, set); }

  /// UserError if the main metric cannot distinguish models on the validation set, so that it selects no epoch.
  virtual void check_selection() const {}

  /// Approximate memory in bytes that the loss of an epoch needs.
  virtual std::int64_t loss_bytes() const = 0;

  /// Parameters that are trained in addition to those of the model.
  virtual std::vector<NamedTensor> parameters() const { return {}; }

 protected:
  Objective() = default;
};

struct GIR_API NodeObjectiveOptions {
  bool class_weights = false;  ///< weights nodes inversely to the frequency of their class, so that all classes
                               ///< contribute equally to the loss
  std::string select_by = {};  ///< selection_metric(): the main metric, or the loss; empty: accuracy
};

/// Node classification: cross entropy on the training nodes. Metrics are accuracy, macro-F1, balanced accuracy and, in
/// evaluate_all(), macro AUC and macro average precision. `labels` and `split` must outlive it. UserError for a class
/// without training nodes if classes are weighted.
GIR_API std::unique_ptr<Objective> node_objective(const Labels& labels, const NodeSplit& split,
                                                  const NodeObjectiveOptions& options = {});

struct GIR_API FusionObjectiveOptions {
  NodeObjectiveOptions nodes = {};
  double weight_regularisation = 0;  ///< FWR, at least 0: pulls the gate weights towards the experts with the smaller
                                     ///< losses
  bool expert_losses = false;        ///< adds the loss of every expert to the loss of the fused model
  std::int64_t experts = 2;          ///< their number, for loss_bytes()
};

/// Node classification by a fused model. FWR adds, averaged over the training nodes, the squared distance between the
/// gate weights and the softmax over experts of their negative losses. The metrics also contain the complementarity of
/// the experts ("ec", and "ec_1" and so on for each expert) and their accuracies. `labels` and `split` must outlive it.
/// UserError for a class without training nodes: no expert could learn it.
GIR_API std::unique_ptr<Objective> fusion_objective(const Labels& labels, const NodeSplit& split,
                                                    const FusionObjectiveOptions& options);

/// Inputs of a pair objective. Everything must outlive it.
struct GIR_API PairTask {
  const PairSplit& split;
  const PairDecoder& decoder;
  const PairDescription& description;   ///< features of pairs; may have width 0
  const HiddenEdges* hidden = nullptr;  ///< supervision edges in parts: an epoch trains on one part, whose edges are
                                        ///< removed from the message graph
  const PairPool* pool = nullptr;       ///< training pairs with their features; needed where pairs have features
  std::int64_t epoch_pairs = 0;         ///< positives sampled per epoch; 0: every epoch uses all
  std::uint64_t seed = 0;
  Device device = {};          ///< that computes; a GPU samples the negatives itself where it can
  std::string select_by = {};  ///< selection_metric(): the main metric, or the loss; empty: ROC AUC
};

/// Pairs: binary cross entropy with logits on the training positives and as many negative samples, which are resampled
/// in every epoch. With hidden edges an epoch uses the positives of one part, and every part is used once per round, in
/// random order. Metrics are ROC AUC, average precision, Hits@K and the mean reciprocal rank.
GIR_API std::unique_ptr<Objective> pair_objective(const PairTask& task);

/// Inputs of an objective; each uses those of its task. Everything must outlive the objective.
struct GIR_API ObjectiveInputs {
  Task task = Task::kNodeClassification;
  const Labels* labels = nullptr;       ///< of nc
  const NodeSplit* nodes = nullptr;     ///< of nc
  FusionObjectiveOptions options = {};  ///< of nc
  std::optional<PairTask> pairs = {};   ///< of lp and npc
};

/// A registry entry for an objective. Objectives register themselves; adding one takes one file.
struct GIR_API ObjectiveEntry {
  static constexpr std::string_view kKind = "objective";

  std::string name;
  std::string summary;
  std::vector<Task> tasks;                ///< that it supports
  bool fuses = false;                     ///< for fused models
  bool is_default = false;                ///< of its tasks
  std::vector<std::string> metrics = {};  ///< that can select the epoch, the default first; empty: only the default
  std::unique_ptr<Objective> (*make)(const ObjectiveInputs& inputs) = nullptr;
};

/// The entry of the objective `name`, or of the default one of the task if that is empty.
GIR_API const ObjectiveEntry& objective_entry(std::string_view name, Task task, bool fuses);

/// The metric of an objective that the user calls `name`: "auc" is short for the one that ends in "_auc". Empty for the
/// default metric. UserError that lists the metrics for anything else.
GIR_API std::string selection_metric(const ObjectiveEntry& objective, const std::string& name);

/// Constructs a registered objective. UserError for unknown names and for tasks that the objective does not support.
GIR_API std::unique_ptr<Objective> make_objective(std::string_view name, const ObjectiveInputs& inputs, bool fuses);

/// A batch of pairs to score, with their features in view 0.
GIR_API PairBatch make_batch(std::span<const NodePair> pairs, std::int64_t nodes, const PairDescription& description);

/// The most probable class of each of `nodes`.
GIR_API std::vector<std::int32_t> predicted_classes(const at::Tensor& outputs, std::span<const NodeId> nodes);

}  // namespace gir
