#include "gir/nn/norm.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/stack.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>

#include "cpu/batch_norm.h"
#include "cpu/row_norms.h"
#include "gir/core/error.h"
#include "tensors.h"

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// Empty where the gradient of an input is not wanted.
at::Tensor wanted(AutogradContext* context, std::size_t input, const at::Tensor& like) {
  return context->needs_input_grad(input) ? at::empty_like(like) : at::Tensor();
}

template <typename Real>
cpu::Affine<const Real> affine(const at::Tensor& gamma, const at::Tensor& beta) {
  return {.gamma = read<Real>(gamma), .beta = read<Real>(beta)};
}

cpu::ColumnNorms column_norms(const at::Tensor& norms) {
  return {.means = read<double>(norms), .inverse_deviations = read<double>(norms) + norms.size(1)};
}

/// `norms` holds the mean and the inverse deviation of every column, double [2, width]; `activation` may be null.
struct BatchNorm : torch::autograd::Function<BatchNorm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& gamma,
                            const at::Tensor& beta, const at::Tensor& norms, bool own_moments,
                            const cpu::Dropout* activation) {
    at::Tensor out = at::empty_like(x);
    for_real_type(x, [&]<typename Real>(Real) {
      cpu::batch_norm_forward<Real>(matrix<const Real>(x), column_norms(norms), affine<Real>(gamma, beta), activation,
                                    matrix<Real>(out));
    });
    context->save_for_backward({x, gamma, norms, activation == nullptr ? at::Tensor() : out});
    context->saved_data["own_moments"] = own_moments;
    context->saved_data["scale"] = activation == nullptr ? 1 : activation->scale;
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const at::Tensor& x = saved[0];
    const at::Tensor& gamma = saved[1];
    const at::Tensor d_out = gradients[0].contiguous();
    const at::Tensor d_x = wanted(context, 0, x);
    const at::Tensor d_gamma = at::empty_like(gamma);
    const at::Tensor d_beta = at::empty_like(gamma);
    for_real_type(x, [&]<typename Real>(Real) {
      cpu::batch_norm_backward<Real>(
          matrix<const Real>(x), column_norms(saved[2]), context->saved_data["own_moments"].toBool(), read<Real>(gamma),
          {.d_out = matrix<const Real>(d_out),
           .out = read<Real>(saved[3]),
           .scale = context->saved_data["scale"].toDouble()},
          {write<Real>(d_x), x.size(0), x.size(1)}, {.gamma = write<Real>(d_gamma), .beta = write<Real>(d_beta)});
    });
    return {d_x, d_gamma, d_beta, at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

struct LayerNorm : torch::autograd::Function<LayerNorm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& gamma,
                            const at::Tensor& beta, double epsilon) {
    const at::Tensor norms = at::empty({x.size(0), 2}, x.options().dtype(at::kDouble));
    at::Tensor out = at::empty_like(x);
    for_real_type(x, [&]<typename Real>(Real) {
      cpu::layer_norm_forward<Real>(matrix<const Real>(x), affine<Real>(gamma, beta), epsilon, row_norms(norms),
                                    matrix<Real>(out));
    });
    context->save_for_backward({x, gamma, norms});
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const at::Tensor& x = saved[0];
    const at::Tensor& gamma = saved[1];
    const at::Tensor d_out = gradients[0].contiguous();
    const at::Tensor d_x = wanted(context, 0, x);
    const at::Tensor d_gamma = at::empty_like(gamma);
    const at::Tensor d_beta = at::empty_like(gamma);
    for_real_type(x, [&]<typename Real>(Real) {
      cpu::layer_norm_backward<Real>(matrix<const Real>(x), row_norms(saved[2]), read<Real>(gamma),
                                     matrix<const Real>(d_out), {write<Real>(d_x), x.size(0), x.size(1)},
                                     {.gamma = write<Real>(d_gamma), .beta = write<Real>(d_beta)});
    });
    return {d_x, d_gamma, d_beta, at::Tensor()};
  }

  /// Two doubles a row.
  static cpu::RowNorm* row_norms(const at::Tensor& norms) {
    static_assert(sizeof(cpu::RowNorm) == 2 * sizeof(double));
    return reinterpret_cast<cpu::RowNorm*>(write<double>(norms));
  }
};

struct L2Normalise : torch::autograd::Function<L2Normalise> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, double epsilon) {
    const at::Tensor lengths = at::empty({x.size(0)}, x.options().dtype(at::kDouble));
    at::Tensor out = at::empty_like(x);
    for_real_type(x, [&]<typename Real>(Real) {
      cpu::l2_normalise_forward<Real>(matrix<const Real>(x), epsilon, write<double>(lengths), matrix<Real>(out));
    });
    context->save_for_backward({out, lengths});
    context->saved_data["epsilon"] = epsilon;
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const at::Tensor& out = saved[0];
    const at::Tensor d_out = gradients[0].contiguous();
    at::Tensor d_x = at::empty_like(out);
    for_real_type(out, [&]<typename Real>(Real) {
      cpu::l2_normalise_backward<Real>(matrix<const Real>(out), read<double>(saved[1]),
                                       context->saved_data["epsilon"].toDouble(), matrix<const Real>(d_out),
                                       matrix<Real>(d_x));
    });
    return {d_x, at::Tensor()};
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
           "a value a column, of x's type");
  }
}

/// running = (1 - momentum) running + momentum now
template <typename Real>
void move_running(const at::Tensor& running, double momentum, const double* now, double factor) {
  Real* values = write<Real>(running);
  for (std::int64_t j = 0; j < running.numel(); ++j) {
    values[j] = static_cast<Real>((1 - momentum) * static_cast<double>(values[j]) + momentum * factor * now[j]);
  }
}

/// Mean and variance of x's columns, double [2, width]; moves the running ones.
at::Tensor moments_in_training(const at::Tensor& x, const at::Tensor& running_mean, const at::Tensor& running_variance,
                               double momentum) {
  at::Tensor moments = at::empty({2, x.size(1)}, x.options().dtype(at::kDouble));
  double* means = write<double>(moments);
  double* variances = means + x.size(1);
  const auto rows = static_cast<double>(x.size(0));
  for_real_type(x, [&]<typename Real>(Real) {
    cpu::column_moments<Real>(matrix<const Real>(x), means, variances);
    move_running<Real>(running_mean, momentum, means, 1);
    move_running<Real>(running_variance, momentum, variances, rows > 1 ? rows / (rows - 1) : 1);
  });
  return moments;
}

/// Mean and inverse deviation to normalise every column by, double [2, width].
at::Tensor column_norms(const at::Tensor& x, const at::Tensor& running_mean, const at::Tensor& running_variance,
                        const BatchNormOptions& options) {
  const at::NoGradGuard no_gradients;
  at::Tensor norms = options.training ? moments_in_training(x, running_mean, running_variance, options.momentum)
                                      : at::stack({running_mean, running_variance}).to(at::kDouble);
  double* deviations = write<double>(norms) + x.size(1);
  for (std::int64_t j = 0; j < x.size(1); ++j) deviations[j] = 1 / std::sqrt(deviations[j] + options.epsilon);
  return norms;
}

}  // namespace

at::Tensor batch_norm(const at::Tensor& x, const at::Tensor& gamma, const at::Tensor& beta,
                      const at::Tensor& running_mean, const at::Tensor& running_variance,
                      const BatchNormOptions& options) {
  ensure_rows(x, options.epsilon);
  ensure_columns(x, {gamma, beta, running_mean, running_variance});
  ensure(!options.training || x.size(0) > 0, "a row to normalise by");
  const at::Tensor norms = column_norms(x, running_mean, running_variance, options);
  if (!options.activation) return BatchNorm::apply(x, gamma, beta, norms, options.training, nullptr);
  ensure(options.activation->rate >= 0 && options.activation->rate < 1, "a rate of dropout from 0 to below 1");
  const cpu::Dropout dropout = cpu::dropout_at(options.activation->rate, options.activation->stream);
  return BatchNorm::apply(x, gamma, beta, norms, options.training, &dropout);
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
