#include "fusion.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/stack.h>
#include <fmt/format.h>

#include "gir/core/error.h"
#include "gir/nn/linear.h"

namespace gir {
namespace {

class Fusion : public Model {
 public:
  Fusion(const ModelInputs& inputs, const ModelOptions& options)
      : Model(inputs.seed, options.initial),
        experts_(inputs.experts),
        classes_(inputs.classes),
        reads_probabilities_(options.gate.probabilities) {
    if (classes_ == 0) throw UserError("fusion requires node classification [`task` nc]");
    const std::int64_t count = std::ssize(experts_.models);
    if (count < 2) {
      throw UserError("{} cannot be fused [name two or more]", count == 0 ? "no experts" : "a single expert");
    }
    ensure(options.gate.hidden >= 1, "a hidden size of at least 1");
    const std::int64_t width = count * classes_;
    hidden_weight_ = parameters().weight("gate.hidden", width, options.gate.hidden);
    hidden_bias_ = parameters().bias("gate.hidden-bias", options.gate.hidden, width);
    out_weight_ = parameters().weight("gate.out", options.gate.hidden, count);
    out_bias_ = parameters().bias("gate.out-bias", count, options.gate.hidden);
    zero_output_layer();
    for (std::int64_t i = 0; i < count; ++i) {
      const Model& expert = *experts_.models[static_cast<std::size_t>(i)];
      ensure(expert.output_width() == classes_, "experts with the same classes");
      parameters().adopt(fmt::format("expert{}.", i + 1), expert.parameters(), experts_.frozen);
    }
  }

  std::int64_t output_width() const override { return classes_; }

  bool repeats() const override {
    return std::all_of(experts_.models.begin(), experts_.models.end(),
                       [&](const Model* expert) { return experts_.frozen || expert->repeats(); });
  }

  std::int64_t longest_segment() const override {
    std::int64_t longest = 0;
    for (const Model* expert : trained_experts()) longest = std::max(longest, expert->longest_segment());
    return longest;
  }

  void checkpoint_activations(std::int64_t segment) override {
    for (Model* expert : trained_experts()) expert->checkpoint_activations(segment);
  }

  std::int64_t activation_bytes(std::int64_t segment) const override {
    std::int64_t bytes = 0;
    for (const Model* expert : trained_experts()) bytes += expert->activation_bytes(segment);
    return bytes;
  }

  ModelOutput forward(const ForwardOptions& options) override {
    if (!experts_.frozen) return fuse(run_experts(options), options.training);
    if (frozen_outputs_.empty()) {
      const at::NoGradGuard no_gradients;
      frozen_outputs_ = run_experts({});
    }
    return fuse(frozen_outputs_, options.training);
  }

 private:
  /// Initialises the gate with equal weights for all experts. The logits of trained experts are large, so a random
  /// initialisation would prefer an expert at random, and unlearning that takes many epochs.
  void zero_output_layer() {
    const at::NoGradGuard no_gradients;
    out_weight_.zero_();
    out_bias_.zero_();
  }

  std::vector<Model*> trained_experts() const { return experts_.frozen ? std::vector<Model*>() : experts_.models; }

  std::vector<ModelOutput> run_experts(const ForwardOptions& options) {
    std::vector<ModelOutput> outputs;
    for (Model* expert : experts_.models) outputs.push_back(expert->forward(options));
    return outputs;
  }

  /// log p with p = Σ over experts of g_i softmax(z_i), for gate weights g and logits z of the experts; in log space
  /// for numerical stability. Embeddings are not needed in training.
  ModelOutput fuse(const std::vector<ModelOutput>& outputs, bool training) const {
    ModelOutput fused;
    std::vector<at::Tensor> embeddings;
    for (const ModelOutput& output : outputs) {
      fused.experts.push_back(output.outputs);
      embeddings.push_back(output.embeddings);
    }
    const at::Tensor log_probabilities = at::log_softmax(at::stack(fused.experts, 1), 2);  // [nodes, experts, classes]
    const at::Tensor gate_input = reads_probabilities_ ? log_probabilities.exp().flatten(1) : at::cat(fused.experts, 1);
    const at::Tensor hidden = at::relu(linear(gate_input, hidden_weight_, hidden_bias_));
    const at::Tensor log_gate = at::log_softmax(linear(hidden, out_weight_, out_bias_), 1);
    fused.outputs = at::logsumexp(log_probabilities + log_gate.unsqueeze(2), 1);
    if (!training) fused.embeddings = at::cat(embeddings, 1);
    fused.gate = log_gate.exp();
    return fused;
  }

  Experts experts_;
  std::int64_t classes_;
  bool reads_probabilities_;
  at::Tensor hidden_weight_, hidden_bias_, out_weight_, out_bias_;
  std::vector<ModelOutput> frozen_outputs_;  ///< of frozen experts, computed once
};

const Registered<ModelEntry> entry{{
    .name = "fusion",
    .summary = "mixture of experts: a gating network weights the predictions of `experts` per node",
    .uses_anchors = false,
    .fuses = true,
    .make = make_fusion,
}};

}  // namespace

std::unique_ptr<Model> make_fusion(const ModelInputs& inputs, const ModelOptions& options) {
  return std::make_unique<Fusion>(inputs, options);
}

}  // namespace gir
