#include <ATen/TensorOperators.h>
#include <gir/learn/objective.h>

namespace {

/// Half of another objective's loss.
class Half : public gir::Objective {
 public:
  explicit Half(std::unique_ptr<gir::Objective> whole) : whole_(std::move(whole)) {}

  std::string metric() const override { return whole_->metric(); }
  at::Tensor loss(const gir::ModelOutput& output, const gir::ForwardOptions& options) override {
    return whole_->loss(output, options) * 0.5;
  }
  gir::Metrics evaluate(const gir::ModelOutput& output, gir::EvaluationSet set) const override {
    return whole_->evaluate(output, set);
  }
  std::int64_t loss_bytes() const override { return whole_->loss_bytes(); }

 private:
  std::unique_ptr<gir::Objective> whole_;
};

const gir::Registered<gir::ObjectiveEntry> half{{
    .name = "outside-half",
    .summary = "half of the cross entropy",
    .tasks = {gir::Task::kNodeClassification},
    .make = [](const gir::ObjectiveInputs& inputs) -> std::unique_ptr<gir::Objective> {
      return std::make_unique<Half>(gir::node_objective(*inputs.labels, *inputs.nodes));
    },
}};

}  // namespace
