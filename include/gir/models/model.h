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

/// Normalisation of a hidden layer, before its ReLU.
enum class Norm { kNone, kBatch, kLayer };

template <>
struct EnumNames<Norm> {
  static constexpr std::string_view kKind = "norm";
  static constexpr auto kAll =
      enum_names<Norm>({{Norm::kNone, "none"}, {Norm::kBatch, "batch"}, {Norm::kLayer, "layer"}});
};

/// Positional features that are appended to the given features.
enum class Positions {
  kNone,
  kAnchors,  ///< distances from the anchors: position_features()
};

template <>
struct EnumNames<Positions> {
  static constexpr std::string_view kKind = "positions";
  static constexpr auto kAll = enum_names<Positions>({{Positions::kNone, "none"}, {Positions::kAnchors, "anchors"}});
};

/// The gating network of a fused model.
struct GateOptions {
  std::int64_t hidden = 64;    ///< hidden size of the gate
  bool probabilities = false;  ///< its input are the class probabilities of the experts instead of their logits
};

struct GIR_API ModelOptions {
  std::int64_t layers = 3;
  std::int64_t hidden = 32;
  std::int64_t anchor_sets = 8;  ///< gir-mix: K in the paper
  MessageFunction message = MessageFunction::kMean;
  std::int64_t attention_heads = 1;  ///< for message function `attention`
  bool weighted = false;             ///< weight messages by edge weights
  double dropout = 0;                ///< dropout rate after every hidden ReLU
  double input_dropout = 0;          ///< dropout rate of the given features
  Norm norm = Norm::kNone;
  bool settle_norms = false;   ///< batch norm: re-estimate the running statistics at every evaluation
  bool residual = false;       ///< residual connections around layers after the first, where widths agree
  bool residual_maps = false;  ///< with `residual`: linear projection shortcuts around the other layers
  bool jump = false;           ///< jumping knowledge: the output layer reads the concatenated outputs of all layers
  bool structural = false;     ///< append structural_features() to the given features
  Positions positions = Positions::kNone;
  std::int64_t position_size = 32;  ///< channels of position_features()
  bool normalise = false;           ///< L2-normalise the embeddings
  bool forest = false;              ///< with classes and without given features: average the class probabilities with
                                    ///< those of a random forest on structural_features()
  std::int64_t members = 1;         ///< independently initialised copies of the model whose predictions are averaged
  Initial initial = Initial::kUniform;
  GateOptions gate = {};  ///< fused models only
};

class Model;

/// The experts of a fused model.
struct GIR_API Experts {
  std::vector<Model*> models = {};  ///< for the same nodes and classes
  bool frozen = true;               ///< not trained any further: their outputs are computed once and cached
};

/// The data a model is built for. All references must outlive the model.
struct GIR_API ModelInputs {
  const Graph& graph;                           ///< message graph; distances are computed on it, too
  const Features& features;                     ///< one row per node
  std::span<const NodeId> anchors;              ///< in the order of their selection
  std::int64_t classes = 0;                     ///< number of logits per node; 0: the model outputs embeddings
  std::uint64_t seed = 0;                       ///< of weight initialisation, dropout and random anchor sets
  std::span<const Graph> training_graphs = {};  ///< alternative message graphs for training: ForwardOptions::view
  Experts experts = {};                         ///< fused models only
  DistanceSearch distance_search = {};          ///< computes distances on a device, for models that need them

  GraphViews views() const { return {.graph = graph, .training = training_graphs}; }
};

/// Options of one forward pass.
struct GIR_API ForwardOptions {
  bool training = false;  ///< use dropout, batch statistics and newly sampled anchor sets
  std::uint64_t epoch = 0;
  bool recomputing = false;  ///< second computation of a checkpointed segment: running statistics are not updated again
  bool recalibrate_norms = false;  ///< evaluation only, with ModelOptions::settle_norms: set the running statistics of
                                   ///< batch norms to those of this pass
  std::int64_t view = 0;           ///< index of the message graph in ModelInputs::views()

  /// Called with the result of every layer, for benchmarks; implemented by models that are stacks of message layers.
  std::function<void(const at::Tensor& result)> layer_observer = {};
};

struct GIR_API ModelOutput {
  at::Tensor embeddings;  ///< [nodes, width]: input of the output layer; without classes the outputs themselves
  at::Tensor outputs;     ///< logits [nodes, classes]; without classes the embeddings
  std::vector<at::Tensor> members = {};  ///< ensembles in training: the logits of each member, [nodes, classes]
  std::vector<at::Tensor> experts = {};  ///< fused models: the logits of each expert, [nodes, classes]
  at::Tensor gate = {};                  ///< fused models: weights of the experts, [nodes, experts]; rows sum to 1
};

/// Computes an embedding or logits for every node. Bit-identical on any number of threads.
class GIR_API Model {
 public:
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  virtual ModelOutput forward(const ForwardOptions& options) = 0;

  /// Fits what is not trained by gradients to the training nodes of nc, before the first epoch.
  virtual void fit(std::span<const NodeId> /*nodes*/, std::span<const std::int32_t> /*classes*/) {}

  /// Number of columns of ModelOutput::outputs.
  virtual std::int64_t output_width() const = 0;

  /// Whether the input has one-hot labels of all nodes, which distinguish nodes that the graph does not distinguish.
  virtual bool labels_all_nodes() const { return false; }

  /// Whether every training pass launches the same kernels whatever its epoch, so that it can be captured as a CUDA
  /// graph and replayed.
  virtual bool repeats() const { return false; }

  /// Number of hidden layers that may form one segment of activation checkpointing; 0 if the model does not support it.
  virtual std::int64_t longest_segment() const { return 0; }

  /// Turns activation checkpointing on, with segments of `segment` hidden layers (0: off, all activations are stored).
  /// Results stay bit-identical; training needs less memory and more time.
  virtual void checkpoint_activations(std::int64_t /*segment*/) {}

  /// Estimated peak memory of activations and their gradients in a training pass, in bytes, with checkpointed segments
  /// of `segment` hidden layers; 0 if unknown.
  virtual std::int64_t activation_bytes(std::int64_t /*segment*/) const { return 0; }

  Parameters& parameters() { return parameters_; }
  const Parameters& parameters() const { return parameters_; }

 protected:
  Model(std::uint64_t seed, Initial initial) : parameters_(seed, initial), seed_(seed) {}
  std::uint64_t seed() const { return seed_; }

 private:
  Parameters parameters_;
  std::uint64_t seed_;
};

/// A registered model type. Models register themselves; adding one takes one source file.
struct GIR_API ModelEntry {
  static constexpr std::string_view kKind = "model";

  std::string name;
  std::string summary;
  bool uses_anchors = true;
  bool uses_anchor_sets = false;  ///< ModelOptions::anchor_sets
  bool frontier = false;          ///< messages start at the anchors and travel one hop per layer
  bool inductive = false;         ///< a model trained on one graph can be applied to another
  bool fuses = false;             ///< combines experts: ModelInputs::experts
  bool along_edges = true;  ///< messages travel along edges: ModelOptions::message, attention_heads and weighted apply
  std::map<std::string, std::string> settings =
      {};  ///< training settings by name that define the model and override the recipe
  std::unique_ptr<Model> (*make)(const ModelInputs& inputs, const ModelOptions& options) = nullptr;

  /// Further settings that depend on the graph, such as its size.
  std::map<std::string, std::string> (*settings_on)(const Graph& graph) = nullptr;
};

/// Creates a registered model. UserError for unknown names and for options that the model does not support.
GIR_API std::unique_ptr<Model> make_model(std::string_view name, const ModelInputs& inputs,
                                          const ModelOptions& options);

}  // namespace gir
