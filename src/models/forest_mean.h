#pragma once

#include <memory>

#include "gir/models/model.h"

namespace gir {

/// A model whose class probabilities are averaged with those of a random forest on structural_features() of the nodes.
/// The forest is fitted to the training nodes before the first epoch; the model is trained without regard to it.
std::unique_ptr<Model> make_forest_mean(std::unique_ptr<Model> model, const ModelInputs& inputs);

}  // namespace gir
