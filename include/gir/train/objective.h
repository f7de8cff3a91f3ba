#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gir/data/split.h"
#include "gir/graph/attributes.h"
#include "gir/models/model.h"
#include "gir/train/decoder.h"

namespace gir {

/// Figures of one part of the data, fractions in [0, 1]; the first is the one that decides.
struct Figures {
  std::vector<std::pair<std::string, double>> values;

  double main() const { return values.front().second; }
};

enum class Part { kValid, kTest };

/// What is learnt from a model's outputs and how that is judged.
class Objective {
 public:
  virtual ~Objective() = default;
  Objective(const Objective&) = delete;
  Objective& operator=(const Objective&) = delete;

  /// Name of the figure that decides: "accuracy" or "roc_auc".
  virtual std::string metric() const = 0;

  /// The training loss, a scalar with gradients.
  virtual at::Tensor loss(const ModelOutput& output, const ForwardOptions& options) = 0;

  /// NaN, and no other figure, where the outputs are not all finite numbers.
  virtual Figures judge(const ModelOutput& output, Part part) const = 0;

  /// Trained beside the model's.
  virtual std::vector<NamedTensor> parameters() const { return {}; }

 protected:
  Objective() = default;
};

struct NodeObjectiveOptions {
  bool class_weights = false;  ///< rare classes count more: every class counts the same in the loss
};

/// Node classification: cross entropy on the training nodes, judged by accuracy (also macro-F1). `labels` and `split`
/// must outlive it. UserError for a class that no training node has, where classes are weighted.
std::unique_ptr<Objective> node_objective(const Labels& labels, const NodeSplit& split,
                                          const NodeObjectiveOptions& options = {});

/// Pairs: binary cross entropy with logits on the training positives and as many negatives, drawn anew for every
/// epoch; judged by ROC AUC (also average precision, Hits@K and the mean reciprocal rank). `split` and `decoder` must
/// outlive it.
std::unique_ptr<Objective> pair_objective(const PairSplit& split, const PairDecoder& decoder, std::int64_t nodes,
                                          std::uint64_t seed);

/// The most probable class of each of `nodes`.
std::vector<std::int32_t> predicted_classes(const at::Tensor& outputs, std::span<const NodeId> nodes);

}  // namespace gir
