#pragma once

#include <torch/types.h>

#include <cstdlib>
#include <string>

#include "gir/nn/activation.h"
#include "gir/nn/add_messages.h"
#include "gir/nn/anchor_messages.h"
#include "gir/nn/device.h"
#include "gir/nn/frontier_linear.h"
#include "gir/nn/linear.h"
#include "gir/nn/node_input.h"
#include "gir/nn/norm.h"
#include "gir/nn/pair_ops.h"

/// The functions under test, on the device in GIR_TEST_DEVICE (default: the CPU): arguments are copied to the device,
/// and results and gradients back. Everything else in a test runs on the CPU. So the same tests check both devices.
namespace gir::tested {

inline torch::Device device() {
  static const torch::Device chosen = [] {
    const char* name = std::getenv("GIR_TEST_DEVICE");
    return torch_device(make_context(name == nullptr ? "cpu" : name).device);
  }();
  return chosen;
}

inline torch::Tensor to_device(const torch::Tensor& tensor) { return tensor.defined() ? tensor.to(device()) : tensor; }

inline torch::Tensor relu_dropout(const torch::Tensor& x, const ReluDropout& options) {
  return gir::relu_dropout(to_device(x), options).cpu();
}

inline torch::Tensor linear(const torch::Tensor& x, const torch::Tensor& w, const torch::Tensor& bias) {
  return gir::linear(to_device(x), to_device(w), to_device(bias)).cpu();
}

inline torch::Tensor frontier_linear(const torch::Tensor& h, const torch::Tensor& w_self,
                                     const torch::Tensor& w_messages, const torch::Tensor& bias,
                                     const Messages& messages) {
  return gir::frontier_linear(to_device(h), to_device(w_self), to_device(w_messages), to_device(bias), messages).cpu();
}

inline torch::Tensor add_messages(const torch::Tensor& base, const torch::Tensor& q, const Messages& messages) {
  return gir::add_messages(to_device(base), to_device(q), messages).cpu();
}

inline torch::Tensor add_max_messages(const torch::Tensor& base, const torch::Tensor& q, const Messages& messages) {
  return gir::add_max_messages(to_device(base), to_device(q), messages).cpu();
}

inline torch::Tensor add_attention_messages(const torch::Tensor& base, const torch::Tensor& q,
                                            const torch::Tensor& sender_scores, const torch::Tensor& receiver_scores,
                                            const Messages& messages) {
  return gir::add_attention_messages(to_device(base), to_device(q), to_device(sender_scores),
                                     to_device(receiver_scores), messages)
      .cpu();
}

inline torch::Tensor input_linear(const NodeInput& input, const torch::Tensor& w,
                                  const InputLinearOptions& options = {}) {
  return gir::input_linear(input, to_device(w), {.base = to_device(options.base), .dropout = options.dropout}).cpu();
}

/// Running statistics are copied back, too.
inline torch::Tensor batch_norm(const torch::Tensor& x, const torch::Tensor& gamma, const torch::Tensor& beta,
                                const torch::Tensor& running_mean, const torch::Tensor& running_variance,
                                const BatchNormOptions& options = {}) {
  const torch::Tensor mean = to_device(running_mean);
  const torch::Tensor variance = to_device(running_variance);
  const torch::Tensor out =
      gir::batch_norm(to_device(x), to_device(gamma), to_device(beta), mean, variance, options).cpu();
  const torch::NoGradGuard no_gradients;
  if (!mean.is_same(running_mean)) running_mean.copy_(mean);
  if (!variance.is_same(running_variance)) running_variance.copy_(variance);
  return out;
}

inline void recalibrate_batch_norm(const torch::Tensor& x, const torch::Tensor& running_mean,
                                   const torch::Tensor& running_variance) {
  const torch::Tensor mean = to_device(running_mean);
  const torch::Tensor variance = to_device(running_variance);
  gir::recalibrate_batch_norm(to_device(x), mean, variance);
  running_mean.copy_(mean);
  running_variance.copy_(variance);
}

inline torch::Tensor layer_norm(const torch::Tensor& x, const torch::Tensor& gamma, const torch::Tensor& beta,
                                double epsilon = 1e-5) {
  return gir::layer_norm(to_device(x), to_device(gamma), to_device(beta), epsilon).cpu();
}

inline torch::Tensor l2_normalise(const torch::Tensor& x, double epsilon = 1e-12) {
  return gir::l2_normalise(to_device(x), epsilon).cpu();
}

inline torch::Tensor pair_product(const torch::Tensor& z, const PairBatch& batch) {
  return gir::pair_product(to_device(z), batch).cpu();
}

inline torch::Tensor pair_dot(const torch::Tensor& z, const PairBatch& batch) {
  return gir::pair_dot(to_device(z), batch).cpu();
}

inline torch::Tensor pair_mlp(const torch::Tensor& z, const torch::Tensor& hidden_weight,
                              const torch::Tensor& hidden_bias, const torch::Tensor& weight, const torch::Tensor& bias,
                              const PairBatch& batch) {
  return gir::pair_mlp(to_device(z), to_device(hidden_weight), to_device(hidden_bias), to_device(weight),
                       to_device(bias), batch)
      .cpu();
}

inline torch::Tensor mean_anchor_messages(const torch::Tensor& p, const torch::Tensor& q, const torch::Tensor& scales,
                                          const AnchorMessages& messages) {
  return gir::mean_anchor_messages(to_device(p), to_device(q), to_device(scales), messages).cpu();
}

inline torch::Tensor anchor_positions(const torch::Tensor& p, const torch::Tensor& q, const torch::Tensor& scales,
                                      const torch::Tensor& weights, const AnchorMessages& messages) {
  return gir::anchor_positions(to_device(p), to_device(q), to_device(scales), to_device(weights), messages).cpu();
}

}  // namespace gir::tested
