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
  at::Tensor chosen;  ///< int32 like out: the sender of every value; only rows of receivers count
};

/// What attention looks at, or the gradients.
struct AttentionTensors {
  at::Tensor q;
  at::Tensor sender_scores;
  at::Tensor receiver_scores;
};

/// What attention made, and what its way back needs of it.
struct AttentionResult {
  at::Tensor out;
  at::Tensor largest;
  at::Tensor inverse_totals;
};

/// A norm's input and parameters, or the gradients.
struct NormTensors {
  at::Tensor x;
  at::Tensor gamma;
  at::Tensor beta;
};

/// What came back to a norm: where an activation follows, the gradient passes it first.
struct BackToNorm {
  at::Tensor d_out;
  at::Tensor kept = {};  ///< what batch_norm() gave to know by what the activation let through; none without one
  double scale = 1;      ///< of the activation's dropout
};

/// A result and what its way back needs beside it.
struct WithRows {
  at::Tensor out;
  at::Tensor rows;
};

/// The terms of P-GNN's messages, or their gradients; `weights` for positions alone.
struct AnchorTensors {
  at::Tensor p;
  at::Tensor q;
  at::Tensor scales;
  at::Tensor weights = {};
};

/// A perceptron on pairs and what it looks at, or the gradients.
struct PairMlpTensors {
  at::Tensor z;
  at::Tensor hidden_weight;
  at::Tensor hidden_bias;
  at::Tensor weight;
  at::Tensor bias;
};

struct Cpu;
struct Cuda;

/// What one kind of device computes: every operation of ours that has a gradient, forward and backward, and the steps
/// of optimisers. Each is declared here, once, and defined for every device: Kernels<Cpu> in cpu/kernels_*.cpp (in
/// parallel, the same bits on any number of threads), Kernels<Cuda> in cuda/kernels_*.cpp (on the current GPU and
/// stream; sums are made in a fixed order, without atomic additions).
///
/// The functions of include/gir/nn say what each operation means and check shapes and types before they call a kernel.
/// Tensors are on the device, contiguous, float or double; an undefined or empty tensor stands for a missing argument.
/// Gradients that are not wanted are undefined.
template <typename Device>
struct Kernels {
  static at::Tensor relu_dropout(const at::Tensor& x, const Dropout& dropout);
  static at::Tensor relu_dropout_back(const at::Tensor& out, const at::Tensor& d_out, double scale);

  static at::Tensor linear(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias);
  static LinearGradients linear_back(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias,
                                     const at::Tensor& d_out, bool wants_x);

  /// The gradient of something that was added to every row: the sum of every column of a matrix.
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

  /// Mean and inverse deviation to normalise every column by, double [2, width]. In training moves the running ones.
  static at::Tensor column_norms(const at::Tensor& x, const at::Tensor& running_mean,
                                 const at::Tensor& running_variance, const BatchNormOptions& options);
  /// With an activation its rows tell what that let through, in whatever form the device likes.
  static WithRows batch_norm(const NormTensors& given, const at::Tensor& norms, const Dropout* activation);

  /// `own_moments`: norms are those of x, and change with it.
  static NormTensors batch_norm_back(const NormTensors& given, const at::Tensor& norms, bool own_moments,
                                     const BackToNorm& gradient, bool wants_x);

  static WithRows layer_norm(const NormTensors& given, double epsilon);
  static NormTensors layer_norm_back(const NormTensors& given, const at::Tensor& rows, const at::Tensor& d_out,
                                     bool wants_x);

  static WithRows l2_normalise(const at::Tensor& x, double epsilon);
  static at::Tensor l2_normalise_back(const WithRows& made, double epsilon, const at::Tensor& d_out);

  static at::Tensor pair_product(const PairBatch& batch, const at::Tensor& z);
  static at::Tensor pair_product_back(const PairBatch& batch, const at::Tensor& z, const at::Tensor& d_out);
  static at::Tensor pair_dot(const PairBatch& batch, const at::Tensor& z);
  static at::Tensor pair_dot_back(const PairBatch& batch, const at::Tensor& z, const at::Tensor& d_scores);

  /// The scores, and the hidden sums where they are to be kept.
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
