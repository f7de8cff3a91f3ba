#include "gir/nn/anchor_messages.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "cpu/anchor_messages.h"
#include "cpu/lanes.h"
#include "gir/core/error.h"
#include "tensors.h"

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

template <typename Real>
cpu::AnchorTerms<const Real> read_terms(const tensor_list& saved) {
  return {read<Real>(saved[0]), read<Real>(saved[1]), read<Real>(saved[2]), saved[0].size(1)};
}

template <typename Real>
cpu::AnchorTerms<Real> write_terms(const tensor_list& gradients) {
  return {write<Real>(gradients[0]), write<Real>(gradients[1]), write<Real>(gradients[2]), gradients[0].size(1)};
}

const AnchorMessages& messages_of(AutogradContext* context) {
  return *reinterpret_cast<const AnchorMessages*>(context->saved_data["messages"].toInt());
}

struct MeanAnchorMessages : torch::autograd::Function<MeanAnchorMessages> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& p, const at::Tensor& q,
                            const at::Tensor& scales, const AnchorMessages* messages) {
    const tensor_list terms = {p, q, scales};
    context->save_for_backward(terms);
    context->saved_data["messages"] = reinterpret_cast<std::int64_t>(messages);
    at::Tensor out = at::empty_like(q);
    for_real_type(p, [&]<typename Real>(Real) {
      cpu::mean_messages_forward<Real>(*messages, read_terms<Real>(terms), write<Real>(out));
    });
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list terms = context->get_saved_variables();
    const at::Tensor d_out = gradients[0].contiguous();
    tensor_list d_terms = {at::empty_like(terms[0]), at::empty_like(terms[1]), at::empty_like(terms[2])};
    for_real_type(d_out, [&]<typename Real>(Real) {
      cpu::mean_messages_backward<Real>(messages_of(context), read_terms<Real>(terms), read<Real>(d_out),
                                        write_terms<Real>(d_terms));
    });
    return {d_terms[0], d_terms[1], d_terms[2], at::Tensor()};
  }
};

struct AnchorPositions : torch::autograd::Function<AnchorPositions> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& p, const at::Tensor& q,
                            const at::Tensor& scales, const at::Tensor& weights, const AnchorMessages* messages) {
    const tensor_list terms = {p, q, scales, weights};
    context->save_for_backward(terms);
    context->saved_data["messages"] = reinterpret_cast<std::int64_t>(messages);
    at::Tensor out = at::empty({messages->num_nodes(), messages->num_sets()}, q.options());
    for_real_type(p, [&]<typename Real>(Real) {
      cpu::positions_forward<Real>(*messages, read_terms<Real>(terms), read<Real>(weights), write<Real>(out));
    });
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list terms = context->get_saved_variables();
    const at::Tensor d_out = gradients[0].contiguous();
    tensor_list d_terms;
    for (const at::Tensor& term : terms) d_terms.push_back(at::empty_like(term));
    for_real_type(d_out, [&]<typename Real>(Real) {
      cpu::positions_backward<Real>(messages_of(context), read_terms<Real>(terms), read<Real>(terms[3]),
                                    read<Real>(d_out), write_terms<Real>(d_terms), write<Real>(d_terms[3]));
    });
    return {d_terms[0], d_terms[1], d_terms[2], d_terms[3], at::Tensor()};
  }
};

void check(const at::Tensor& p, const at::Tensor& q, const at::Tensor& scales, const AnchorMessages& messages) {
  ensure(p.dim() == 2 && p.size(0) == messages.num_nodes() && p.sizes() == q.sizes(), "rows a node");
  ensure(scales.numel() == std::ssize(messages.closeness()), "a scale a distance");
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
  const auto no_way = static_cast<std::int32_t>(closeness_.size() - 1);
  // Plain addresses: those inside of arrays would be read again after every store.
  NodeId* members = members_.data();
  std::int32_t* distances = distances_.data();
  std::int64_t* offsets = sent_offsets_.data();
  for (std::int64_t i = 0; i < nodes_ * sets_; ++i) {
    const bool reached = nearest.members[i] != kNoMember;
    ensure(reached || !sets[i % sets_].empty(), "sets have members");
    members[i] = reached ? nearest.members[i] : sets[i % sets_].front();
    distances[i] = reached ? nearest.hops[i] : no_way;
    ++offsets[members[i] + 1];
  }
  for (std::int64_t v = 0; v < nodes_; ++v) offsets[v + 1] += offsets[v];
  Array<std::int64_t> places = sent_offsets_.clone();
  std::int64_t* next = places.data();
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
  const at::Tensor mean =
      MeanAnchorMessages::apply(padded(p, cpu::kLaneCount), padded(q, cpu::kLaneCount), scales, &messages);
  return mean.narrow(1, 0, p.size(1)).contiguous();
}

at::Tensor anchor_positions(const at::Tensor& p, const at::Tensor& q, const at::Tensor& scales,
                            const at::Tensor& weights, const AnchorMessages& messages) {
  check(p, q, scales, messages);
  ensure(weights.numel() == p.size(1) && weights.is_contiguous(), "a weight a channel");
  return AnchorPositions::apply(padded(p, cpu::kLaneCount), padded(q, cpu::kLaneCount), scales,
                                padded(weights, cpu::kLaneCount), &messages);
}

}  // namespace gir
