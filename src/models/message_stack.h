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

/// What a stack is given of one graph.
struct StackView {
  NodeInput input;
  std::vector<FrontierPlan> plans = {};  ///< one a branch; none: no messages at all
};

/// What makes one model of the family differ from another.
struct StackDesign {
  std::function<StackView(const Graph& graph)> view;  ///< equal widths and numbers of plans for all graphs
  bool self_weights = true;  ///< a node's own vector has weights of its own (GCN: it is one of the messages)
  bool head = false;         ///< classes are read off the last layer by a linear map instead of being it
};

/// Layers that pass messages along frontiers: gir and its variants, gcn, sage and mlp. Every layer has a branch for
/// each plan; all branches see the whole vector, and their outputs stand side by side.
class MessageStack : public Model {
 public:
  MessageStack(const ModelInputs& inputs, const ModelOptions& options, const StackDesign& design);

  ModelOutput forward(const ForwardOptions& options) override;
  bool repeats() const override { return true; }
  std::int64_t output_width() const override { return output_width_; }
  std::int64_t longest_stretch() const override { return options_.jump ? 0 : std::ssize(activations_); }
  void compute_twice(std::int64_t stretch) override { stretch_ = std::min(stretch, longest_stretch()); }
  std::int64_t activation_bytes(std::int64_t stretch) const override;

 private:
  struct Branch {
    at::Tensor self;      ///< undefined for GCN, but for residual maps
    at::Tensor messages;  ///< undefined without messages
    at::Tensor bias;
    at::Tensor sender_scores;  ///< attention only
    at::Tensor receiver_scores;
    std::vector<Messages> edges;            ///< one a view; none without messages
    std::vector<FirstMessages> first = {};  ///< one a view, in the first layer where messages are sums
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
  std::vector<InputDropout> input_dropouts_;  ///< one a view
  std::vector<Layer> layers_;
  std::vector<HiddenActivation> activations_;  ///< after all layers but the last; after that too where a head follows
  at::Tensor head_weight_, head_bias_;         ///< where the design or a jump asks for a head
  bool has_classes_;
  std::int64_t output_width_;
  std::int64_t stretch_ = 0;  ///< hidden layers that are computed twice at a time; 0: none
};

/// The features (a constant where there are none), and structural ones where the options ask for them.
NodeInput plain_input(const ModelInputs& inputs, const ModelOptions& options, const Graph& graph);

/// Features and a one-hot label of the anchors.
NodeInput anchor_labelled_input(const ModelInputs& inputs, const ModelOptions& options, const Graph& graph);

/// Features and a one-hot label of every node.
NodeInput node_labelled_input(const ModelInputs& inputs, const ModelOptions& options, const Graph& graph);

using InputFunction = NodeInput (*)(const ModelInputs& inputs, const ModelOptions& options, const Graph& graph);

/// GIR: frontiers that start at the inputs's anchors.
std::unique_ptr<Model> make_gir_model(const ModelInputs& inputs, const ModelOptions& options, InputFunction input);

/// GCN: everybody sends to all neighbours and to itself.
std::unique_ptr<Model> make_gcn_model(const ModelInputs& inputs, const ModelOptions& options, InputFunction input);

}  // namespace gir
