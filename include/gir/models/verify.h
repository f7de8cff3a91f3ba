#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gir/core/context.h"
#include "gir/core/export.h"
#include "gir/core/progress.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"
#include "gir/nn/messages.h"

namespace gir {

/// The layer that is put to the test: frontier_linear(), or a broken one in tests.
using LayerFunction =
    std::function<at::Tensor(const at::Tensor& h, const at::Tensor& w_self, const at::Tensor& w_messages,
                             const at::Tensor& bias, const Messages& messages)>;

/// A distance that a network read wrongly.
struct GIR_API WrongDistance {
  NodeId node;
  std::int64_t target;    ///< which anchor or set of anchors, by position
  std::int32_t expected;  ///< by breadth-first search; kUnreachable for none
  double read;            ///< by the network; kUnreachable for none
};

/// One theorem put to the test on one graph.
struct GIR_API TheoremCheck {
  std::string model;                 ///< "gir-a", "gir" or "gir-mix"
  std::string claim;                 ///< what must hold
  std::int64_t layers = 0;           ///< that pass messages; one more, linear, reads the distance off
  std::int64_t checked = 0;          ///< distances compared
  std::int64_t mismatches = 0;       ///< that differ
  double largest_error = 0;          ///< of a distance that counts as equal
  std::vector<WrongDistance> wrong;  ///< the first few
};

/// What vanilla GIR reads for the anchors themselves, whose distance is 0: the length of the shortest way back to
/// the anchors, because an anchor looks like any other node until a message arrives.
struct GIR_API AnchorReadings {
  std::int64_t anchors = 0;
  std::int64_t right = 0;                                         ///< that read 0
  std::vector<std::pair<std::int32_t, std::int64_t>> by_reading;  ///< distance read, number of anchors; ascending
};

struct GIR_API Verification {
  std::vector<TheoremCheck> theorems;
  AnchorReadings anchors;
  std::vector<std::string> notes;  ///< what was left out, and why

  bool holds() const;
};

struct GIR_API VerifyOptions {
  std::int64_t anchor_sets = 8;  ///< of gir-mix; left out where the anchors cannot be cut into so many
  Context context = {};          ///< that the layers are computed under
};

/// Builds the networks of the two theorems by hand out of `layer` and compares what they read with breadth-first
/// search on every node (SPEC section 5). Networks are as deep as the anchors' eccentricity asks for. Memory
/// O(nodes + edges); time O(anchors * eccentricity * (nodes + edges)).
GIR_API Verification verify_positions(const Graph& graph, std::span<const NodeId> anchors,
                                      const VerifyOptions& options = {}, const LayerFunction& layer = {},
                                      const ProgressCallback& progress = {});

/// The vectors of all nodes of a graph after every layer of the vanilla network, double [nodes, 4] each: constant
/// one, reached in this layer, reached before, distance so far.
GIR_API std::vector<at::Tensor> trace_vanilla(const Graph& graph, std::span<const NodeId> anchors, std::int64_t layers);

}  // namespace gir
