#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gir/anchors/frontiers.h"
#include "gir/models/model.h"
#include "gir/nn/messages.h"
#include "gir/nn/node_input.h"
#include "hidden_activation.h"

namespace gir {

/// What makes one model of the family differ from another.
struct StackDesign {
  NodeInput input;
  std::vector<FrontierPlan> plans = {};  ///< one a set of anchors; none: no messages at all
  bool self_weights = true;  ///< a node's own vector has weights of its own (GCN: it is one of the messages)
  bool head = false;         ///< classes are read off the last layer by a linear map instead of being it
};

/// Layers that pass messages along frontiers: gir and its variants, gcn, sage and mlp. Every layer has a branch for
/// each plan; all branches see the whole vector, and their outputs stand side by side.
class MessageStack : public Model {
 public:
  MessageStack(const ModelContext& context, const ModelOptions& options, StackDesign design);

  ModelOutput forward(const ForwardOptions& options) override;
  std::int64_t output_width() const override { return output_width_; }

 private:
  struct Branch {
    at::Tensor self;      ///< undefined for GCN
    at::Tensor messages;  ///< undefined without messages
    at::Tensor bias;
    at::Tensor sender_scores;  ///< attention only
    at::Tensor receiver_scores;
    std::optional<Messages> edges;
  };
  using Layer = std::vector<Branch>;

  Layer make_layer(std::int64_t number, std::int64_t in, std::int64_t out);
  Branch make_branch(const std::string& name, std::int64_t number, std::size_t set, std::int64_t in, std::int64_t out);

  at::Tensor run_first(const Branch& branch) const;
  at::Tensor run(const Branch& branch, const at::Tensor& h) const;

  ModelOptions options_;
  StackDesign design_;
  std::vector<Layer> layers_;
  std::vector<HiddenActivation> activations_;  ///< after all layers but the last; after that too where a head follows
  at::Tensor head_weight_, head_bias_;         ///< where the design has a head and there are classes
  bool has_classes_;
  std::int64_t output_width_;
};

/// The features (a constant where there are none).
NodeInput plain_input(const ModelContext& context);

/// Features and a one-hot label of the anchors.
NodeInput anchor_labelled_input(const ModelContext& context);

/// Features and a one-hot label of every node.
NodeInput node_labelled_input(const ModelContext& context);

/// GIR on `input`: frontiers that start at the context's anchors.
std::unique_ptr<Model> make_gir_model(const ModelContext& context, const ModelOptions& options, NodeInput input);

/// GCN on `input`: everybody sends to all neighbours and to itself.
std::unique_ptr<Model> make_gcn_model(const ModelContext& context, const ModelOptions& options, NodeInput input);

}  // namespace gir
