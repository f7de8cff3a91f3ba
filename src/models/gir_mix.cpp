#include "gir/core/error.h"
#include "message_stack.h"

namespace gir {
namespace {

std::unique_ptr<Model> make(const ModelInputs& inputs, const ModelOptions& options) {
  const std::int64_t sets = options.anchor_sets;
  const auto anchors = std::ssize(inputs.anchors);
  if (sets < 1) throw UserError("{} anchor sets are too few [at least 1]", sets);
  if (options.hidden % sets != 0) {
    throw UserError("{} anchor sets do not divide the hidden size {} [change `anchor-sets` or `hidden`]", sets,
                    options.hidden);
  }
  if (anchors % sets != 0 || anchors / sets < 2) {
    throw UserError(
        "{} anchors cannot be divided into {} equal sets of more than one [change `anchors` or `anchor-sets`]", anchors,
        sets);
  }
  const auto size = static_cast<std::size_t>(anchors / sets);
  const auto view = [&](const Graph& graph) {
    StackView made{.input = plain_input(inputs, options, graph)};
    for (std::int64_t set = 0; set < sets; ++set) {
      made.plans.emplace_back(graph, inputs.anchors.subspan(static_cast<std::size_t>(set) * size, size), options.layers,
                              MessageOptions{.weighted = options.weighted});
    }
    return made;
  };
  // The widths of the sets add up to `hidden`, not to the number of classes, so class logits need a linear layer.
  return std::make_unique<MessageStack>(inputs, options, StackDesign{.view = view, .head = true});
}

const Registered<ModelEntry> entry{{
    .name = "gir-mix",
    .summary = "gir with several anchor sets in parallel, outputs concatenated",
    .uses_anchors = true,
    .uses_anchor_sets = true,
    .frontier = true,
    .inductive = false,
    .make = make,
}};

}  // namespace
}  // namespace gir
