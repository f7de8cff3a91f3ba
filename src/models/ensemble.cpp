#include "ensemble.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/stack.h>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "gir/core/random.h"

namespace gir {
namespace {

class Ensemble : public Model {
 public:
  Ensemble(const ModelEntry& entry, const ModelInputs& inputs, const ModelOptions& options)
      : Model(inputs.seed, options.initial), has_classes_(inputs.classes > 0) {
    const RandomStream seeds(inputs.seed, "model/members");
    for (std::int64_t i = 0; i < options.members; ++i) {
      ModelInputs own = inputs;
      own.seed = seeds.bits(static_cast<std::uint64_t>(i));
      members_.push_back(entry.make(own, options));
      parameters().adopt(fmt::format("member{}.", i + 1), members_.back()->parameters(), /*frozen=*/false);
    }
  }

  std::int64_t output_width() const override {
    return members_.front()->output_width() * (has_classes_ ? 1 : std::ssize(members_));
  }

  bool labels_all_nodes() const override { return members_.front()->labels_all_nodes(); }
  bool repeats() const override { return members_.front()->repeats(); }
  std::int64_t longest_segment() const override { return members_.front()->longest_segment(); }

  void checkpoint_activations(std::int64_t segment) override {
    for (const auto& member : members_) member->checkpoint_activations(segment);
  }

  std::int64_t activation_bytes(std::int64_t segment) const override {
    return std::ssize(members_) * members_.front()->activation_bytes(segment);
  }

  ModelOutput forward(const ForwardOptions& options) override {
    std::vector<at::Tensor> embeddings;
    std::vector<at::Tensor> logits;
    for (const auto& member : members_) {
      ModelOutput output = member->forward(options);
      embeddings.push_back(output.embeddings);
      logits.push_back(output.outputs);
    }
    const at::Tensor joined = at::cat(embeddings, 1);
    if (!has_classes_) return {joined, joined};
    std::vector<at::Tensor> log_probabilities;
    for (const at::Tensor& each : logits) log_probabilities.push_back(at::log_softmax(each, 1));
    // The logarithm of the sum, not of the mean: a softmax does not depend on the constant difference.
    const at::Tensor mean = at::logsumexp(at::stack(log_probabilities), 0);
    return {.embeddings = joined, .outputs = mean, .members = options.training ? logits : std::vector<at::Tensor>{}};
  }

 private:
  bool has_classes_;
  std::vector<std::unique_ptr<Model>> members_;
};

}  // namespace

std::unique_ptr<Model> make_ensemble(const ModelEntry& entry, const ModelInputs& inputs, const ModelOptions& options) {
  return std::make_unique<Ensemble>(entry, inputs, options);
}

}  // namespace gir
