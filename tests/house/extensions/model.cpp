#include <gir/models/model.h>
#include <gir/nn/linear.h>

namespace {

/// A trained vector for every node, and a linear map to the classes.
class Table : public gir::Model {
 public:
  Table(const gir::ModelInputs& inputs, const gir::ModelOptions& options) : Model(inputs.seed, options.initial) {
    vectors_ = parameters().weight("vectors", inputs.graph.num_nodes(), options.hidden);
    if (inputs.classes == 0) return;
    head_ = parameters().weight("head", options.hidden, inputs.classes);
    bias_ = parameters().bias("bias", inputs.classes, options.hidden);
  }

  gir::ModelOutput forward(const gir::ForwardOptions&) override {
    return {.embeddings = vectors_, .outputs = head_.defined() ? gir::linear(vectors_, head_, bias_) : vectors_};
  }

  std::int64_t output_width() const override { return head_.defined() ? head_.size(1) : vectors_.size(1); }

 private:
  at::Tensor vectors_, head_, bias_;
};

const gir::Registered<gir::ModelEntry> table{{
    .name = "outside-table",
    .summary = "a trained vector for every node",
    .uses_anchors = false,
    .make = [](const gir::ModelInputs& inputs, const gir::ModelOptions& options) -> std::unique_ptr<gir::Model> {
      return std::make_unique<Table>(inputs, options);
    },
}};

}  // namespace
