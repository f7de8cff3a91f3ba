// Kernels<Cpu>: normalisation, and the operations on pairs of nodes.

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/stack.h>

#include <cmath>

#include "../kernels.h"
#include "../tensors.h"
#include "batch_norm.h"
#include "pair_dot.h"
#include "pair_mlp.h"
#include "pair_product.h"
#include "row_norms.h"

namespace gir::cpu {
namespace {

template <typename Real>
Affine<const Real> read_affine(const NormTensors& given) {
  return {.gamma = read<Real>(given.gamma), .beta = read<Real>(given.beta)};
}

template <typename Real>
Affine<Real> write_affine(const NormTensors& gradients) {
  return {.gamma = write<Real>(gradients.gamma), .beta = write<Real>(gradients.beta)};
}

NormTensors gradients_like(const NormTensors& given, bool wants_x) {
  return {wants_x ? at::empty_like(given.x) : at::Tensor(), at::empty_like(given.gamma), at::empty_like(given.gamma)};
}

ColumnNorms columns_of(const at::Tensor& norms) {
  return {.means = read<double>(norms), .inverse_deviations = read<double>(norms) + norms.size(1)};
}

/// Two doubles per row.
RowNorm* rows_of(const at::Tensor& norms) {
  static_assert(sizeof(RowNorm) == 2 * sizeof(double));
  return reinterpret_cast<RowNorm*>(write<double>(norms));
}

/// running = (1 - momentum) running + momentum * factor * now
template <typename Real>
void update_running(const at::Tensor& running, double momentum, const double* now, double factor) {
  Real* values = write<Real>(running);
  for (std::int64_t j = 0; j < running.numel(); ++j) {
    values[j] = static_cast<Real>((1 - momentum) * static_cast<double>(values[j]) + momentum * factor * now[j]);
  }
}

/// Batch mean and biased variance of x's columns, double [2, width]; updates the running statistics.
at::Tensor moments_in_training(const at::Tensor& x, const at::Tensor& running_mean, const at::Tensor& running_variance,
                               double momentum) {
  at::Tensor moments = at::empty({2, x.size(1)}, x.options().dtype(at::kDouble));
  double* means = write<double>(moments);
  double* variances = means + x.size(1);
  const auto rows = static_cast<double>(x.size(0));
  for_real_type(x, [&]<typename Real>(Real) {
    column_moments<Real>(matrix<const Real>(x), means, variances);
    update_running<Real>(running_mean, momentum, means, 1);
    // As torch: the running variance is the unbiased one.
    update_running<Real>(running_variance, momentum, variances, rows > 1 ? rows / (rows - 1) : 1);
  });
  return moments;
}

template <typename Real>
MlpWeights<Real> mlp(const PairMlpTensors& tensors) {
  using Plain = std::remove_const_t<Real>;
  return {.hidden = matrix<Real>(tensors.hidden_weight),
          .hidden_bias = write<Plain>(tensors.hidden_bias),
          .out = write<Plain>(tensors.weight),
          .out_bias = write<Plain>(tensors.bias)};
}

}  // namespace
}  // namespace gir::cpu

namespace gir {

using namespace cpu;

template <>
at::Tensor Kernels<Cpu>::column_norms(const at::Tensor& x, const at::Tensor& running_mean,
                                      const at::Tensor& running_variance, const BatchNormOptions& options) {
  at::Tensor norms = options.training ? moments_in_training(x, running_mean, running_variance, options.momentum)
                                      : at::stack({running_mean, running_variance}).to(at::kDouble);
  double* deviations = write<double>(norms) + x.size(1);
  for (std::int64_t j = 0; j < x.size(1); ++j) deviations[j] = 1 / std::sqrt(deviations[j] + options.epsilon);
  return norms;
}

template <>
WithRows Kernels<Cpu>::batch_norm(const NormTensors& given, const at::Tensor& norms, const Dropout* activation) {
  at::Tensor out = at::empty_like(given.x);
  for_real_type(given.x, [&]<typename Real>(Real) {
    batch_norm_forward<Real>(matrix<const Real>(given.x), columns_of(norms), read_affine<Real>(given), activation,
                             matrix<Real>(out));
  });
  // The mask of the activation is out > 0, so the result itself is saved.
  return {out, activation == nullptr ? at::Tensor() : out};
}

template <>
NormTensors Kernels<Cpu>::batch_norm_back(const NormTensors& given, const at::Tensor& norms, bool own_moments,
                                          const NormOutputGradient& gradient, bool wants_x) {
  const at::Tensor& x = given.x;
  const NormTensors back = gradients_like(given, wants_x);
  for_real_type(x, [&]<typename Real>(Real) {
    batch_norm_backward<Real>(
        matrix<const Real>(x), columns_of(norms), own_moments, read<Real>(given.gamma),
        {.d_out = matrix<const Real>(gradient.d_out), .out = read<Real>(gradient.mask), .scale = gradient.scale},
        {write<Real>(back.x), x.size(0), x.size(1)}, write_affine<Real>(back));
  });
  return back;
}

template <>
WithRows Kernels<Cpu>::layer_norm(const NormTensors& given, double epsilon) {
  const WithRows made{at::empty_like(given.x), at::empty({given.x.size(0), 2}, given.x.options().dtype(at::kDouble))};
  for_real_type(given.x, [&]<typename Real>(Real) {
    layer_norm_forward<Real>(matrix<const Real>(given.x), read_affine<Real>(given), epsilon, rows_of(made.rows),
                             matrix<Real>(made.out));
  });
  return made;
}

template <>
NormTensors Kernels<Cpu>::layer_norm_back(const NormTensors& given, const at::Tensor& rows, const at::Tensor& d_out,
                                          bool wants_x) {
  const at::Tensor& x = given.x;
  const NormTensors back = gradients_like(given, wants_x);
  for_real_type(x, [&]<typename Real>(Real) {
    layer_norm_backward<Real>(matrix<const Real>(x), rows_of(rows), read<Real>(given.gamma), matrix<const Real>(d_out),
                              {write<Real>(back.x), x.size(0), x.size(1)}, write_affine<Real>(back));
  });
  return back;
}

template <>
WithRows Kernels<Cpu>::l2_normalise(const at::Tensor& x, double epsilon) {
  const WithRows made{at::empty_like(x), at::empty({x.size(0)}, x.options().dtype(at::kDouble))};
  for_real_type(x, [&]<typename Real>(Real) {
    l2_normalise_forward<Real>(matrix<const Real>(x), epsilon, write<double>(made.rows), matrix<Real>(made.out));
  });
  return made;
}

template <>
at::Tensor Kernels<Cpu>::l2_normalise_back(const WithRows& made, double epsilon, const at::Tensor& d_out) {
  at::Tensor d_x = at::empty_like(made.out);
  for_real_type(made.out, [&]<typename Real>(Real) {
    l2_normalise_backward<Real>(matrix<const Real>(made.out), read<double>(made.rows), epsilon,
                                matrix<const Real>(d_out), matrix<Real>(d_x));
  });
  return d_x;
}

template <>
at::Tensor Kernels<Cpu>::pair_product(const PairBatch& batch, const at::Tensor& z) {
  at::Tensor out = at::empty({batch.num_pairs(), z.size(1)}, z.options());
  for_real_type(z, [&]<typename Real>(Real) { pair_product_forward(batch, matrix<const Real>(z), matrix<Real>(out)); });
  return out;
}

template <>
at::Tensor Kernels<Cpu>::pair_product_back(const PairBatch& batch, const at::Tensor& z, const at::Tensor& d_out) {
  at::Tensor d_z = at::empty_like(z);
  for_real_type(z, [&]<typename Real>(Real) {
    pair_product_backward(batch, matrix<const Real>(z), matrix<const Real>(d_out), matrix<Real>(d_z));
  });
  return d_z;
}

template <>
at::Tensor Kernels<Cpu>::pair_dot(const PairBatch& batch, const at::Tensor& z) {
  at::Tensor scores = at::empty({batch.num_pairs()}, z.options());
  for_real_type(
      z, [&]<typename Real>(Real) { pair_dot_forward<Real>(batch, matrix<const Real>(z), write<Real>(scores)); });
  return scores;
}

template <>
at::Tensor Kernels<Cpu>::pair_dot_back(const PairBatch& batch, const at::Tensor& z, const at::Tensor& d_scores) {
  at::Tensor d_z = at::empty_like(z);
  for_real_type(z, [&]<typename Real>(Real) {
    pair_dot_backward<Real>(batch, matrix<const Real>(z), read<Real>(d_scores), matrix<Real>(d_z));
  });
  return d_z;
}

template <>
WithRows Kernels<Cpu>::pair_mlp(const PairBatch& batch, const PairMlpTensors& given, bool keep_sums) {
  const auto options = given.z.options();
  const std::int64_t pairs = batch.num_pairs();
  const WithRows made{at::empty({pairs}, options),
                      at::empty({keep_sums ? pairs : 0, given.hidden_weight.size(1)}, options)};
  for_real_type(given.z, [&]<typename Real>(Real) {
    pair_mlp_forward<Real>(batch, matrix<const Real>(given.z), mlp<const Real>(given), write<Real>(made.rows),
                           write<Real>(made.out));
  });
  return made;
}

template <>
PairMlpTensors Kernels<Cpu>::pair_mlp_back(const PairBatch& batch, const PairMlpTensors& given, const at::Tensor& sums,
                                           const at::Tensor& d_scores) {
  const at::Tensor d_sums = at::empty_like(sums);
  const PairMlpTensors back{at::empty_like(given.z), at::empty_like(given.hidden_weight),
                            at::empty_like(given.hidden_bias), at::empty_like(given.weight),
                            at::empty_like(given.bias)};
  for_real_type(d_scores, [&]<typename Real>(Real) {
    pair_mlp_backward<Real>(batch, matrix<const Real>(given.z), mlp<const Real>(given), read<Real>(sums),
                            read<Real>(d_scores), write<Real>(d_sums), matrix<Real>(back.z), mlp<Real>(back));
  });
  return back;
}

}  // namespace gir
