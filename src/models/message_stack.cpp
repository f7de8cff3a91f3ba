#include "message_stack.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>

#include "gir/core/error.h"
#include "gir/nn/add_messages.h"
#include "gir/nn/frontier_linear.h"
#include "gir/nn/linear.h"
#include "gir/nn/norm.h"

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

}  // namespace

MessageStack::MessageStack(const ModelContext& context, const ModelOptions& options, StackDesign design)
    : Model(context.seed),
      options_(options),
      design_(std::move(design)),
      has_classes_(context.classes > 0),
      output_width_(has_classes_ ? context.classes : options.hidden) {
  const bool last_gives_classes = has_classes_ && !design_.head;
  std::int64_t width = design_.input.width();
  for (std::int64_t number = 0; number < options.layers; ++number) {
    const bool last = number + 1 == options.layers;
    const std::int64_t out = last && last_gives_classes ? context.classes : options.hidden;
    layers_.push_back(make_layer(number, width, out));
    if (!last || (has_classes_ && design_.head)) activations_.emplace_back(parameters(), number, out, options);
    width = out;
  }
  if (has_classes_ && design_.head) {
    head_weight_ = parameters().weight("head.weight", width, context.classes);
    head_bias_ = parameters().bias("head.bias", context.classes, width);
  }
}

MessageStack::Layer MessageStack::make_layer(std::int64_t number, std::int64_t in, std::int64_t out) {
  Layer layer;
  const std::size_t sets = std::max<std::size_t>(1, design_.plans.size());
  for (std::size_t set = 0; set < sets; ++set) {
    const std::string name = sets == 1 ? fmt::format("layer{}", number) : fmt::format("layer{}.set{}", number, set);
    layer.push_back(make_branch(name, number, set, in, out / static_cast<std::int64_t>(sets)));
  }
  return layer;
}

MessageStack::Branch MessageStack::make_branch(const std::string& name, std::int64_t number, std::size_t set,
                                               std::int64_t in, std::int64_t out) {
  Branch branch;
  if (design_.self_weights) branch.self = parameters().weight(name + ".self", in, out);
  branch.bias = parameters().bias(name + ".bias", out, in);
  if (design_.plans.empty()) return branch;
  const FrontierPlan& plan = design_.plans[set];
  branch.messages = parameters().weight(name + ".messages", in, out);
  branch.edges.emplace(plan.edges(number), design_.input.num_nodes(), options_.message);
  if (options_.message == MessageFunction::kAttention) {
    if (out % options_.attention_heads != 0) {
      throw UserError("{} attention heads do not divide a layer's width of {} [choose another number or width]",
                      options_.attention_heads, out);
    }
    branch.sender_scores = parameters().weight(name + ".sender-scores", in, options_.attention_heads);
    branch.receiver_scores = parameters().weight(name + ".receiver-scores", in, options_.attention_heads);
  }
  return branch;
}

at::Tensor MessageStack::run_first(const Branch& branch) const {
  const NodeInput& input = design_.input;
  at::Tensor base = branch.self.defined() ? input_linear(input, branch.self) + branch.bias
                                          : branch.bias.expand({input.num_nodes(), branch.bias.size(0)}).contiguous();
  if (!branch.edges) return base;
  const auto scores = [&](const at::Tensor& weight) { return weight.defined() ? input_linear(input, weight) : weight; };
  return pass_messages(base, input_linear(input, branch.messages), scores(branch.sender_scores),
                       scores(branch.receiver_scores), *branch.edges, options_.message);
}

at::Tensor MessageStack::run(const Branch& branch, const at::Tensor& h) const {
  if (!branch.edges) return linear(h, branch.self, branch.bias);
  if (is_linear(options_.message)) return frontier_linear(h, branch.self, branch.messages, branch.bias, *branch.edges);
  const at::Tensor base = branch.self.defined() ? linear(h, branch.self, branch.bias)
                                                : branch.bias.expand({h.size(0), branch.bias.size(0)}).contiguous();
  const auto scores = [&](const at::Tensor& weight) {
    return weight.defined() ? linear(h, weight, at::Tensor()) : weight;
  };
  return pass_messages(base, linear(h, branch.messages, at::Tensor()), scores(branch.sender_scores),
                       scores(branch.receiver_scores), *branch.edges, options_.message);
}

ModelOutput MessageStack::forward(const ForwardOptions& options) {
  at::Tensor before;  // the input of the last layer
  at::Tensor h;
  for (std::size_t number = 0; number < layers_.size(); ++number) {
    if (number > 0) h = activations_[number - 1].apply(h, seed(), options);
    before = h;
    std::vector<at::Tensor> parts;
    for (const Branch& branch : layers_[number]) {
      parts.push_back(number == 0 ? run_first(branch) : run(branch, h));
    }
    h = parts.size() == 1 ? parts.front() : at::cat(parts, 1);
  }
  const auto finished = [&](const at::Tensor& z) { return options_.normalise ? l2_normalise(z) : z; };
  if (!has_classes_) {
    h = finished(h);
    return {h, h};
  }
  if (design_.head) {
    h = activations_.back().apply(h, seed(), options);
    return {finished(h), linear(h, head_weight_, head_bias_)};
  }
  return {before.defined() ? finished(before) : h, h};
}

NodeInput plain_input(const ModelContext& context) {
  NodeInput input(context.graph.num_nodes());
  input.add_features(context.features);
  return input;
}

NodeInput anchor_labelled_input(const ModelContext& context) {
  NodeInput input = plain_input(context);
  input.add_one_hot(context.anchors);
  return input;
}

NodeInput node_labelled_input(const ModelContext& context) {
  NodeInput input = plain_input(context);
  input.add_one_hot_of_all();
  return input;
}

std::unique_ptr<Model> make_gir_model(const ModelContext& context, const ModelOptions& options, NodeInput input) {
  StackDesign design{.input = std::move(input)};
  design.plans.emplace_back(context.graph, context.anchors, options.layers,
                            MessageOptions{.weighted = options.weighted});
  return std::make_unique<MessageStack>(context, options, std::move(design));
}

std::unique_ptr<Model> make_gcn_model(const ModelContext& context, const ModelOptions& options, NodeInput input) {
  StackDesign design{.input = std::move(input), .self_weights = false};
  design.plans.push_back(FrontierPlan::of_everyone(context.graph, options.layers, options.weighted));
  return std::make_unique<MessageStack>(context, options, std::move(design));
}

}  // namespace gir
