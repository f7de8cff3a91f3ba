#include "cpu/input_linear.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/custom_function.h>

#include "gir/core/error.h"
#include "gir/nn/node_input.h"
#include "tensors.h"

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct InputLinear : torch::autograd::Function<InputLinear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& w, const NodeInput* input) {
    context->saved_data["input"] = reinterpret_cast<std::int64_t>(input);
    at::Tensor out = at::empty({input->num_nodes(), w.size(1)}, w.options());
    for_real_type(w, [&]<typename Real>(Real) {
      cpu::input_linear_forward<Real>(*input, matrix<const Real>(w), matrix<Real>(out));
    });
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const auto& input = *reinterpret_cast<const NodeInput*>(context->saved_data["input"].toInt());
    const at::Tensor d_out = gradients[0].contiguous();
    const at::Tensor d_w = at::empty({input.width(), d_out.size(1)}, d_out.options());
    for_real_type(d_out, [&]<typename Real>(Real) {
      cpu::input_linear_backward<Real>(input, matrix<const Real>(d_out), matrix<Real>(d_w));
    });
    return {d_w, at::Tensor()};
  }
};

}  // namespace

at::Tensor input_linear(const NodeInput& input, const at::Tensor& w) {
  ensure(w.dim() == 2 && w.size(0) == input.width() && w.is_contiguous(), "a row of weights a column of the input");
  return InputLinear::apply(w, &input);
}

}  // namespace gir
