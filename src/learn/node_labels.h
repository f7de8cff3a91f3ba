#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gir/core/types.h"
#include "gir/graph/attributes.h"

namespace gir {

/// The class of each of `nodes`.
std::vector<std::int32_t> classes_of(const Labels& labels, std::span<const NodeId> nodes);

/// ObjectiveEntry::metrics of node classification.
std::vector<std::string> node_metrics();

/// int64 [values].
at::Tensor to_tensor(std::span<const std::int32_t> values);

}  // namespace gir
