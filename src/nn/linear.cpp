#include "gir/nn/linear.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/custom_function.h>

#include "gir/core/error.h"
#include "kernels.h"

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct Linear : torch::autograd::Function<Linear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& w,
                            const at::Tensor& bias) {
    context->save_for_backward({x, w, bias});
    return on_device_of(x, [&](auto kernels) { return kernels.linear(x, w, bias); });
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const LinearGradients back = on_device_of(saved[0], [&](auto kernels) {
      return kernels.linear_back(saved[0], saved[1], saved[2], gradients[0].contiguous(), context->needs_input_grad(0));
    });
    return {back.x, back.w, back.bias};
  }
};

}  // namespace

at::Tensor linear(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias) {
  ensure(x.dim() == 2 && w.dim() == 2 && x.size(1) == w.size(0), "matching shapes of a matrix product");
  ensure(x.is_contiguous() && w.is_contiguous() && x.scalar_type() == w.scalar_type(),
         "contiguous tensors of one type");
  return Linear::apply(x, w, bias.defined() ? bias : at::empty({0}, x.options()));
}

}  // namespace gir
