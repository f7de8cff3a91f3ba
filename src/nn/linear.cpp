#include "gir/nn/linear.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cpu/linear.h"
#include "gir/core/error.h"
#include "tensors.h"

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct Linear : torch::autograd::Function<Linear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& w,
                            const at::Tensor& bias) {
    context->save_for_backward({x, w, bias});
    at::Tensor out = at::empty({x.size(0), w.size(1)}, x.options());
    for_real_type(x, [&]<typename Real>(Real) {
      cpu::linear_forward<Real>(matrix<const Real>(x), matrix<const Real>(w), read<Real>(bias), matrix<Real>(out));
    });
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const at::Tensor& x = saved[0];
    const at::Tensor d_out = gradients[0].contiguous();
    const at::Tensor d_x = context->needs_input_grad(0) ? at::empty_like(x) : at::Tensor();
    const at::Tensor d_w = at::empty_like(saved[1]);
    const at::Tensor d_bias = saved[2].numel() > 0 ? at::empty_like(saved[2]) : at::Tensor();
    for_real_type(x, [&]<typename Real>(Real) {
      cpu::linear_backward<Real>(matrix<const Real>(x), matrix<const Real>(saved[1]), matrix<const Real>(d_out),
                                 {write<Real>(d_x), x.size(0), x.size(1)}, write<Real>(d_w), write<Real>(d_bias));
    });
    return {d_x, d_w, d_bias};
  }
};

}  // namespace

at::Tensor linear(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias) {
  ensure(x.dim() == 2 && w.dim() == 2 && x.size(1) == w.size(0), "shapes of a linear map");
  ensure(x.is_contiguous() && w.is_contiguous() && x.scalar_type() == w.scalar_type(),
         "contiguous tensors of one type");
  return Linear::apply(x, w, bias.defined() ? bias : at::empty({0}, x.options()));
}

}  // namespace gir
