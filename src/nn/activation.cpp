#include "gir/nn/activation.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cpu/activation.h"
#include "gir/core/error.h"
#include "tensors.h"

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct ReluDropoutFunction : torch::autograd::Function<ReluDropoutFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const cpu::Dropout* dropout) {
    at::Tensor out = at::empty_like(x);
    for_real_type(x, [&]<typename Real>(Real) {
      cpu::relu_dropout_forward(read<Real>(x), x.numel(), *dropout, write<Real>(out));
    });
    context->save_for_backward({out});
    context->saved_data["scale"] = dropout->scale;
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const at::Tensor out = context->get_saved_variables()[0];
    const at::Tensor d_out = gradients[0].contiguous();
    at::Tensor d_x = at::empty_like(out);
    for_real_type(out, [&]<typename Real>(Real) {
      cpu::relu_dropout_backward(read<Real>(out), read<Real>(d_out), out.numel(),
                                 context->saved_data["scale"].toDouble(), write<Real>(d_x));
    });
    return {d_x, at::Tensor()};
  }
};

}  // namespace

at::Tensor relu_dropout(const at::Tensor& x, const ReluDropout& options) {
  ensure(options.rate >= 0 && options.rate < 1, "a rate of dropout from 0 to below 1");
  ensure(x.is_contiguous(), "a contiguous tensor");
  const cpu::Dropout dropout = cpu::dropout_at(options.rate, options.stream);
  return ReluDropoutFunction::apply(x, &dropout);
}

}  // namespace gir
