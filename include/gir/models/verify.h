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

/// The layer under test: frontier_linear(), or a deliberately broken one in tests.
using LayerFunction =
    std::function<at::Tensor(const at::Tensor& h, const at::Tensor& w_self, const at::Tensor& w_messages,
                             const at::Tensor& bias, const Messages& messages)>;

/// A wrong distance in the output of a network.
struct GIR_API WrongDistance {
  NodeId node;
  std::int64_t target;    ///< index of the anchor or anchor set
  std::int32_t expected;  ///< by breadth-first search; kUnreachable if there is no path
  double read;            ///< output of the network; kUnreachable if no message arrived
};

/// The check of one theorem on one graph.
struct GIR_API TheoremCheck {
  std::string model;                 ///< "gir-a", "gir" or "gir-mix"
  std::string claim;                 ///< the distances that must be exact
  std::int64_t layers = 0;           ///< message layers; a linear read-out layer follows
  std::int64_t checked = 0;          ///< distances compared
  std::int64_t mismatches = 0;       ///< distances that differ
  double largest_error = 0;          ///< absolute error among the distances that count as equal
  std::vector<WrongDistance> wrong;  ///< the first few
};

/// The outputs of vanilla GIR for the anchors themselves. Their distance is 0, but the network outputs the length of
/// the shortest return walk to the anchor set, because without a label an anchor cannot be distinguished from other
/// nodes until a message arrives.
struct GIR_API AnchorReadings {
  std::int64_t anchors = 0;
  std::int64_t right = 0;                                         ///< anchors for which the output is 0
  std::vector<std::pair<std::int32_t, std::int64_t>> by_reading;  ///< (output distance, number of anchors), ascending
};

struct GIR_API Verification {
  std::vector<TheoremCheck> theorems;
  AnchorReadings anchors;
  std::vector<std::string> notes;  ///< checks that were skipped, and why

  bool holds() const;
};

struct GIR_API VerifyOptions {
  std::int64_t anchor_sets = 8;  ///< of gir-mix; skipped if the anchors cannot be divided into so many equal sets
  Context context = {};          ///< device and threads of the layers
};

/// Builds networks with hand-set weights for the paper's two theorems on positions from `layer`, and compares their
/// outputs with breadth-first search on every node: labelled anchors (gir-a) give the distance to every anchor,
/// unlabelled ones (gir, gir-mix) the distance to the anchor set. The depth of a network is the eccentricity of the
/// anchors. Memory O(nodes + edges); time O(anchors * eccentricity * (nodes + edges)).
GIR_API Verification verify_positions(const Graph& graph, std::span<const NodeId> anchors,
                                      const VerifyOptions& options = {}, const LayerFunction& layer = {},
                                      const ProgressCallback& progress = {});

/// The hidden vectors of all nodes after every layer of the vanilla network, double [nodes, 4] each: constant one,
/// reached in this layer, reached before, distance so far.
GIR_API std::vector<at::Tensor> trace_vanilla(const Graph& graph, std::span<const NodeId> anchors, std::int64_t layers);

}  // namespace gir
