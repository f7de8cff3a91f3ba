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
    if (classes_ == 0) throw UserError("experts are fused to decide about classes of nodes [`task` nc]");
    const std::int64_t count = std::ssize(experts_.models);
    if (count < 2) {
      throw UserError("{} cannot be fused [name two or more]", count == 0 ? "no experts" : "a single expert");
    }
    ensure(options.gate.hidden >= 1, "a gate with a hidden layer");
    const std::int64_t width = count * classes_;
    hidden_weight_ = parameters().weight("gate.hidden", width, options.gate.hidden);
    hidden_bias_ = parameters().bias("gate.hidden-bias", options.gate.hidden, width);
    out_weight_ = parameters().weight("gate.out", options.gate.hidden, count);
    out_bias_ = parameters().bias("gate.out-bias", count, options.gate.hidden);
    begin_undecided();
    for (std::int64_t i = 0; i < count; ++i) {
      const Model& expert = *experts_.models[static_cast<std::size_t>(i)];
      ensure(expert.output_width() == classes_, "experts that know the same classes");
      parameters().adopt(fmt::format("expert{}.", i + 1), expert.parameters(), experts_.frozen);
    }
  }

  std::int64_t output_width() const override { return classes_; }

  bool repeats() const override {
    return std::all_of(experts_.models.begin(), experts_.models.end(),
                       [&](const Model* expert) { return experts_.frozen || expert->repeats(); });
  }

  std::int64_t longest_stretch() const override {
    std::int64_t longest = 0;
    for (const Model* expert : learning_experts()) longest = std::max(longest, expert->longest_stretch());
    return longest;
  }

  void compute_twice(std::int64_t stretch) override {
    for (Model* expert : learning_experts()) expert->compute_twice(stretch);
  }

  std::int64_t activation_bytes(std::int64_t stretch) const override {
    std::int64_t bytes = 0;
    for (const Model* expert : learning_experts()) bytes += expert->activation_bytes(stretch);
    return bytes;
  }

  ModelOutput forward(const ForwardOptions& options) override {
    if (!experts_.frozen) return fuse(ask(options), options.training);
    if (answers_.empty()) {
      const at::NoGradGuard no_gradients;
      answers_ = ask({});
    }
    return fuse(answers_, options.training);
  }

 private:
  /// All experts weigh the same until something is learnt. Random weights would begin with a random opinion of outputs
  /// that are large already, and take long to forget it.
  void begin_undecided() {
    const at::NoGradGuard no_gradients;
    out_weight_.zero_();
    out_bias_.zero_();
  }

  std::vector<Model*> learning_experts() const { return experts_.frozen ? std::vector<Model*>() : experts_.models; }

  std::vector<ModelOutput> ask(const ForwardOptions& options) {
    std::vector<ModelOutput> answers;
    for (Model* expert : experts_.models) answers.push_back(expert->forward(options));
    return answers;
  }

  /// p = sum over experts of g_i softmax(z_i), in logarithms. Training does not look at embeddings.
  ModelOutput fuse(const std::vector<ModelOutput>& answers, bool training) const {
    ModelOutput fused;
    std::vector<at::Tensor> embeddings;
    for (const ModelOutput& answer : answers) {
      fused.experts.push_back(answer.outputs);
      embeddings.push_back(answer.embeddings);
    }
    const at::Tensor log_shares = at::log_softmax(at::stack(fused.experts, 1), 2);  // [nodes, experts, classes]
    const at::Tensor seen = reads_probabilities_ ? log_shares.exp().flatten(1) : at::cat(fused.experts, 1);
    const at::Tensor hidden = at::relu(linear(seen, hidden_weight_, hidden_bias_));
    const at::Tensor log_gate = at::log_softmax(linear(hidden, out_weight_, out_bias_), 1);
    fused.outputs = at::logsumexp(log_shares + log_gate.unsqueeze(2), 1);
    if (!training) fused.embeddings = at::cat(embeddings, 1);
    fused.gate = log_gate.exp();
    return fused;
  }

  Experts experts_;
  std::int64_t classes_;
  bool reads_probabilities_;
  at::Tensor hidden_weight_, hidden_bias_, out_weight_, out_bias_;
  std::vector<ModelOutput> answers_;  ///< of frozen experts
};

const Registered<ModelEntry> entry{{
    .name = "fusion",
    .summary = "a gate that weighs the decisions of any experts, node by node (`experts`)",
    .uses_anchors = false,
    .fuses = true,
    .make = make_fusion,
}};

}  // namespace

std::unique_ptr<Model> make_fusion(const ModelInputs& inputs, const ModelOptions& options) {
  return std::make_unique<Fusion>(inputs, options);
}

}  // namespace gir
