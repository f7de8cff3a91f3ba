#pragma once

#include "../kernels.h"

namespace gir::cuda {

/// On an NVIDIA GPU: the current one, in the order of the current stream. Sums are made in a fixed order, without
/// atomic additions.
class CudaKernels final : public Kernels {
 public:
  at::Tensor relu_dropout(const at::Tensor& x, const Dropout& dropout) const override;
  at::Tensor relu_dropout_back(const at::Tensor& out, const at::Tensor& d_out, double scale) const override;

  at::Tensor linear(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias) const override;
  LinearGradients linear_back(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias, const at::Tensor& d_out,
                              bool wants_x) const override;

  at::Tensor column_sums(const at::Tensor& matrix) const override;

  at::Tensor frontier_linear(const Messages& messages, const at::Tensor& h, const LayerTensors& weights) const override;
  LayerGradients frontier_linear_back(const Messages& messages, const at::Tensor& h, const LayerTensors& weights,
                                      const at::Tensor& d_out, bool wants_h) const override;

  at::Tensor add_messages(const Messages& messages, const at::Tensor& base, const at::Tensor& q) const override;
  at::Tensor add_messages_back(const Messages& messages, const at::Tensor& d_out) const override;

  MaxMessages add_max_messages(const Messages& messages, const at::Tensor& base, const at::Tensor& q,
                               bool keep_chosen) const override;
  at::Tensor add_max_messages_back(const Messages& messages, const at::Tensor& chosen,
                                   const at::Tensor& d_out) const override;

  AttentionResult add_attention_messages(const Messages& messages, const at::Tensor& base,
                                         const AttentionTensors& given) const override;
  AttentionTensors add_attention_messages_back(const Messages& messages, const AttentionTensors& given,
                                               const AttentionResult& made, const at::Tensor& d_out) const override;

  at::Tensor input_linear(const NodeInput& input, const InputDropout* dropout, const at::Tensor& w,
                          const at::Tensor& base) const override;
  at::Tensor input_linear_back(const NodeInput& input, const InputDropout* dropout,
                               const at::Tensor& d_out) const override;

  at::Tensor column_norms(const at::Tensor& x, const at::Tensor& running_mean, const at::Tensor& running_variance,
                          const BatchNormOptions& options) const override;
  WithRows batch_norm(const NormTensors& given, const at::Tensor& norms, const Dropout* activation) const override;
  NormTensors batch_norm_back(const NormTensors& given, const at::Tensor& norms, bool own_moments,
                              const BackToNorm& gradient, bool wants_x) const override;

  WithRows layer_norm(const NormTensors& given, double epsilon) const override;
  NormTensors layer_norm_back(const NormTensors& given, const at::Tensor& rows, const at::Tensor& d_out,
                              bool wants_x) const override;

  WithRows l2_normalise(const at::Tensor& x, double epsilon) const override;
  at::Tensor l2_normalise_back(const WithRows& made, double epsilon, const at::Tensor& d_out) const override;

  at::Tensor pair_product(const PairBatch& batch, const at::Tensor& z) const override;
  at::Tensor pair_product_back(const PairBatch& batch, const at::Tensor& z, const at::Tensor& d_out) const override;
  at::Tensor pair_dot(const PairBatch& batch, const at::Tensor& z) const override;
  at::Tensor pair_dot_back(const PairBatch& batch, const at::Tensor& z, const at::Tensor& d_scores) const override;
  WithRows pair_mlp(const PairBatch& batch, const PairMlpTensors& given, bool keep_sums) const override;
  PairMlpTensors pair_mlp_back(const PairBatch& batch, const PairMlpTensors& given, const at::Tensor& sums,
                               const at::Tensor& d_scores) const override;

  at::Tensor mean_anchor_messages(const AnchorMessages& messages, const AnchorTensors& given) const override;
  AnchorTensors mean_anchor_messages_back(const AnchorMessages& messages, const AnchorTensors& given,
                                          const at::Tensor& d_out) const override;
  at::Tensor anchor_positions(const AnchorMessages& messages, const AnchorTensors& given) const override;
  AnchorTensors anchor_positions_back(const AnchorMessages& messages, const AnchorTensors& given,
                                      const at::Tensor& d_out) const override;

  void adam_step(std::span<const StepTensors> tensors, const StepFactors& factors) const override;
  void lamb_step(std::span<const StepTensors> tensors, const StepFactors& factors) const override;
};

}  // namespace gir::cuda
