#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "first_messages.h"
#include "gir/anchors/frontiers.h"
#include "gir/models/model.h"
#include "gir/nn/messages.h"
#include "gir/nn/node_input.h"
#include "hidden_activation.h"

namespace gir {

/// Input and message edges for one message graph.
struct StackView {
  NodeInput input;
  std::vector<FrontierPlan> plans = {};  ///< per branch; empty: no messages (an MLP)
};

/// The differences between the models of this family.
struct StackDesign {
  std::function<StackView(const Graph& graph)> view;  ///< all views have the same width and number of plans
  bool self_weights = true;  ///< separate weights for a node's own vector (GCN: it is one of the messages)
  bool head = false;         ///< logits come from an additional linear layer instead of the last message layer
};

/// A stack of message-passing layers over frontiers: gir and its variants, gcn, sage and mlp. Every layer has one
/// branch per plan (several for gir-mix only); all branches read the whole vector, and their outputs are concatenated.
class MessageStack : public Model {
 public:
  MessageStack(const ModelInputs& inputs, const ModelOptions& options, const StackDesign& design);

  ModelOutput forward(const ForwardOptions& options) override;
  bool labels_all_nodes() const override { return views_.front().input.has_one_hot_of_all(); }
  bool repeats() const override { return true; }
  std::int64_t output_width() const override { return output_width_; }
  std::int64_t longest_segment() const override { return options_.jump ? 0 : std::ssize(activations_); }
  void checkpoint_activations(std::int64_t segment) override { segment_ = std::min(segment, longest_segment()); }
  std::int64_t activation_bytes(std::int64_t segment) const override;

 private:
  struct Branch {
    at::Tensor self;      ///< undefined for GCN, except for projection shortcuts
    at::Tensor messages;  ///< undefined without messages
    at::Tensor bias;
    at::Tensor sender_scores;  ///< attention only
    at::Tensor receiver_scores;
    std::vector<Messages> edges;            ///< per view; empty without messages
    std::vector<FirstMessages> first = {};  ///< per view, in the first layer if messages are linear
  };
  using Layer = std::vector<Branch>;

  Layer make_layer(std::int64_t number, std::int64_t in, std::int64_t out);
  Branch make_branch(const std::string& name, std::int64_t number, std::size_t set, std::int64_t in, std::int64_t out);

  at::Tensor run_first(const Branch& branch, std::size_t view, bool training) const;
  at::Tensor run(const Branch& branch, const at::Tensor& h, std::size_t view) const;
  at::Tensor run_hidden(std::size_t first, std::size_t last, at::Tensor h, const ForwardOptions& options) const;
  at::Tensor run_layer(std::size_t number, const at::Tensor& h, std::size_t view, bool training) const;

  ModelOptions options_;
  bool self_weights_;
  std::vector<StackView> views_;
  std::vector<InputDropout> input_dropouts_;  ///< per view
  std::vector<Layer> layers_;
  std::vector<HiddenActivation>
      activations_;                     ///< after all layers except the last; after the last, too, if a head follows
  at::Tensor head_weight_, head_bias_;  ///< output layer, if there is one (StackDesign::head, jumping knowledge)
  bool has_classes_;
  std::int64_t output_width_;
  std::int64_t segment_ = 0;  ///< hidden layers per checkpointed segment; 0: no activation checkpointing
};

/// The features (a constant if there are none), with ModelOptions::structural and ::positions those
/// of the graph.
NodeInput plain_input(const ModelInputs& inputs, const ModelOptions& options, const Graph& graph);

/// Features and one-hot labels of the anchors.
NodeInput anchor_labelled_input(const ModelInputs& inputs, const ModelOptions& options, const Graph& graph);

/// Features and one-hot labels of all nodes.
NodeInput node_labelled_input(const ModelInputs& inputs, const ModelOptions& options, const Graph& graph);

using InputFunction = NodeInput (*)(const ModelInputs& inputs, const ModelOptions& options, const Graph& graph);

/// GIR: frontiers start at ModelInputs::anchors.
std::unique_ptr<Model> make_gir_model(const ModelInputs& inputs, const ModelOptions& options, InputFunction input);

/// GCN: every node sends to all neighbours and to itself.
std::unique_ptr<Model> make_gcn_model(const ModelInputs& inputs, const ModelOptions& options, InputFunction input);

/// ModelEntry::make for one of the two with an input.
template <auto MakeModel, InputFunction kInput>
std::unique_ptr<Model> make_stack(const ModelInputs& inputs, const ModelOptions& options) {
  return MakeModel(inputs, options, kInput);
}

}  // namespace gir
