#include <fmt/format.h>

#include "gir/core/random.h"
#include "message_stack.h"

namespace gir {
namespace {

/// Tensors of one name begin alike in all models of one seed. Experts of one mixture should not: they would have less
/// to tell each other.
ModelContext with_own_seed(ModelContext context, const char* family, const ModelOptions& options) {
  context.seed = RandomStream(context.seed, fmt::format("expert/{}-{}", family, options.layers)).bits(0);
  return context;
}

std::unique_ptr<Model> make_gcn(const ModelContext& context, const ModelOptions& options) {
  return make_gcn_model(with_own_seed(context, "gcn", options), options, plain_input);
}

std::unique_ptr<Model> make_gir(const ModelContext& context, const ModelOptions& options) {
  return make_gir_model(with_own_seed(context, "gir", options), options, plain_input);
}

const Registered<ModelEntry> gcn_3{{
    .name = "gcn-3",
    .summary = "gcn of 3 layers, an expert of the paper's fusion",
    .uses_anchors = false,
    .inductive = true,
    .settings = {{"layers", "3"}},
    .make = make_gcn,
}};

const Registered<ModelEntry> gcn_5{{
    .name = "gcn-5",
    .summary = "gcn of 5 layers, an expert of the paper's fusion",
    .uses_anchors = false,
    .inductive = true,
    .settings = {{"layers", "5"}},
    .make = make_gcn,
}};

const Registered<ModelEntry> gir_5{{
    .name = "gir-5",
    .summary = "gir of 5 layers, an expert of the paper's fusion",
    .uses_anchors = true,
    .inductive = true,
    .settings = {{"layers", "5"}},
    .make = make_gir,
}};

}  // namespace
}  // namespace gir
