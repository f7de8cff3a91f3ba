// Kernels<Cuda>: normalisation, and the operations on pairs of nodes.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <optional>

#include "../kernels.h"
#include "norms.h"
#include "pairs.h"
#include "recording.h"
#include "tensors.h"

namespace gir::cuda {
namespace {

constexpr std::int64_t kPairsAtOnce = 1 << 20;  ///< in evaluation

NormTensors gradients_like(const NormTensors& given, bool wants_x) {
  return {wants_x ? at::empty_like(given.x) : at::Tensor(), at::empty_like(given.gamma), at::empty_like(given.gamma)};
}

/// The bit mask in the result of batch_norm(); null if that is the output of the activation instead.
std::uint8_t* read_mask(const at::Tensor& rows) {
  return rows.defined() && rows.scalar_type() == at::kByte ? write<std::uint8_t>(rows) : nullptr;
}

/// Workspace for the sums of normalisation kernels.
at::Tensor norm_workspace(const at::Tensor& x) {
  return at::empty({cuda::norm_workspace(grid_of(x))}, x.options().dtype(at::kDouble));
}

PairRows rows_of(const PairBatch& batch) {
  if (const std::optional<PairTensors>& made = batch.on_device()) {
    return {.pairs = batch.num_pairs(),
            .nodes = static_cast<const NodePair*>(made->pairs.data_ptr()),
            .num_nodes = batch.num_nodes(),
            .offsets = read<std::int64_t>(made->offsets),
            .pair_of = read<std::int32_t>(made->pair_of),
            .partner = read<NodeId>(made->partner)};
  }
  return {.pairs = batch.num_pairs(),
          .nodes = on_device(batch.pairs()),
          .num_nodes = batch.num_nodes(),
          .offsets = on_device(batch.offsets()),
          .pair_of = on_device(batch.pair_of()),
          .partner = on_device(batch.partner())};
}

}  // namespace
}  // namespace gir::cuda

namespace gir {

using namespace cuda;

template <>
at::Tensor Kernels<Cuda>::column_norms(const at::Tensor& x, const at::Tensor& running_mean,
                                       const at::Tensor& running_variance, const BatchNormOptions& options) {
  if (!options.training) {
    const at::Tensor mean = running_mean.to(at::kDouble);
    return at::stack({mean, at::rsqrt(running_variance.to(at::kDouble) + options.epsilon)});
  }
  at::Tensor norms = at::empty({2, x.size(1)}, x.options().dtype(at::kDouble));
  const at::Tensor workspace = norm_workspace(x);
  for_real_type(x, [&]<typename Real>(Real) {
    cuda::column_norms(read<Real>(x), grid_of(x), options.momentum, options.epsilon, write<Real>(running_mean),
                       write<Real>(running_variance), write<double>(norms), write<double>(workspace), current_stream());
  });
  return norms;
}

template <>
WithRows Kernels<Cuda>::batch_norm(const NormTensors& given, const at::Tensor& norms, const Dropout* activation) {
  WithRows made{at::empty_like(given.x), {}};
  std::optional<EpochDropout> dropout;
  if (activation != nullptr) dropout = epoch_dropout(*activation);
  for_real_type(given.x, [&]<typename Real>(Real) {
    const Grid grid = grid_of(given.x);
    const std::int64_t bytes = mask_bytes(grid, read<Real>(given.x), read<Real>(made.out));
    if (activation != nullptr) {
      made.rows = bytes == 0 ? made.out : at::empty({bytes}, given.x.options().dtype(at::kByte));
    }
    cuda::batch_norm(read<Real>(given.x), grid, read<double>(norms), read<Real>(given.gamma), read<Real>(given.beta),
                     dropout ? &*dropout : nullptr, write<Real>(made.out), read_mask(made.rows), current_stream());
  });
  return made;
}

template <>
NormTensors Kernels<Cuda>::batch_norm_back(const NormTensors& given, const at::Tensor& norms, bool own_moments,
                                           const NormOutputGradient& gradient, bool wants_x) {
  const NormTensors back = gradients_like(given, wants_x);
  const at::Tensor workspace = norm_workspace(given.x);
  const at::Tensor factors = at::empty({4, given.x.size(1)}, given.x.options());
  for_real_type(given.x, [&]<typename Real>(Real) {
    cuda::batch_norm_back<Real>(read<Real>(given.x), grid_of(given.x), read<double>(norms), own_moments,
                                read<Real>(given.gamma),
                                {.d_out = read<Real>(gradient.d_out),
                                 .mask = read_mask(gradient.mask),
                                 .out = read_mask(gradient.mask) == nullptr ? read<Real>(gradient.mask) : nullptr,
                                 .scale = static_cast<Real>(gradient.scale)},
                                write<Real>(back.x), write<Real>(back.gamma), write<Real>(back.beta),
                                write<Real>(factors), write<double>(workspace), current_stream());
  });
  return back;
}

template <>
WithRows Kernels<Cuda>::layer_norm(const NormTensors& given, double epsilon) {
  const WithRows made{at::empty_like(given.x), at::empty({given.x.size(0), 2}, given.x.options().dtype(at::kDouble))};
  for_real_type(given.x, [&]<typename Real>(Real) {
    cuda::layer_norm(read<Real>(given.x), grid_of(given.x), read<Real>(given.gamma), read<Real>(given.beta), epsilon,
                     write<double>(made.rows), write<Real>(made.out), current_stream());
  });
  return made;
}

template <>
NormTensors Kernels<Cuda>::layer_norm_back(const NormTensors& given, const at::Tensor& rows, const at::Tensor& d_out,
                                           bool wants_x) {
  const NormTensors back = gradients_like(given, wants_x);
  const at::Tensor workspace = norm_workspace(given.x);
  for_real_type(given.x, [&]<typename Real>(Real) {
    cuda::layer_norm_back(read<Real>(given.x), grid_of(given.x), read<double>(rows), read<Real>(given.gamma),
                          read<Real>(d_out), write<Real>(back.x), write<Real>(back.gamma), write<Real>(back.beta),
                          write<double>(workspace), current_stream());
  });
  return back;
}

template <>
WithRows Kernels<Cuda>::l2_normalise(const at::Tensor& x, double epsilon) {
  const WithRows made{at::empty_like(x), at::empty({x.size(0)}, x.options().dtype(at::kDouble))};
  for_real_type(x, [&]<typename Real>(Real) {
    cuda::l2_normalise(read<Real>(x), grid_of(x), epsilon, write<double>(made.rows), write<Real>(made.out),
                       current_stream());
  });
  return made;
}

template <>
at::Tensor Kernels<Cuda>::l2_normalise_back(const WithRows& made, double epsilon, const at::Tensor& d_out) {
  at::Tensor d_x = at::empty_like(made.out);
  for_real_type(made.out, [&]<typename Real>(Real) {
    cuda::l2_normalise_back(read<Real>(made.out), grid_of(made.out), read<double>(made.rows), epsilon,
                            read<Real>(d_out), write<Real>(d_x), current_stream());
  });
  return d_x;
}

template <>
at::Tensor Kernels<Cuda>::pair_product(const PairBatch& batch, const at::Tensor& z) {
  at::Tensor out = at::empty({batch.num_pairs(), z.size(1)}, z.options());
  for_real_type(z, [&]<typename Real>(Real) {
    cuda::pair_product(rows_of(batch), read<Real>(z), z.size(1), write<Real>(out), current_stream());
  });
  return out;
}

template <>
at::Tensor Kernels<Cuda>::pair_product_back(const PairBatch& batch, const at::Tensor& z, const at::Tensor& d_out) {
  at::Tensor d_z = at::empty_like(z);
  for_real_type(z, [&]<typename Real>(Real) {
    cuda::pair_product_back(rows_of(batch), read<Real>(z), read<Real>(d_out), z.size(1), write<Real>(d_z),
                            current_stream());
  });
  return d_z;
}

template <>
at::Tensor Kernels<Cuda>::pair_dot(const PairBatch& batch, const at::Tensor& z) {
  at::Tensor scores = at::empty({batch.num_pairs()}, z.options());
  for_real_type(z, [&]<typename Real>(Real) {
    cuda::pair_dot(rows_of(batch), read<Real>(z), z.size(1), write<Real>(scores), current_stream());
  });
  return scores;
}

template <>
at::Tensor Kernels<Cuda>::pair_dot_back(const PairBatch& batch, const at::Tensor& z, const at::Tensor& d_scores) {
  at::Tensor d_z = at::empty_like(z);
  for_real_type(z, [&]<typename Real>(Real) {
    cuda::pair_dot_back(rows_of(batch), read<Real>(z), read<Real>(d_scores), z.size(1), write<Real>(d_z),
                        current_stream());
  });
  return d_z;
}

template <>
WithRows Kernels<Cuda>::pair_mlp(const PairBatch& batch, const PairMlpTensors& given, bool keep_sums) {
  const at::Tensor& z = given.z;
  const std::int64_t hidden = given.hidden_weight.size(1);
  const std::int64_t pairs = batch.num_pairs();
  // Without gradients in batches: products and pre-activations of all pairs may take far more memory than the scores.
  const std::int64_t at_once = keep_sums ? std::max<std::int64_t>(1, pairs) : kPairsAtOnce;
  WithRows made{at::empty({pairs}, z.options()), at::empty({0, hidden}, z.options())};
  for (std::int64_t begin = 0; begin < pairs; begin += at_once) {
    PairRows rows = rows_of(batch);
    rows.nodes += begin;
    rows.pairs = std::min(at_once, pairs - begin);
    const at::Tensor products = at::empty({rows.pairs, z.size(1)}, z.options());
    for_real_type(z, [&]<typename Real>(Real) {
      cuda::pair_product(rows, read<Real>(z), z.size(1), write<Real>(products), current_stream());
      const at::Tensor sums = affine(products, given.hidden_weight, given.hidden_bias, hidden);
      mlp_scores(read<Real>(sums), rows.pairs, hidden, read<Real>(given.weight), read<Real>(given.bias),
                 write<Real>(made.out) + begin, current_stream());
      if (keep_sums) made.rows = sums;
    });
  }
  return made;
}

template <>
PairMlpTensors Kernels<Cuda>::pair_mlp_back(const PairBatch& batch, const PairMlpTensors& given, const at::Tensor& sums,
                                            const at::Tensor& d_scores) {
  const at::Tensor d_sums = at::empty_like(sums);
  for_real_type(sums, [&]<typename Real>(Real) {
    mlp_back(read<Real>(sums), batch.num_pairs(), sums.size(1), read<Real>(given.weight), read<Real>(d_scores),
             write<Real>(d_sums), current_stream());
  });
  return {pair_product_back(batch, given.z, product(d_sums, given.hidden_weight.t())),
          product(pair_product(batch, given.z).t(), d_sums), cuda::column_sums(d_sums),
          at::mv(at::relu(sums).t(), d_scores), d_scores.sum().view({1})};
}

}  // namespace gir
