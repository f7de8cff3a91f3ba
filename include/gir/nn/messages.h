#pragma once

#include <cstdint>
#include <string_view>

#include "gir/anchors/frontiers.h"
#include "gir/core/array.h"
#include "gir/core/enum_names.h"
#include "gir/core/export.h"

namespace gir {

/// What a receiver makes of its messages h_u, u in N(v) ∩ S.
enum class MessageFunction {
  kMean,       ///< their mean, weighted where the plan is
  kSum,        ///< their sum
  kGcn,        ///< Σ h_u / sqrt(a b): a is the number (or summed weight) of v's senders, b of u's receivers
  kMax,        ///< the largest, a channel at a time, whatever their weights
  kAttention,  ///< their mean with weights that are learned (and multiply the plan's)
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

/// Whether what is made of messages is a sum with factors that are known beforehand.
GIR_API bool is_linear(MessageFunction function);

/// The edges of one layer with the factors that a message function puts on them: none unless it is linear.
class GIR_API Messages {
 public:
  /// `edges` must outlive this. O(nodes).
  Messages(const FrontierEdges& edges, std::int64_t nodes, MessageFunction function);

  const FrontierEdges& edges() const { return edges_; }
  std::int64_t num_nodes() const { return nodes_; }
  MessageFunction function() const { return function_; }

  // One a receiver and one a sending node, in the order of `edges`, and the same by node; empty for 1.
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
