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

/// What a context can hold.
struct HeldStretch : torch::CustomClassHolder {
  explicit HeldStretch(Stretch given) : stretch(std::move(given)) {}
  Stretch stretch;
};

/// `x` is empty where the stretch takes none. The parameter is there so that the result has a gradient at all.
struct ComputeTwice : torch::autograd::Function<ComputeTwice> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& /*parameter*/,
                            const Stretch* stretch) {
    context->save_for_backward({x});
    context->saved_data["stretch"] = c10::IValue::make_capsule(c10::make_intrusive<HeldStretch>(*stretch));
    return (*stretch)(x.numel() > 0 ? x : at::Tensor(), /*again=*/false);
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const at::Tensor x = context->get_saved_variables()[0];
    const auto held = c10::static_intrusive_pointer_cast<HeldStretch>(context->saved_data["stretch"].toCapsule());
    const at::AutoGradMode with_gradients(true);
    at::Tensor input;
    if (x.numel() > 0) input = x.detach().requires_grad_();
    torch::autograd::backward({held->stretch(input, /*again=*/true)}, {gradients[0]});
    return {input.defined() ? input.grad() : at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor compute_twice(const at::Tensor& x, const at::Tensor& parameter, Stretch stretch) {
  if (!at::GradMode::is_enabled()) return stretch(x, /*again=*/false);
  return ComputeTwice::apply(x.defined() ? x : at::empty({0}, parameter.options()), parameter, &stretch);
}

}  // namespace gir
