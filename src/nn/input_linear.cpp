#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/custom_function.h>

#include "gir/core/error.h"
#include "gir/nn/node_input.h"
#include "kernels.h"

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct InputLinear : torch::autograd::Function<InputLinear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& w, const at::Tensor& base,
                            const NodeInput* input, const InputDropout* dropout) {
    // Both outlive the backward pass, so their addresses are stored.
    context->saved_data["input"] = reinterpret_cast<std::int64_t>(input);
    context->saved_data["dropout"] = reinterpret_cast<std::int64_t>(dropout);
    context->saved_data["bias"] = base.dim() == 1 && base.numel() > 0;
    return on_device_of(w, [&](auto kernels) { return kernels.input_linear(*input, dropout, w, base); });
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const auto& input = *reinterpret_cast<const NodeInput*>(context->saved_data["input"].toInt());
    const auto* dropout = reinterpret_cast<const InputDropout*>(context->saved_data["dropout"].toInt());
    const at::Tensor d_out = gradients[0].contiguous();
    const at::Tensor d_w =
        on_device_of(d_out, [&](auto kernels) { return kernels.input_linear_back(input, dropout, d_out); });
    // A bias was broadcast over the rows, so its gradient is a sum over rows; a full base gets the gradient itself.
    at::Tensor d_base = context->needs_input_grad(1) ? d_out : at::Tensor();
    if (d_base.defined() && context->saved_data["bias"].toBool())
      d_base = on_device_of(d_out, [&](auto kernels) { return kernels.column_sums(d_out); });
    return {d_w, d_base, at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor input_linear(const NodeInput& input, const at::Tensor& w, const InputLinearOptions& options) {
  ensure(w.dim() == 2 && w.size(0) == input.width() && w.is_contiguous(), "one row of weights per column of the input");
  const at::Tensor& base = options.base;
  ensure(
      !base.defined() || (base.is_contiguous() && base.size(-1) == w.size(1) && base.scalar_type() == w.scalar_type() &&
                          (base.dim() == 1 || (base.dim() == 2 && base.size(0) == input.num_nodes()))),
      "a base per column, or per row and column");
  // An autograd Function accepts no undefined tensors.
  return InputLinear::apply(w, base.defined() ? base : at::empty({0}, w.options()), &input, options.dropout);
}

}  // namespace gir
