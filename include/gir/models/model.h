#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gir/anchors/distances.h"
#include "gir/core/enum_names.h"
#include "gir/core/export.h"
#include "gir/core/registry.h"
#include "gir/core/types.h"
#include "gir/graph/attributes.h"
#include "gir/graph/graph.h"
#include "gir/graph/graph_views.h"
#include "gir/nn/messages.h"
#include "gir/nn/parameters.h"

namespace gir {

/// What stands between a hidden layer's sums and its ReLU.
enum class Norm { kNone, kBatch, kLayer };

template <>
struct EnumNames<Norm> {
  static constexpr std::string_view kKind = "norm";
  static constexpr auto kAll =
      enum_names<Norm>({{Norm::kNone, "none"}, {Norm::kBatch, "batch"}, {Norm::kLayer, "layer"}});
};

/// What weighs the experts of a fused model.
struct GateOptions {
  std::int64_t hidden = 64;    ///< width of its hidden layer
  bool probabilities = false;  ///< it reads how likely the experts take each class, not their outputs
};

struct GIR_API ModelOptions {
  std::int64_t layers = 3;
  std::int64_t hidden = 32;
  std::int64_t anchor_sets = 8;  ///< gir-mix: K
  MessageFunction message = MessageFunction::kMean;
  std::int64_t attention_heads = 1;  ///< of the message function `attention`
  bool weighted = false;             ///< weigh messages by the edges' weights
  double dropout = 0;                ///< after every hidden ReLU
  double input_dropout = 0;          ///< of the given features
  Norm norm = Norm::kNone;
  bool settle_norms = false;   ///< batch norm takes its running figures anew when asked to: ForwardOptions::settle
  bool residual = false;       ///< layers after the first add to what they are given, where widths agree
  bool residual_maps = false;  ///< with `residual`: the others add to a linear map of it
  bool jump = false;           ///< a linear map reads off all layers' outputs side by side, not the last one's
  bool structural = false;     ///< inputs have structural_features() beside the given ones
  bool normalise = false;      ///< embeddings have length 1
  Initial initial = Initial::kUniform;
  GateOptions gate = {};  ///< of fused models
};

class Model;

/// What a fused model decides by.
struct GIR_API Experts {
  std::vector<Model*> models = {};  ///< of the same nodes and classes
  bool frozen = true;               ///< they do not change any more: their outputs are computed once and kept
};

/// What a model is made for. Everything it refers to must outlive the model.
struct GIR_API ModelInputs {
  const Graph& graph;                           ///< all that messages and distances may see
  const Features& features;                     ///< of its nodes
  std::span<const NodeId> anchors;              ///< in the order in which they were chosen
  std::int64_t classes = 0;                     ///< outputs a node; 0: the embeddings are what is wanted
  std::uint64_t seed = 0;                       ///< of initial values and whatever the model draws
  std::span<const Graph> training_graphs = {};  ///< other views of the graph: ForwardOptions::view
  Experts experts = {};                         ///< of fused models
  DistanceSearch distance_search = {};          ///< finds distances on a device, where a model needs them

  GraphViews views() const { return {.graph = graph, .training = training_graphs}; }
};

/// How a model runs.
struct GIR_API ForwardOptions {
  bool training = false;  ///< dropout, batch statistics and fresh draws
  std::uint64_t epoch = 0;
  bool again = false;     ///< the same pass a second time: what it leaves behind is there already
  bool settle = false;    ///< not in training: norms that settle take the figures of this pass, and keep them
  std::int64_t view = 0;  ///< which of its graphs the model sees: ModelInputs::views()

  /// Called with every layer's result, for those who measure; stacks of layers that pass messages do.
  std::function<void(const at::Tensor& result)> watch = {};
};

struct GIR_API ModelOutput {
  at::Tensor embeddings;  ///< [nodes, width]: what the outputs are read off, or with no classes the outputs
  at::Tensor outputs;     ///< [nodes, classes], or the embeddings
  std::vector<at::Tensor> experts = {};  ///< fused models: each expert's outputs, [nodes, classes]
  at::Tensor gate = {};                  ///< fused models: the experts' weights, [nodes, experts], rows add up to 1
};

/// Something that makes a vector of every node. The same bits on any number of threads.
class GIR_API Model {
 public:
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  virtual ModelOutput forward(const ForwardOptions& options) = 0;

  /// Columns of its outputs.
  virtual std::int64_t output_width() const = 0;

  /// Whether every training pass asks a device for the same steps, whatever its epoch, so that they can be recorded.
  virtual bool repeats() const { return false; }

  /// Hidden layers that a training pass may compute twice instead of keeping what comes out of them.
  virtual std::int64_t longest_stretch() const { return 0; }

  /// From now on training does so, so many layers at a time (0: it keeps all). The same bits, less memory, more time.
  virtual void compute_twice(std::int64_t /*stretch*/) {}

  /// About how much memory a training pass takes at its peak beside parameters, where it computes stretches of so many
  /// layers twice; 0 where the model cannot say.
  virtual std::int64_t activation_bytes(std::int64_t /*stretch*/) const { return 0; }

  Parameters& parameters() { return parameters_; }
  const Parameters& parameters() const { return parameters_; }

 protected:
  Model(std::uint64_t seed, Initial initial) : parameters_(seed, initial), seed_(seed) {}
  std::uint64_t seed() const { return seed_; }

 private:
  Parameters parameters_;
  std::uint64_t seed_;
};

/// A kind of model. Models register themselves; adding one is one file.
struct GIR_API ModelEntry {
  static constexpr std::string_view kKind = "model";

  std::string name;
  std::string summary;
  bool uses_anchors = true;
  bool frontier = false;                             ///< messages leave the anchors, a hop a layer
  bool inductive = false;                            ///< trained on one graph, it can be used on another
  bool fuses = false;                                ///< decides by experts: ModelInputs::experts
  std::map<std::string, std::string> settings = {};  ///< of training, by name, that are part of it whatever the recipe
  std::unique_ptr<Model> (*make)(const ModelInputs& inputs, const ModelOptions& options) = nullptr;
};

/// Makes a registered model. UserError for unknown names and options that make no sense for it.
GIR_API std::unique_ptr<Model> make_model(std::string_view name, const ModelInputs& inputs,
                                          const ModelOptions& options);

}  // namespace gir
