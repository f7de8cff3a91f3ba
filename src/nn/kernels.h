#pragma once

#include <ATen/core/Tensor.h>

#include <span>

#include "dropout.h"
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

/// What one kind of device computes: everything of ours that has a gradient, there and back, and the step of an
/// optimiser. The functions of include/gir/nn say what each means; they check shapes and types before they ask.
/// Tensors are on the device, contiguous, float or double; where one is undefined or empty, there is none. Gradients
/// that are not wanted are undefined. The same bits again for the same tensors.
class Kernels {
 public:
  virtual ~Kernels() = default;

  virtual at::Tensor relu_dropout(const at::Tensor& x, const Dropout& dropout) const = 0;
  virtual at::Tensor relu_dropout_back(const at::Tensor& out, const at::Tensor& d_out, double scale) const = 0;

  virtual at::Tensor linear(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias) const = 0;
  virtual LinearGradients linear_back(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias,
                                      const at::Tensor& d_out, bool wants_x) const = 0;

  /// The gradient of something that was added to every row: the sum of every column of a matrix.
  virtual at::Tensor column_sums(const at::Tensor& matrix) const = 0;

  virtual at::Tensor frontier_linear(const Messages& messages, const at::Tensor& h,
                                     const LayerTensors& weights) const = 0;
  virtual LayerGradients frontier_linear_back(const Messages& messages, const at::Tensor& h,
                                              const LayerTensors& weights, const at::Tensor& d_out,
                                              bool wants_h) const = 0;

  virtual at::Tensor add_messages(const Messages& messages, const at::Tensor& base, const at::Tensor& q) const = 0;
  virtual at::Tensor add_messages_back(const Messages& messages, const at::Tensor& d_out) const = 0;

  virtual MaxMessages add_max_messages(const Messages& messages, const at::Tensor& base, const at::Tensor& q,
                                       bool keep_chosen) const = 0;
  virtual at::Tensor add_max_messages_back(const Messages& messages, const at::Tensor& chosen,
                                           const at::Tensor& d_out) const = 0;

  virtual AttentionResult add_attention_messages(const Messages& messages, const at::Tensor& base,
                                                 const AttentionTensors& given) const = 0;
  virtual AttentionTensors add_attention_messages_back(const Messages& messages, const AttentionTensors& given,
                                                       const AttentionResult& made, const at::Tensor& d_out) const = 0;

  virtual at::Tensor input_linear(const NodeInput& input, const InputDropout* dropout, const at::Tensor& w,
                                  const at::Tensor& base) const = 0;
  virtual at::Tensor input_linear_back(const NodeInput& input, const InputDropout* dropout,
                                       const at::Tensor& d_out) const = 0;

  /// Mean and inverse deviation to normalise every column by, double [2, width]. In training moves the running ones.
  virtual at::Tensor column_norms(const at::Tensor& x, const at::Tensor& running_mean,
                                  const at::Tensor& running_variance, const BatchNormOptions& options) const = 0;
  /// With an activation its rows tell what that let through, in whatever form the device likes.
  virtual WithRows batch_norm(const NormTensors& given, const at::Tensor& norms, const Dropout* activation) const = 0;

  /// `own_moments`: norms are those of x, and change with it.
  virtual NormTensors batch_norm_back(const NormTensors& given, const at::Tensor& norms, bool own_moments,
                                      const BackToNorm& gradient, bool wants_x) const = 0;

  virtual WithRows layer_norm(const NormTensors& given, double epsilon) const = 0;
  virtual NormTensors layer_norm_back(const NormTensors& given, const at::Tensor& rows, const at::Tensor& d_out,
                                      bool wants_x) const = 0;

  virtual WithRows l2_normalise(const at::Tensor& x, double epsilon) const = 0;
  virtual at::Tensor l2_normalise_back(const WithRows& made, double epsilon, const at::Tensor& d_out) const = 0;

  virtual at::Tensor pair_product(const PairBatch& batch, const at::Tensor& z) const = 0;
  virtual at::Tensor pair_product_back(const PairBatch& batch, const at::Tensor& z, const at::Tensor& d_out) const = 0;
  virtual at::Tensor pair_dot(const PairBatch& batch, const at::Tensor& z) const = 0;
  virtual at::Tensor pair_dot_back(const PairBatch& batch, const at::Tensor& z, const at::Tensor& d_scores) const = 0;

  /// The scores, and the hidden sums where they are to be kept.
  virtual WithRows pair_mlp(const PairBatch& batch, const PairMlpTensors& given, bool keep_sums) const = 0;
  virtual PairMlpTensors pair_mlp_back(const PairBatch& batch, const PairMlpTensors& given, const at::Tensor& sums,
                                       const at::Tensor& d_scores) const = 0;

  virtual at::Tensor mean_anchor_messages(const AnchorMessages& messages, const AnchorTensors& given) const = 0;
  virtual AnchorTensors mean_anchor_messages_back(const AnchorMessages& messages, const AnchorTensors& given,
                                                  const at::Tensor& d_out) const = 0;
  virtual at::Tensor anchor_positions(const AnchorMessages& messages, const AnchorTensors& given) const = 0;
  virtual AnchorTensors anchor_positions_back(const AnchorMessages& messages, const AnchorTensors& given,
                                              const at::Tensor& d_out) const = 0;

  virtual void adam_step(std::span<const StepTensors> tensors, const StepFactors& factors) const = 0;
  virtual void lamb_step(std::span<const StepTensors> tensors, const StepFactors& factors) const = 0;
};

/// Those of the device that a tensor is on. The one place that knows which devices there are.
const Kernels& kernels_for(const at::Tensor& tensor);

}  // namespace gir
