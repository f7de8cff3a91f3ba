#pragma once

#include <cstdint>
#include <string_view>

#include "gir/anchors/frontiers.h"
#include "gir/core/array.h"
#include "gir/core/enum_names.h"
#include "gir/core/export.h"

namespace gir {

/// How a receiver v aggregates its messages h_u, u in N(v) ∩ S, where S are the senders of the layer.
enum class MessageFunction {
  kMean,       ///< their mean, weighted by edge weights if the plan has them
  kSum,        ///< their sum
  kGcn,        ///< Σ h_u / sqrt(a b): a is the number (or total weight) of v's senders, b that of u's receivers
  kMax,        ///< the maximum per channel; edge weights are ignored
  kAttention,  ///< their mean with learned attention weights (times the plan's edge weights)
};

template <>
struct EnumNames<MessageFunction> {
  static constexpr std::string_view kKind = "message function";
  static constexpr auto kAll = enum_names<MessageFunction>({{MessageFunction::kMean, "mean"},
                                                            {MessageFunction::kSum, "sum"},
                                                            {MessageFunction::kGcn, "gcn"},
                                                            {MessageFunction::kMax, "max"},
                                                            {MessageFunction::kAttention, "attention"}});
};

/// Whether the aggregate is linear in the messages: a sum with factors that do not depend on parameters.
GIR_API bool is_linear(MessageFunction function);

/// The message edges of one layer with the factors that a linear message function gives to them (no factors for
/// others).
class GIR_API Messages {
 public:
  /// `edges` must outlive this. O(nodes).
  Messages(const FrontierEdges& edges, std::int64_t nodes, MessageFunction function);

  const FrontierEdges& edges() const { return edges_; }
  std::int64_t num_nodes() const { return nodes_; }
  MessageFunction function() const { return function_; }

  // One factor per receiver and one per sending node, in the order of `edges`; then the same indexed by node id. An
  // empty array stands for factors of 1.
  const Array<double>& receiver_factors() const { return receiver_factors_; }
  const Array<double>& sending_factors() const { return sending_factors_; }
  const Array<double>& receiver_factors_by_node() const { return receiver_factors_by_node_; }
  const Array<double>& sending_factors_by_node() const { return sending_factors_by_node_; }

 private:
  const FrontierEdges& edges_;
  std::int64_t nodes_;
  MessageFunction function_;
  Array<double> receiver_factors_;
  Array<double> receiver_factors_by_node_;
  Array<double> sending_factors_;
  Array<double> sending_factors_by_node_;
};

}  // namespace gir
