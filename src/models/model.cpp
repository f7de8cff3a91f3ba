#include "gir/models/model.h"

#include <array>
#include <utility>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/text.h"

namespace gir {
namespace {

constexpr std::array<std::pair<Norm, std::string_view>, 3> kNorms = {{
    {Norm::kNone, "none"},
    {Norm::kBatch, "batch"},
    {Norm::kLayer, "layer"},
}};

void check_options(const ModelOptions& options) {
  if (options.layers < 1) throw UserError("{} layers were asked for [at least 1]", options.layers);
  if (options.hidden < 1) throw UserError("a hidden width of {} was asked for [at least 1]", options.hidden);
  if (options.attention_heads < 1) {
    throw UserError("{} attention heads were asked for [at least 1]", options.attention_heads);
  }
  if (!(options.dropout >= 0 && options.dropout < 1)) {
    throw UserError("a dropout of {} was asked for [at least 0 and less than 1]", options.dropout);
  }
  if (!(options.input_dropout >= 0 && options.input_dropout < 1)) {
    throw UserError("--input-dropout: {} [at least 0 and less than 1]", options.input_dropout);
  }
}

}  // namespace

std::string_view norm_name(Norm norm) {
  for (const auto& [value, name] : kNorms) {
    if (value == norm) return name;
  }
  throw InternalError("a norm without a name");
}

Norm parse_norm(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [value, known_name] : kNorms) {
    if (canonical_name(name) == known_name) return value;
    known.emplace_back(known_name);
  }
  throw UserError("unknown norm {} [known: {}]", quoted(name),
                  join(nearest_first(canonical_name(name), std::move(known)), ", "));
}

std::unique_ptr<Model> make_model(std::string_view name, const ModelContext& context, const ModelOptions& options) {
  const ModelEntry& entry = Registry<ModelEntry>::get(name);
  check_options(options);
  if (context.graph.num_nodes() == 0) throw UserError("the graph has no nodes [a model needs some]");
  return entry.make(context, options);
}

}  // namespace gir
