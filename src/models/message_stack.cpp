#include "message_stack.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include "gir/anchors/position_features.h"
#include "gir/core/error.h"
#include "gir/graph/structure.h"
#include "gir/nn/add_messages.h"
#include "gir/nn/frontier_linear.h"
#include "gir/nn/linear.h"
#include "gir/nn/norm.h"
#include "gir/nn/recompute.h"

namespace gir {
namespace {

at::Tensor pass_messages(const at::Tensor& base, const at::Tensor& q, const at::Tensor& sender_scores,
                         const at::Tensor& receiver_scores, const Messages& edges, MessageFunction function) {
  switch (function) {
    case MessageFunction::kMax:
      return add_max_messages(base, q, edges);
    case MessageFunction::kAttention:
      return add_attention_messages(base, q, sender_scores, receiver_scores, edges);
    default:
      return add_messages(base, q, edges);
  }
}

/// Number of columns whose weights are not initialised to zero: the fan-in of the initialisation.
std::int64_t num_active_columns(const NodeInput& input) {
  std::int64_t columns = 0;
  for (const NodeInput::Block& block : input.blocks()) columns += block.zero_initialised ? 0 : block.columns;
  return columns;
}

void zero_initialise(const NodeInput& input, const at::Tensor& weight) {
  const at::NoGradGuard no_gradients;
  for (const NodeInput::Block& block : input.blocks()) {
    if (block.zero_initialised) weight.narrow(0, block.first_column, block.columns).zero_();
  }
}

}  // namespace

MessageStack::MessageStack(const ModelInputs& inputs, const ModelOptions& options, const StackDesign& design)
    : Model(inputs.seed, options.initial),
      options_(options),
      self_weights_(design.self_weights),
      has_classes_(inputs.classes > 0),
      output_width_(has_classes_ ? inputs.classes : options.hidden) {
  const GraphViews graphs = inputs.views();
  for (std::int64_t view = 0; view < graphs.size(); ++view) views_.push_back(design.view(graphs[view]));
  for (const StackView& view : views_) input_dropouts_.emplace_back(view.input, options.input_dropout);
  const bool head = options.jump || (has_classes_ && design.head);
  std::int64_t width = views_.front().input.width();
  for (std::int64_t number = 0; number < options.layers; ++number) {
    const bool last = number + 1 == options.layers;
    const std::int64_t out = last && !head ? output_width_ : options.hidden;
    layers_.push_back(make_layer(number, width, out));
    if (!last || head) activations_.emplace_back(parameters(), number, out, options);
    width = out;
  }
  if (head) {
    if (options.jump) width *= options.layers;
    head_weight_ = parameters().weight("head.weight", width, output_width_);
    head_bias_ = parameters().bias("head.bias", output_width_, width);
  }
}

MessageStack::Layer MessageStack::make_layer(std::int64_t number, std::int64_t in, std::int64_t out) {
  Layer layer;
  const std::size_t sets = std::max<std::size_t>(1, views_.front().plans.size());
  for (std::size_t set = 0; set < sets; ++set) {
    const std::string name = sets == 1 ? fmt::format("layer{}", number) : fmt::format("layer{}.set{}", number, set);
    layer.push_back(make_branch(name, number, set, in, out / static_cast<std::int64_t>(sets)));
  }
  return layer;
}

MessageStack::Branch MessageStack::make_branch(const std::string& name, std::int64_t number, std::size_t set,
                                               std::int64_t in, std::int64_t out) {
  Branch branch;
  const NodeInput& input = views_.front().input;
  const std::int64_t inputs = number == 0 ? num_active_columns(input) : in;
  const auto weight = [&](const char* what, std::int64_t columns) {
    at::Tensor made = parameters().weight(name + what, in, columns, inputs);
    if (number == 0) zero_initialise(input, made);
    return made;
  };
  // Where widths differ, a residual connection is a linear projection of the input. That is what self weights are.
  const bool projects = options_.residual && options_.residual_maps && (number == 0 || in != out);
  if (self_weights_ || projects) branch.self = weight(".self", out);
  branch.bias = parameters().bias(name + ".bias", out, inputs);
  if (views_.front().plans.empty()) return branch;
  branch.messages = weight(".messages", out);
  for (const StackView& view : views_) {
    branch.edges.emplace_back(view.plans[set].edges(number), view.input.num_nodes(), options_.message);
  }
  if (number == 0 && is_linear(options_.message)) {
    // Sums of messages are stored with one view only: each view would store its own, as large as the features.
    for (std::size_t view = 0; view < views_.size(); ++view) {
      branch.first.emplace_back(
          views_[view].input, branch.edges[view],
          FirstMessages::Options{.fixed = options_.input_dropout == 0, .with_sums = views_.size() == 1});
    }
  }
  if (options_.message == MessageFunction::kAttention) {
    if (out % options_.attention_heads != 0) {
      throw UserError("{} attention heads do not divide the layer width {} [change `attention-heads` or `hidden`]",
                      options_.attention_heads, out);
    }
    branch.sender_scores = weight(".sender-scores", options_.attention_heads);
    branch.receiver_scores = weight(".receiver-scores", options_.attention_heads);
  }
  return branch;
}

at::Tensor MessageStack::run_first(const Branch& branch, std::size_t view, bool training) const {
  const NodeInput& input = views_[view].input;
  const InputDropout* dropout = training ? &input_dropouts_[view] : nullptr;
  at::Tensor base = branch.self.defined() ? input_linear(input, branch.self, {.base = branch.bias, .dropout = dropout})
                                          : branch.bias.expand({input.num_nodes(), branch.bias.size(0)}).contiguous();
  if (branch.edges.empty()) return base;
  if (!branch.first.empty()) return branch.first[view].add(base, branch.messages, dropout);
  const auto scores = [&](const at::Tensor& weight) {
    return weight.defined() ? input_linear(input, weight, {.dropout = dropout}) : weight;
  };
  return pass_messages(base, input_linear(input, branch.messages, {.dropout = dropout}), scores(branch.sender_scores),
                       scores(branch.receiver_scores), branch.edges[view], options_.message);
}

at::Tensor MessageStack::run(const Branch& branch, const at::Tensor& h, std::size_t view) const {
  if (branch.edges.empty()) return linear(h, branch.self, branch.bias);
  const Messages& edges = branch.edges[view];
  if (is_linear(options_.message)) return frontier_linear(h, branch.self, branch.messages, branch.bias, edges);
  const at::Tensor base = branch.self.defined() ? linear(h, branch.self, branch.bias)
                                                : branch.bias.expand({h.size(0), branch.bias.size(0)}).contiguous();
  const auto scores = [&](const at::Tensor& weight) {
    return weight.defined() ? linear(h, weight, at::Tensor()) : weight;
  };
  return pass_messages(base, linear(h, branch.messages, at::Tensor()), scores(branch.sender_scores),
                       scores(branch.receiver_scores), edges, options_.message);
}

at::Tensor MessageStack::run_layer(std::size_t number, const at::Tensor& h, std::size_t view, bool training) const {
  std::vector<at::Tensor> parts;
  for (const Branch& branch : layers_[number]) {
    parts.push_back(number == 0 ? run_first(branch, view, training) : run(branch, h, view));
  }
  const at::Tensor sums = parts.size() == 1 ? parts.front() : at::cat(parts, 1);
  return options_.residual && number > 0 && sums.size(1) == h.size(1) ? sums + h : sums;
}

at::Tensor MessageStack::run_hidden(std::size_t first, std::size_t last, at::Tensor h,
                                    const ForwardOptions& options) const {
  for (std::size_t number = first; number < last; ++number) {
    h = run_layer(number, h, static_cast<std::size_t>(options.view), options.training);
    h = activations_[number].apply(h, seed(), options);
    if (options.layer_observer && !options.recomputing) options.layer_observer(h);
  }
  return h;
}

std::int64_t MessageStack::activation_bytes(std::int64_t segment) const {
  const std::int64_t nodes = views_.front().input.num_nodes();
  const std::int64_t layers = std::ssize(activations_);
  // A hidden layer stores its result, the input of a normalisation, and for nonlinear messages one more matrix. The
  // backward pass needs an incoming and an outgoing gradient. With activation checkpointing the results at the borders
  // of segments are stored, and all activations of one segment at a time.
  const std::int64_t per_layer = 1 + (options_.norm == Norm::kNone ? 0 : 1) + (is_linear(options_.message) ? 0 : 1);
  segment = std::min(segment, longest_segment());
  const std::int64_t stored =
      segment == 0 ? layers * per_layer : (layers + segment - 1) / segment + segment * per_layer;
  const std::int64_t jump_copies = options_.jump ? 2 * layers : 0;
  const std::int64_t columns = (stored + 2 + jump_copies) * options_.hidden + 2 * output_width_;
  return nodes * columns * static_cast<std::int64_t>(sizeof(float));
}

ModelOutput MessageStack::forward(const ForwardOptions& options) {
  ensure(options.view >= 0 && options.view < std::ssize(views_), "a view that the model was made for");
  const auto view = static_cast<std::size_t>(options.view);
  if (options.training) input_dropouts_[view].draw(seed(), options.epoch, layers_.front().front().bias.device());
  const std::size_t hidden_layers = activations_.size();
  std::vector<at::Tensor> hidden;  // for jumping knowledge
  at::Tensor h;
  if (segment_ > 0 && options.training) {
    for (std::size_t first = 0; first < hidden_layers; first += static_cast<std::size_t>(segment_)) {
      const std::size_t last = std::min(hidden_layers, first + static_cast<std::size_t>(segment_));
      h = checkpoint_segment(h, layers_[first].front().bias, [=, this](const at::Tensor& x, bool recomputing) {
        ForwardOptions pass = options;
        pass.recomputing = recomputing;
        return run_hidden(first, last, x, pass);
      });
    }
  } else {
    for (std::size_t number = 0; number < hidden_layers; ++number) {
      h = run_hidden(number, number + 1, h, options);
      if (options_.jump) hidden.push_back(h);
    }
  }
  const at::Tensor last_hidden = h;  // the embeddings, if the last layer outputs logits
  if (hidden_layers < layers_.size()) {
    h = run_layer(hidden_layers, h, view, options.training);
    if (options.layer_observer) options.layer_observer(h);
  }
  const auto finished = [&](const at::Tensor& z) { return options_.normalise ? l2_normalise(z) : z; };
  if (!head_weight_.defined()) {
    // A single layer has no hidden vectors: its logits are the embeddings, too.
    if (has_classes_) return {last_hidden.defined() ? finished(last_hidden) : h, h};
    h = finished(h);
    return {h, h};
  }
  const at::Tensor seen = options_.jump ? at::cat(hidden, 1) : h;
  const at::Tensor out = linear(seen, head_weight_, head_bias_);
  if (has_classes_) return {finished(seen), out};
  h = finished(out);
  return {h, h};
}

NodeInput plain_input(const ModelInputs& inputs, const ModelOptions& options, const Graph& graph) {
  NodeInput input(graph.num_nodes());
  input.add_features(inputs.features);
  if (options.structural) input.add_dense(structural_features(graph));
  if (options.positions == Positions::kAnchors) {
    const NodeSets channels = position_channels(inputs.anchors, options.position_size);
    input.add_dense(position_features(graph, channels, inputs.distance_search));
  }
  return input;
}

NodeInput anchor_labelled_input(const ModelInputs& inputs, const ModelOptions& options, const Graph& graph) {
  NodeInput input = plain_input(inputs, options, graph);
  input.add_one_hot(inputs.anchors);
  return input;
}

NodeInput node_labelled_input(const ModelInputs& inputs, const ModelOptions& options, const Graph& graph) {
  NodeInput input = plain_input(inputs, options, graph);
  input.add_one_hot_of_all();
  return input;
}

std::unique_ptr<Model> make_gir_model(const ModelInputs& inputs, const ModelOptions& options, InputFunction input) {
  const auto view = [&](const Graph& graph) {
    StackView made{.input = input(inputs, options, graph)};
    made.plans.emplace_back(graph, inputs.anchors, options.layers, MessageOptions{.weighted = options.weighted});
    return made;
  };
  return std::make_unique<MessageStack>(inputs, options, StackDesign{.view = view});
}

std::unique_ptr<Model> make_gcn_model(const ModelInputs& inputs, const ModelOptions& options, InputFunction input) {
  const auto view = [&](const Graph& graph) {
    StackView made{.input = input(inputs, options, graph)};
    made.plans.push_back(FrontierPlan::of_all_nodes(graph, options.layers, options.weighted));
    return made;
  };
  return std::make_unique<MessageStack>(inputs, options, StackDesign{.view = view, .self_weights = false});
}

}  // namespace gir
