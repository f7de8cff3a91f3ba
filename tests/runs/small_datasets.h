#pragma once

#include "gir/data/dataset.h"
#include "gir/graph/generators.h"

namespace gir::testing {

/// Four communities of nodes, which differ only in their edges.
inline Dataset communities(std::uint64_t seed = 1) {
  Dataset dataset;
  dataset.name = "communities";
  dataset.data = generate_graph("communities", {}, seed);
  return dataset;
}

}  // namespace gir::testing
