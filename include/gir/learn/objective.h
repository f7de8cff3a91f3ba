#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
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
#include "gir/models/model.h"
#include "gir/pairs/pair_features.h"

namespace gir {

/// Metrics of one part of the data, fractions in [0, 1]; the first is the one that decides.
struct GIR_API Metrics {
  std::vector<std::pair<std::string, double>> values;
  double loss = 0;  ///< mean cross entropy where main() is 1: decides between metrics that can rise no more; else 0

  double main() const { return values.front().second; }
};

enum class Part { kValid, kTest };

/// What is learnt from a model's outputs and how that is judged.
class GIR_API Objective {
 public:
  virtual ~Objective() = default;
  Objective(const Objective&) = delete;
  Objective& operator=(const Objective&) = delete;

  /// Name of the figure that decides: "accuracy" or "roc_auc".
  virtual std::string metric() const = 0;

  /// Which of the model's graphs an epoch's loss is about.
  virtual std::int64_t view(std::uint64_t) const { return 0; }

  /// The training loss, a scalar with gradients.
  virtual at::Tensor loss(const ModelOutput& output, const ForwardOptions& options) = 0;

  /// Whether every loss after the first asks a device for the same steps, whatever the epoch, so that they can be
  /// recorded.
  virtual bool repeats() const { return false; }

  /// NaN, and no other figure, where the outputs are not all finite numbers.
  virtual Metrics evaluate(const ModelOutput& output, Part part) const = 0;

  /// About how much memory the loss of an epoch takes.
  virtual std::int64_t loss_bytes() const = 0;

  /// Trained beside the model's.
  virtual std::vector<NamedTensor> parameters() const { return {}; }

 protected:
  Objective() = default;
};

struct GIR_API NodeObjectiveOptions {
  bool class_weights = false;  ///< rare classes count more: every class counts the same in the loss
};

/// Node classification: cross entropy on the training nodes, judged by accuracy (also macro-F1). `labels` and `split`
/// must outlive it. UserError for a class that no training node has, where classes are weighted.
GIR_API std::unique_ptr<Objective> node_objective(const Labels& labels, const NodeSplit& split,
                                                  const NodeObjectiveOptions& options = {});

struct GIR_API FusionObjectiveOptions {
  NodeObjectiveOptions nodes = {};
  double weight_regularisation = 0;  ///< FWR: how much the gate is held to the experts' losses; at least 0
  bool expert_losses = false;        ///< every expert's own loss is added to the fused one's
};

/// Node classification by a fused model. FWR adds, averaged over the training nodes, the squared distance between the
/// gate's weights and softmax over experts of minus their losses. Metrics have also the experts' complementarity ("ec",
/// and "ec_1" and so on for each expert) and their own accuracies. `labels` and `split` must outlive it. UserError for
/// a class that no training node has: no expert could know it.
GIR_API std::unique_ptr<Objective> fusion_objective(const Labels& labels, const NodeSplit& split,
                                                    const FusionObjectiveOptions& options);

/// What a pair objective works with. Everything must outlive it.
struct GIR_API PairTask {
  const PairSplit& split;
  const PairDecoder& decoder;
  const PairDescription& description;   ///< features of pairs; maybe none
  const HiddenEdges* hidden = nullptr;  ///< ask about one part an epoch, whose edges messages do not see
  std::int64_t epoch_pairs = 0;         ///< positives that an epoch draws of its own; 0: it asks about all of them
  std::uint64_t seed = 0;
  Device device = {};  ///< that computes: it may draw negatives itself
};

/// Pairs: binary cross entropy with logits on the training positives (with hidden edges: those of one part, all parts
/// once a round in random order; or some of them that every epoch draws) and as many negatives, drawn anew for every
/// epoch; judged by ROC AUC (also average precision, Hits@K and the mean reciprocal rank).
GIR_API std::unique_ptr<Objective> pair_objective(const PairTask& task);

/// What an objective is made for. Everything it refers to must outlive the objective.
struct GIR_API ObjectiveInputs {
  Task task = Task::kNodeClassification;
  const Labels* labels = nullptr;                ///< of nc
  const NodeSplit* nodes = nullptr;              ///< of nc
  const PairSplit* pairs = nullptr;              ///< of lp and npc, as what follows
  const HiddenEdges* hidden = nullptr;           ///< where training edges are hidden
  const PairDescription* description = nullptr;  ///< features of pairs
  const PairDecoder* decoder = nullptr;
  FusionObjectiveOptions options = {};
  std::int64_t epoch_pairs = 0;
  std::uint64_t seed = 0;
  Device device = {};
};

/// A kind of objective. Objectives register themselves; adding one is one file.
struct GIR_API ObjectiveEntry {
  static constexpr std::string_view kKind = "objective";

  std::string name;
  std::string summary;
  std::vector<Task> tasks;  ///< that it is for
  bool fuses = false;       ///< it is for fused models
  std::unique_ptr<Objective> (*make)(const ObjectiveInputs& inputs) = nullptr;
};

/// The objective that a task has unless another one is asked for: "nodes", "pairs" or, for fused models, "fusion".
GIR_API std::string_view default_objective(Task task, bool fuses);

/// Makes a registered objective. UserError for unknown names and for objectives of other tasks.
GIR_API std::unique_ptr<Objective> make_objective(std::string_view name, const ObjectiveInputs& inputs, bool fuses);

/// What a description says about pairs, float [pairs, width].
GIR_API at::Tensor features_of(std::span<const NodePair> pairs, const PairDescription& description, std::int64_t view);

/// Pairs to be scored with what is known about them, as seen in a view.
GIR_API PairBatch make_batch(std::span<const NodePair> pairs, std::int64_t nodes, const PairDescription& description,
                             std::int64_t view = 0);

/// The most probable class of each of `nodes`.
GIR_API std::vector<std::int32_t> predicted_classes(const at::Tensor& outputs, std::span<const NodeId> nodes);

}  // namespace gir
