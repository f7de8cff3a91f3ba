#pragma once

#include <ATen/core/Tensor.h>

#include <span>

#include "dropout.h"
#include "gir/core/error.h"
#include "gir/nn/anchor_messages.h"
#include "gir/nn/messages.h"
#include "gir/nn/node_input.h"
#include "gir/nn/norm.h"
#include "gir/nn/optimizer_step.h"
#include "gir/nn/pair_ops.h"

namespace gir {

/// A layer's weights, or their gradients.
struct LayerTensors {
  at::Tensor self;
  at::Tensor messages;
  at::Tensor bias;
};

struct LayerGradients {
  at::Tensor h;
  LayerTensors weights;
};

struct LinearGradients {
  at::Tensor x;
  at::Tensor w;
  at::Tensor bias;
};

struct MaxMessages {
  at::Tensor out;
  at::Tensor chosen;  ///< argmax, int32 [nodes, width]: the sender of every maximum; only rows of receivers are set
};

/// The inputs of attention, or their gradients.
struct AttentionTensors {
  at::Tensor q;
  at::Tensor sender_scores;
  at::Tensor receiver_scores;
};

/// The result of attention, and the softmax statistics that its backward pass needs (AttentionSums).
struct AttentionResult {
  at::Tensor out;
  at::Tensor largest;
  at::Tensor inverse_totals;
};

/// The input and parameters of a normalisation layer, or their gradients.
struct NormTensors {
  at::Tensor x;
  at::Tensor gamma;
  at::Tensor beta;
};

/// The gradient with respect to the result of batch norm, through a fused activation if there is one.
struct NormOutputGradient {
  at::Tensor d_out;
  at::Tensor mask =
      {};            ///< WithRows::rows of batch_norm(): where the activation passes gradients; undefined without one
  double scale = 1;  ///< dropout scale of the activation
};

/// A result, and additional values that its backward pass needs.
struct WithRows {
  at::Tensor out;
  at::Tensor rows;
};

/// The terms of P-GNN's messages, or their gradients; `weights` for anchor_positions() only.
struct AnchorTensors {
  at::Tensor p;
  at::Tensor q;
  at::Tensor scales;
  at::Tensor weights = {};
};

/// The inputs and weights of pair_mlp(), or their gradients.
struct PairMlpTensors {
  at::Tensor z;
  at::Tensor hidden_weight;
  at::Tensor hidden_bias;
  at::Tensor weight;
  at::Tensor bias;
};

struct Cpu;
struct Cuda;

/// The kernels of one device type: the forward and backward pass (`_back`) of every differentiable operation, and
/// optimiser steps. Each is declared here once and defined for every device: Kernels<Cpu> in cpu/kernels_*.cpp
/// (parallel, bit-identical on any number of threads), Kernels<Cuda> in cuda/kernels_*.cpp (on the current GPU and
/// stream; sums have a fixed order, without atomic additions, and are therefore deterministic).
///
/// The functions of include/gir/nn define the operations, and check shapes and types before they call a kernel. Tensors
/// are on the device, contiguous, float or double; an undefined or empty tensor stands for an omitted argument.
/// Gradients that are not needed are undefined.
template <typename Device>
struct Kernels {
  static at::Tensor relu_dropout(const at::Tensor& x, const Dropout& dropout);
  static at::Tensor relu_dropout_back(const at::Tensor& out, const at::Tensor& d_out, double scale);

  static at::Tensor linear(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias);
  static LinearGradients linear_back(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias,
                                     const at::Tensor& d_out, bool wants_x);

  /// Sum over rows: the gradient of a bias that was added to every row.
  static at::Tensor column_sums(const at::Tensor& matrix);

  static at::Tensor frontier_linear(const Messages& messages, const at::Tensor& h, const LayerTensors& weights);
  static LayerGradients frontier_linear_back(const Messages& messages, const at::Tensor& h, const LayerTensors& weights,
                                             const at::Tensor& d_out, bool wants_h);

  static at::Tensor add_messages(const Messages& messages, const at::Tensor& base, const at::Tensor& q);
  static at::Tensor add_messages_back(const Messages& messages, const at::Tensor& d_out);

  static MaxMessages add_max_messages(const Messages& messages, const at::Tensor& base, const at::Tensor& q,
                                      bool keep_chosen);
  static at::Tensor add_max_messages_back(const Messages& messages, const at::Tensor& chosen, const at::Tensor& d_out);

  static AttentionResult add_attention_messages(const Messages& messages, const at::Tensor& base,
                                                const AttentionTensors& given);
  static AttentionTensors add_attention_messages_back(const Messages& messages, const AttentionTensors& given,
                                                      const AttentionResult& made, const at::Tensor& d_out);

  static at::Tensor input_linear(const NodeInput& input, const InputDropout* dropout, const at::Tensor& w,
                                 const at::Tensor& base);
  static at::Tensor input_linear_back(const NodeInput& input, const InputDropout* dropout, const at::Tensor& d_out);

  /// Mean and inverse standard deviation for the normalisation of every column, double [2, width]. In training updates
  /// the running statistics.
  static at::Tensor column_norms(const at::Tensor& x, const at::Tensor& running_mean,
                                 const at::Tensor& running_variance, const BatchNormOptions& options);
  /// With a fused activation, `rows` of the result is its mask in a device-specific form (or the result itself).
  static WithRows batch_norm(const NormTensors& given, const at::Tensor& norms, const Dropout* activation);

  /// `own_moments`: `norms` are batch statistics of x, so the gradient flows through them, too.
  static NormTensors batch_norm_back(const NormTensors& given, const at::Tensor& norms, bool own_moments,
                                     const NormOutputGradient& gradient, bool wants_x);

  static WithRows layer_norm(const NormTensors& given, double epsilon);
  static NormTensors layer_norm_back(const NormTensors& given, const at::Tensor& rows, const at::Tensor& d_out,
                                     bool wants_x);

  static WithRows l2_normalise(const at::Tensor& x, double epsilon);
  static at::Tensor l2_normalise_back(const WithRows& made, double epsilon, const at::Tensor& d_out);

  static at::Tensor pair_product(const PairBatch& batch, const at::Tensor& z);
  static at::Tensor pair_product_back(const PairBatch& batch, const at::Tensor& z, const at::Tensor& d_out);
  static at::Tensor pair_dot(const PairBatch& batch, const at::Tensor& z);
  static at::Tensor pair_dot_back(const PairBatch& batch, const at::Tensor& z, const at::Tensor& d_scores);

  /// The scores, and the pre-activations of the hidden layer if `keep_sums`.
  static WithRows pair_mlp(const PairBatch& batch, const PairMlpTensors& given, bool keep_sums);
  static PairMlpTensors pair_mlp_back(const PairBatch& batch, const PairMlpTensors& given, const at::Tensor& sums,
                                      const at::Tensor& d_scores);

  static at::Tensor mean_anchor_messages(const AnchorMessages& messages, const AnchorTensors& given);
  static AnchorTensors mean_anchor_messages_back(const AnchorMessages& messages, const AnchorTensors& given,
                                                 const at::Tensor& d_out);
  static at::Tensor anchor_positions(const AnchorMessages& messages, const AnchorTensors& given);
  static AnchorTensors anchor_positions_back(const AnchorMessages& messages, const AnchorTensors& given,
                                             const at::Tensor& d_out);

  static void adam_step(std::span<const StepTensors> tensors, const at::Tensor& factors);
  static void lamb_step(std::span<const StepTensors> tensors, const at::Tensor& factors);
};

/// Calls `call(kernels)` with the kernels of the device that `tensor` is on:
///
///     return on_device_of(x, [&](auto kernels) { return kernels.linear(x, w, bias); });
template <typename Call>
auto on_device_of(const at::Tensor& tensor, const Call& call) {
#ifdef GIR_CUDA
  if (tensor.is_cuda()) return call(Kernels<Cuda>());
#endif
  ensure(tensor.is_cpu(), "a tensor on a device that this build computes on");
  return call(Kernels<Cpu>());
}

}  // namespace gir
