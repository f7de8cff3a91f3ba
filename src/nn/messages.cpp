#include "gir/nn/messages.h"

#include <cmath>

namespace gir {
namespace {

/// Scatters values[i] to index nodes[i]; 0 for all other nodes.
Array<double> by_node(const Array<double>& values, const Array<NodeId>& nodes, std::int64_t num_nodes) {
  Array<double> result(num_nodes, 0.0);
  for (std::int64_t i = 0; i < nodes.size(); ++i) result[nodes[i]] = values[i];
  return result;
}

/// 1 / sqrt(number, or total edge weight, of the receivers of each sending node).
Array<double> sending_roots(const FrontierEdges& edges) {
  Array<double> roots(edges.sending_nodes.size());
  for (std::int64_t i = 0; i < roots.size(); ++i) {
    const EdgeId begin = edges.sending_offsets[i];
    const EdgeId end = edges.sending_offsets[i + 1];
    double total = static_cast<double>(end - begin);
    if (!edges.sending_weights.empty()) {
      total = 0;
      for (EdgeId edge = begin; edge < end; ++edge) total += edges.sending_weights[edge];
    }
    roots[i] = total > 0 ? 1 / std::sqrt(total) : 0;
  }
  return roots;
}

}  // namespace

bool is_linear(MessageFunction function) {
  return function != MessageFunction::kMax && function != MessageFunction::kAttention;
}

Messages::Messages(const FrontierEdges& edges, std::int64_t nodes, MessageFunction function)
    : edges_(edges), nodes_(nodes), function_(function) {
  if (function == MessageFunction::kSum || !is_linear(function)) return;
  receiver_factors_ = edges.inverse_totals.clone();
  if (function == MessageFunction::kGcn) {
    // Symmetric normalisation, as in GCN: the square root of the mean's factor, and the same for senders.
    for (double& factor : receiver_factors_) factor = std::sqrt(factor);
    sending_factors_ = sending_roots(edges);
    sending_factors_by_node_ = by_node(sending_factors_, edges.sending_nodes, nodes);
  }
  receiver_factors_by_node_ = by_node(receiver_factors_, edges.receivers, nodes);
}

}  // namespace gir
