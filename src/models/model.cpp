#include "gir/models/model.h"

#include "ensemble.h"
#include "forest_mean.h"
#include "gir/core/error.h"

namespace gir {
namespace {

/// Bounds of options that were set in code. The settings of a run are checked when they are set.
bool are_valid(const ModelOptions& options) {
  const auto is_share = [](double value) { return value >= 0 && value < 1; };
  return options.layers >= 1 && options.members >= 1 && options.hidden >= 1 && options.attention_heads >= 1 &&
         is_share(options.dropout) && is_share(options.input_dropout);
}

}  // namespace

std::unique_ptr<Model> make_model(std::string_view name, const ModelInputs& inputs, const ModelOptions& options) {
  const ModelEntry& entry = Registry<ModelEntry>::get(name);
  ensure(are_valid(options), "model options within their bounds");
  if (inputs.graph.num_nodes() == 0) throw UserError("the graph has no nodes [a model requires at least one]");
  auto model = options.members > 1 ? make_ensemble(entry, inputs, options) : entry.make(inputs, options);
  const bool knows_structure_only = num_features(inputs.features) == 0;
  if (options.forest && inputs.classes > 0 && knows_structure_only) return make_forest_mean(std::move(model), inputs);
  return model;
}

}  // namespace gir
