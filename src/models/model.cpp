#include "gir/models/model.h"

#include "gir/core/error.h"

namespace gir {
namespace {

/// What hand-made options must keep to. Those of a run were checked when they were set.
bool are_valid(const ModelOptions& options) {
  const auto is_share = [](double value) { return value >= 0 && value < 1; };
  return options.layers >= 1 && options.hidden >= 1 && options.attention_heads >= 1 && is_share(options.dropout) &&
         is_share(options.input_dropout);
}

}  // namespace

std::unique_ptr<Model> make_model(std::string_view name, const ModelInputs& inputs, const ModelOptions& options) {
  const ModelEntry& entry = Registry<ModelEntry>::get(name);
  ensure(are_valid(options), "options of a model within their bounds");
  if (inputs.graph.num_nodes() == 0) throw UserError("the graph has no nodes [a model needs some]");
  return entry.make(inputs, options);
}

}  // namespace gir
