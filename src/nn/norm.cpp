#include "gir/nn/norm.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/custom_function.h>

#include "gir/core/error.h"
#include "kernels.h"

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// Batch norm with an optional fused activation (null: none).
struct BatchNorm : torch::autograd::Function<BatchNorm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& gamma,
                            const at::Tensor& beta, const at::Tensor& norms, bool own_moments,
                            const Dropout* activation) {
    const WithRows made = on_device_of(x, [&](auto kernels) {
      return kernels.batch_norm({x, gamma, beta}, norms, activation);
    });
    context->save_for_backward({x, gamma, norms, made.rows});
    context->saved_data["own_moments"] = own_moments;
    context->saved_data["scale"] = activation == nullptr ? 1 : activation->scale;
    return made.out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const NormTensors back = on_device_of(saved[0], [&](auto kernels) {
      return kernels.batch_norm_back(
          {.x = saved[0], .gamma = saved[1], .beta = {}}, saved[2], context->saved_data["own_moments"].toBool(),
          {.d_out = gradients[0].contiguous(), .mask = saved[3], .scale = context->saved_data["scale"].toDouble()},
          context->needs_input_grad(0));
    });
    return {back.x, back.gamma, back.beta, at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

struct LayerNorm : torch::autograd::Function<LayerNorm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& gamma,
                            const at::Tensor& beta, double epsilon) {
    const WithRows made = on_device_of(x, [&](auto kernels) { return kernels.layer_norm({x, gamma, beta}, epsilon); });
    context->save_for_backward({x, gamma, made.rows});
    return made.out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const NormTensors back = on_device_of(saved[0], [&](auto kernels) {
      return kernels.layer_norm_back({.x = saved[0], .gamma = saved[1], .beta = {}}, saved[2],
                                     gradients[0].contiguous(), context->needs_input_grad(0));
    });
    return {back.x, back.gamma, back.beta, at::Tensor()};
  }
};

struct L2Normalise : torch::autograd::Function<L2Normalise> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, double epsilon) {
    const WithRows made = on_device_of(x, [&](auto kernels) { return kernels.l2_normalise(x, epsilon); });
    context->save_for_backward({made.out, made.rows});
    context->saved_data["epsilon"] = epsilon;
    return made.out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    return {on_device_of(saved[0],
                         [&](auto kernels) {
                           return kernels.l2_normalise_back({saved[0], saved[1]},
                                                            context->saved_data["epsilon"].toDouble(),
                                                            gradients[0].contiguous());
                         }),
            at::Tensor()};
  }
};

void ensure_rows(const at::Tensor& x, double epsilon) {
  ensure(x.dim() == 2 && x.is_contiguous(), "a contiguous matrix");
  ensure(epsilon > 0, "an epsilon above 0");
}

void ensure_columns(const at::Tensor& x, std::initializer_list<at::Tensor> by_column) {
  for (const at::Tensor& tensor : by_column) {
    ensure(tensor.dim() == 1 && tensor.size(0) == x.size(1) && tensor.is_contiguous() &&
               tensor.scalar_type() == x.scalar_type(),
           "one value per column, of x's type");
  }
}

}  // namespace

at::Tensor batch_norm(const at::Tensor& x, const at::Tensor& gamma, const at::Tensor& beta,
                      const at::Tensor& running_mean, const at::Tensor& running_variance,
                      const BatchNormOptions& options) {
  ensure_rows(x, options.epsilon);
  ensure_columns(x, {gamma, beta, running_mean, running_variance});
  ensure(!options.training || x.size(0) > 0, "at least one row in training");
  // Not part of the autograd graph: batch_norm_back() differentiates through the batch statistics itself.
  const at::Tensor norms = [&] {
    const at::NoGradGuard no_gradients;
    return on_device_of(x,
                        [&](auto kernels) { return kernels.column_norms(x, running_mean, running_variance, options); });
  }();
  if (!options.activation) return BatchNorm::apply(x, gamma, beta, norms, options.training, nullptr);
  ensure(options.activation->rate >= 0 && options.activation->rate < 1, "a dropout rate in [0, 1)");
  const Dropout dropout = dropout_at(options.activation->rate, options.activation->stream);
  return BatchNorm::apply(x, gamma, beta, norms, options.training, &dropout);
}

void recalibrate_batch_norm(const at::Tensor& x, const at::Tensor& running_mean, const at::Tensor& running_variance) {
  const BatchNormOptions options{.training = true, .momentum = 1};
  ensure_rows(x, options.epsilon);
  ensure_columns(x, {running_mean, running_variance});
  ensure(x.size(0) > 0, "at least one row for the statistics");
  const at::NoGradGuard no_gradients;
  on_device_of(x, [&](auto kernels) { return kernels.column_norms(x, running_mean, running_variance, options); });
}

at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& gamma, const at::Tensor& beta, double epsilon) {
  ensure_rows(x, epsilon);
  ensure_columns(x, {gamma, beta});
  return LayerNorm::apply(x, gamma, beta, epsilon);
}

at::Tensor l2_normalise(const at::Tensor& x, double epsilon) {
  ensure_rows(x, epsilon);
  return L2Normalise::apply(x, epsilon);
}

}  // namespace gir
