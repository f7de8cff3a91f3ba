#pragma once

#include <memory>

#include "gir/models/model.h"

namespace gir {

/// ModelOptions::members independent copies of a model, which differ in their random numbers. Their embeddings are
/// concatenated. With classes, the logits are those of the mean probabilities.
std::unique_ptr<Model> make_ensemble(const ModelEntry& entry, const ModelInputs& inputs, const ModelOptions& options);

}  // namespace gir
