#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "gir/core/export.h"

namespace gir {

class Experiment;

/// How well a model distinguishes the nodes of its message graph. For links that is the graph of the edges that it was
/// trained on, and not that of all edges, which the embeddings of a run have. Filled in after training.
struct GIR_API Reach {
  std::int64_t nodes = 0;      ///< nodes whose vectors depend on an anchor (models without anchors: on another node)
  double share = 0;            ///< of all nodes
  std::int64_t identical = 0;  ///< nodes whose vector another node has, too, bit for bit
  bool own_labels = false;     ///< every node has an input of its own, so that vectors differ whatever the graph says
  std::int64_t lost = 0;       ///< nodes out of reach in components of at least three nodes, which have positions
  std::string edges = {};      ///< of the message graph: "training", "training and validation" (after a refit) or "all"

  friend bool operator==(const Reach&, const Reach&) = default;
};

/// The reach of an experiment's model whose vectors are `embeddings` [nodes, width]. O(nodes * width + edges).
GIR_API Reach measure_reach(const Experiment& experiment, const at::Tensor& embeddings);

}  // namespace gir
