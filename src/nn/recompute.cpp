#include "gir/nn/recompute.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

#include <utility>

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// Lets an autograd context own a segment.
struct OwnedSegment : torch::CustomClassHolder {
  explicit OwnedSegment(Segment given) : segment(std::move(given)) {}
  Segment segment;
};

/// `x` is empty if the segment has no input. `parameter` is an argument so that autograd records this function even
/// then; the gradients of all parameters are accumulated by the nested backward pass.
struct CheckpointSegment : torch::autograd::Function<CheckpointSegment> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& /*parameter*/,
                            const Segment* segment) {
    context->save_for_backward({x});
    context->saved_data["segment"] = c10::IValue::make_capsule(c10::make_intrusive<OwnedSegment>(*segment));
    return (*segment)(x.numel() > 0 ? x : at::Tensor(), /*recomputing=*/false);
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const at::Tensor x = context->get_saved_variables()[0];
    const auto owned = c10::static_intrusive_pointer_cast<OwnedSegment>(context->saved_data["segment"].toCapsule());
    const at::AutoGradMode with_gradients(true);  // off during a backward pass
    at::Tensor input;
    // Detached, so that the nested backward pass ends at the input of the segment.
    if (x.numel() > 0) input = x.detach().requires_grad_();
    torch::autograd::backward({owned->segment(input, /*recomputing=*/true)}, {gradients[0]});
    return {input.defined() ? input.grad() : at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor checkpoint_segment(const at::Tensor& x, const at::Tensor& parameter, Segment segment) {
  if (!at::GradMode::is_enabled()) return segment(x, /*recomputing=*/false);
  return CheckpointSegment::apply(x.defined() ? x : at::empty({0}, parameter.options()), parameter, &segment);
}

}  // namespace gir
