#include "gir/nn/activation.h"

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>

#include "gir/core/error.h"
#include "kernels.h"

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct ReluDropoutFunction : torch::autograd::Function<ReluDropoutFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const Dropout* dropout) {
    const at::Tensor out = on_device_of(x, [&](auto kernels) { return kernels.relu_dropout(x, *dropout); });
    context->save_for_backward({out});  // positive exactly where the gradient passes: no mask is stored
    context->saved_data["scale"] = dropout->scale;
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const at::Tensor out = context->get_saved_variables()[0];
    const double scale = context->saved_data["scale"].toDouble();
    return {on_device_of(
                out, [&](auto kernels) { return kernels.relu_dropout_back(out, gradients[0].contiguous(), scale); }),
            at::Tensor()};
  }
};

}  // namespace

Dropout dropout_at(double rate, const RandomStream& stream) {
  return {.threshold = static_cast<std::uint32_t>(std::min(std::ceil(rate * 0x1p32), 0x1p32 - 1)),
          .scale = 1 / (1 - rate),
          .stream = stream};
}

at::Tensor relu_dropout(const at::Tensor& x, const ReluDropout& options) {
  ensure(options.rate >= 0 && options.rate < 1, "a dropout rate in [0, 1)");
  ensure(x.is_contiguous(), "a contiguous tensor");
  const Dropout dropout = dropout_at(options.rate, options.stream);
  return ReluDropoutFunction::apply(x, &dropout);
}

}  // namespace gir
