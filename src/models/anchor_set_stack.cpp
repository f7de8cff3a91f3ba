#include "anchor_set_stack.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/relu.h>

#include "gir/core/error.h"
#include "gir/nn/linear.h"
#include "gir/nn/norm.h"
#include "message_stack.h"

namespace gir {

AnchorSetStack::AnchorSetStack(const ModelInputs& inputs, const ModelOptions& options, AnchorSetDesign design)
    : Model(inputs.seed, options.initial),
      options_(options),
      design_(std::move(design)),
      has_classes_(inputs.classes > 0) {
  const GraphViews graphs = inputs.views();
  const NearestMemberSearch::Options search{
      .max_hops = design_.max_hops,
      .table_bytes = NearestMemberSearch::Options().table_bytes / graphs.size(),  // a limit for all views together
      .search = inputs.distance_search};
  for (std::int64_t view = 0; view < graphs.size(); ++view) {
    views_.push_back(
        {.input = plain_input(inputs, options, graphs[view]), .search = NearestMemberSearch(graphs[view], search)});
  }
  for (const View& view : views_) input_dropouts_.emplace_back(view.input, options.input_dropout);
  const std::int64_t hidden = options.hidden;
  const std::int64_t width = views_.front().input.width();
  input_weight_ = parameters().weight("input.weight", width, hidden);
  input_bias_ = parameters().bias("input.bias", hidden, width);
  for (std::int64_t number = 0; number < options.layers; ++number) {
    layers_.push_back(make_layer(number));
    if (number + 1 < options.layers) activations_.emplace_back(parameters(), number, hidden, options);
  }
  // The output of the last layer: one number w · message + b per anchor set (You, Ying and Leskovec, "Position-aware
  // graph neural networks", 2019).
  position_weight_ = parameters().weight("position.weight", hidden, 1);
  position_bias_ = parameters().bias("position.bias", 1, hidden);
  draw_ = parameters().counter("sets.draw", 0);
  num_sets_ = design_.sets(0).size();
  if (inputs.classes == 0 && !options.jump) return;
  const std::int64_t seen = num_sets_ + (options.jump ? (options.layers - 1) * hidden : 0);
  const std::int64_t out = inputs.classes > 0 ? inputs.classes : hidden;
  head_weight_ = parameters().weight("head.weight", seen, out);
  head_bias_ = parameters().bias("head.bias", out, seen);
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

const AnchorSetStack::View& AnchorSetStack::drawn_view(std::int64_t number) {
  ensure(number >= 0 && number < std::ssize(views_), "a view that the model was made for");
  View& view = views_[static_cast<std::size_t>(number)];
  const auto draw = draw_.item<std::int64_t>();
  if (view.draw == draw) {
    view.closeness = view.closeness.to(input_bias_.device());
    return view;
  }
  for (View& other : views_) {  // old samples are never used again: free them before the next ones are allocated
    if (other.draw == draw) continue;
    other.closeness.reset();
    other.messages.reset();
    other.draw = -1;
  }
  const NodeSets sets = design_.sets(static_cast<std::uint64_t>(draw));
  view.messages = std::make_unique<AnchorMessages>(view.search.find(sets), sets);
  view.draw = draw;
  const std::vector<float>& known = view.messages->closeness();
  view.closeness =
      at::from_blob(const_cast<float*>(known.data()), {std::ssize(known), 1}, at::kFloat).to(input_bias_.device());
  return view;
}

at::Tensor AnchorSetStack::scales(const Layer& layer, const at::Tensor& closeness) const {
  const at::Tensor hidden = at::relu(linear(closeness, layer.closeness_weight, layer.closeness_bias));
  return linear(hidden, layer.scale_weight, layer.scale_bias).flatten();
}

/// Every layer stores both terms of its messages, and its result before and after normalisation. The backward pass has
/// about four such matrices at a time. Besides tensors: the nearest member of every set and its distance, by node and
/// by member.
std::int64_t AnchorSetStack::activation_bytes(std::int64_t /*segment*/) const {
  constexpr std::int64_t kBytesPerMessage = 26;
  const std::int64_t hidden_layers = std::ssize(activations_);
  const std::int64_t per_layer = options_.norm == Norm::kNone ? 1 : 2;
  const std::int64_t stored = 1 + 2 * std::ssize(layers_) + hidden_layers * (per_layer + (options_.jump ? 2 : 0));
  const std::int64_t columns = (stored + 4) * options_.hidden + 3 * num_sets_;
  return views_.front().input.num_nodes() *
         (columns * static_cast<std::int64_t>(sizeof(float)) + num_sets_ * kBytesPerMessage);
}

ModelOutput AnchorSetStack::forward(const ForwardOptions& options) {
  // The epoch is the number of the sample, and is saved with the model: evaluation uses the sets of the last epoch.
  if (options.training && design_.redraw) draw_.fill_(static_cast<std::int64_t>(options.epoch));
  const View& drawn = drawn_view(options.view);
  const auto view = static_cast<std::size_t>(options.view);
  if (options.training) input_dropouts_[view].draw(seed(), options.epoch, input_bias_.device());
  const InputDropout* dropout = options.training ? &input_dropouts_[view] : nullptr;
  at::Tensor h = input_linear(views_[view].input, input_weight_, {.base = input_bias_, .dropout = dropout});
  std::vector<at::Tensor> seen;  // outputs of the hidden layers (jumping knowledge only), then the positions
  for (std::size_t number = 0; number < layers_.size(); ++number) {
    const Layer& layer = layers_[number];
    const at::Tensor p = linear(h, layer.sender_weight, at::Tensor());
    const at::Tensor q = linear(h, layer.own_weight, layer.bias);
    if (number + 1 == layers_.size()) {
      seen.push_back(
          anchor_positions(p, q, scales(layer, drawn.closeness), position_weight_.flatten(), *drawn.messages) +
          position_bias_);
      break;
    }
    const at::Tensor mean_message = mean_anchor_messages(p, q, scales(layer, drawn.closeness), *drawn.messages);
    h = activations_[number].apply(options_.residual ? mean_message + h : mean_message, seed(), options);
    if (options_.jump) seen.push_back(h);
  }
  const auto finished = [&](const at::Tensor& z) { return options_.normalise ? l2_normalise(z) : z; };
  if (!head_weight_.defined()) {
    const at::Tensor positions = finished(seen.back());
    return {positions, positions};
  }
  const at::Tensor all = seen.size() == 1 ? seen.front() : at::cat(seen, 1);
  if (has_classes_) {
    const at::Tensor embeddings = finished(all);
    return {embeddings, linear(embeddings, head_weight_, head_bias_)};
  }
  const at::Tensor out = finished(linear(all, head_weight_, head_bias_));
  return {out, out};
}

}  // namespace gir
