#include "gir/nn/anchor_messages.h"

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "cpu/lanes.h"
#include "gir/core/error.h"
#include "kernels.h"
#include "tensors.h"

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// The messages outlive the backward pass, so the autograd context stores their address.
const AnchorMessages& messages_of(AutogradContext* context) {
  return *reinterpret_cast<const AnchorMessages*>(context->saved_data["messages"].toInt());
}

struct MeanAnchorMessages : torch::autograd::Function<MeanAnchorMessages> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& p, const at::Tensor& q,
                            const at::Tensor& scales, const AnchorMessages* messages) {
    context->save_for_backward({p, q, scales});
    context->saved_data["messages"] = reinterpret_cast<std::int64_t>(messages);
    return on_device_of(
        p, [&](auto kernels) { return kernels.mean_anchor_messages(*messages, {.p = p, .q = q, .scales = scales}); });
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const AnchorTensors back = on_device_of(saved[0], [&](auto kernels) {
      return kernels.mean_anchor_messages_back(messages_of(context), {.p = saved[0], .q = saved[1], .scales = saved[2]},
                                               gradients[0].contiguous());
    });
    return {back.p, back.q, back.scales, at::Tensor()};
  }
};

struct AnchorPositions : torch::autograd::Function<AnchorPositions> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& p, const at::Tensor& q,
                            const at::Tensor& scales, const at::Tensor& weights, const AnchorMessages* messages) {
    context->save_for_backward({p, q, scales, weights});
    context->saved_data["messages"] = reinterpret_cast<std::int64_t>(messages);
    return on_device_of(p, [&](auto kernels) {
      return kernels.anchor_positions(*messages, {.p = p, .q = q, .scales = scales, .weights = weights});
    });
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const AnchorTensors back = on_device_of(saved[0], [&](auto kernels) {
      return kernels.anchor_positions_back(messages_of(context),
                                           {.p = saved[0], .q = saved[1], .scales = saved[2], .weights = saved[3]},
                                           gradients[0].contiguous());
    });
    return {back.p, back.q, back.scales, back.weights, at::Tensor()};
  }
};

void check(const at::Tensor& p, const at::Tensor& q, const at::Tensor& scales, const AnchorMessages& messages) {
  ensure(p.dim() == 2 && p.size(0) == messages.num_nodes() && p.sizes() == q.sizes(), "p and q with one row per node");
  ensure(scales.numel() == std::ssize(messages.closeness()), "one scale per distance");
  ensure(p.is_contiguous() && q.is_contiguous() && scales.is_contiguous(), "contiguous tensors");
}

}  // namespace

AnchorMessages::AnchorMessages(const NearestMembers& nearest, const NodeSets& sets)
    : nodes_(nearest.nodes),
      sets_(nearest.sets),
      members_(nearest.members.size()),
      distances_(nearest.members.size()),
      sent_offsets_(nearest.nodes + 1, 0),
      sent_(nearest.members.size()) {
  const Hops farthest = nearest.hops.empty() ? Hops{0} : *std::max_element(nearest.hops.begin(), nearest.hops.end());
  for (int hops = 0; hops <= farthest; ++hops) closeness_.push_back(gir::closeness(static_cast<Hops>(hops)));
  closeness_.push_back(gir::closeness(kNotReached));
  const auto no_path = static_cast<std::int32_t>(closeness_.size() - 1);
  // Local pointers: the compiler would reload those inside the arrays after every store.
  NodeId* members = members_.data();
  std::int32_t* distances = distances_.data();
  std::int64_t* offsets = sent_offsets_.data();
  for (std::int64_t i = 0; i < nodes_ * sets_; ++i) {
    const bool reached = nearest.members[i] != kNoMember;
    ensure(reached || !sets[i % sets_].empty(), "sets have members");
    members[i] = reached ? nearest.members[i] : sets[i % sets_].front();
    distances[i] = reached ? nearest.hops[i] : no_path;
    ++offsets[members[i] + 1];
  }
  for (std::int64_t v = 0; v < nodes_; ++v) offsets[v + 1] += offsets[v];
  // Counting sort by sender; receivers stay ascending, so that gradients are summed in a fixed order.
  Array<std::int64_t> positions = sent_offsets_.clone();
  std::int64_t* next = positions.data();
  Sent* sent = sent_.data();
  for (std::int64_t v = 0, i = 0; v < nodes_; ++v) {
    for (std::int64_t set = 0; set < sets_; ++set, ++i) {
      sent[next[members[i]]++] = {static_cast<NodeId>(v), static_cast<std::int32_t>(set), distances[i]};
    }
  }
}

at::Tensor mean_anchor_messages(const at::Tensor& p, const at::Tensor& q, const at::Tensor& scales,
                                const AnchorMessages& messages) {
  check(p, q, scales, messages);
  // Kernels work on whole vectors of channels. The padding is zero and is cut off again.
  const at::Tensor mean =
      MeanAnchorMessages::apply(padded(p, cpu::kLaneCount), padded(q, cpu::kLaneCount), scales, &messages);
  return mean.narrow(1, 0, p.size(1)).contiguous();
}

at::Tensor anchor_positions(const at::Tensor& p, const at::Tensor& q, const at::Tensor& scales,
                            const at::Tensor& weights, const AnchorMessages& messages) {
  check(p, q, scales, messages);
  ensure(weights.numel() == p.size(1) && weights.is_contiguous(), "one weight per channel");
  return AnchorPositions::apply(padded(p, cpu::kLaneCount), padded(q, cpu::kLaneCount), scales,
                                padded(weights, cpu::kLaneCount), &messages);
}

}  // namespace gir
