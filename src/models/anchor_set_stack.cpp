#include "anchor_set_stack.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/relu.h>

#include "gir/core/error.h"
#include "gir/nn/linear.h"
#include "gir/nn/norm.h"
#include "message_stack.h"

namespace gir {

AnchorSetStack::AnchorSetStack(const ModelContext& context, const ModelOptions& options, AnchorSetDesign design)
    : Model(context.seed),
      options_(options),
      input_(plain_input(context)),
      design_(std::move(design)),
      search_(context.graph, {.most_hops = design_.most_hops}) {
  const std::int64_t hidden = options.hidden;
  input_weight_ = parameters().weight("input.weight", input_.width(), hidden);
  input_bias_ = parameters().bias("input.bias", hidden, input_.width());
  for (std::int64_t number = 0; number < options.layers; ++number) {
    layers_.push_back(make_layer(number));
    if (number + 1 < options.layers) activations_.emplace_back(parameters(), number, hidden, options);
  }
  position_weight_ = parameters().bias("position.weight", hidden, hidden);
  position_bias_ = parameters().bias("position.bias", 1, hidden);
  draw_ = parameters().counter("sets.draw", 0);
  use_draw(0);
  if (context.classes == 0) return;
  head_weight_ = parameters().weight("head.weight", messages_->num_sets(), context.classes);
  head_bias_ = parameters().bias("head.bias", context.classes, messages_->num_sets());
}

AnchorSetStack::Layer AnchorSetStack::make_layer(std::int64_t number) {
  const std::string name = fmt::format("layer{}", number);
  const std::int64_t hidden = options_.hidden;
  Parameters& all = parameters();
  return {.closeness_weight = all.weight(name + ".closeness.weight", 1, hidden),
          .closeness_bias = all.bias(name + ".closeness.bias", hidden, 1),
          .scale_weight = all.weight(name + ".scale.weight", hidden, 1),
          .scale_bias = all.bias(name + ".scale.bias", 1, hidden),
          .sender_weight = all.weight(name + ".sender", hidden, hidden, 2 * hidden),
          .own_weight = all.weight(name + ".own", hidden, hidden, 2 * hidden),
          .bias = all.bias(name + ".bias", hidden, 2 * hidden)};
}

void AnchorSetStack::use_draw(std::int64_t draw) {
  if (draw == messages_draw_) return;
  messages_.reset();  // before the next ones take as much
  const NodeSets sets = design_.sets(static_cast<std::uint64_t>(draw));
  messages_ = std::make_unique<AnchorMessages>(search_.find(sets), sets);
  messages_draw_ = draw;
}

at::Tensor AnchorSetStack::scales(const Layer& layer) const {
  const std::vector<float>& known = messages_->closeness();
  const at::Tensor closeness = at::from_blob(const_cast<float*>(known.data()), {std::ssize(known), 1}, at::kFloat);
  const at::Tensor hidden = at::relu(linear(closeness, layer.closeness_weight, layer.closeness_bias));
  return linear(hidden, layer.scale_weight, layer.scale_bias).flatten();
}

ModelOutput AnchorSetStack::forward(const ForwardOptions& options) {
  if (options.training && design_.redraw) draw_.fill_(static_cast<std::int64_t>(options.epoch));
  use_draw(draw_.item<std::int64_t>());
  at::Tensor h = input_linear(input_, input_weight_) + input_bias_;
  at::Tensor positions;
  for (std::size_t number = 0; number < layers_.size(); ++number) {
    const Layer& layer = layers_[number];
    const at::Tensor p = linear(h, layer.sender_weight, at::Tensor());
    const at::Tensor q = linear(h, layer.own_weight, layer.bias);
    if (number + 1 < layers_.size()) {
      h = activations_[number].apply(mean_anchor_messages(p, q, scales(layer), *messages_), seed(), options);
    } else {
      positions = anchor_positions(p, q, scales(layer), position_weight_, *messages_) + position_bias_;
    }
  }
  if (options_.normalise) positions = l2_normalise(positions);
  return {positions, head_weight_.defined() ? linear(positions, head_weight_, head_bias_) : positions};
}

}  // namespace gir
