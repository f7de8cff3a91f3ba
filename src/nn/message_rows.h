#pragma once

#include "edge_rows.h"
#include "gir/nn/messages.h"

namespace gir {

/// What kernels see of messages.
inline MessageRows message_rows(const Messages& messages) {
  const FrontierEdges& edges = messages.edges();
  const auto weights_or_null = [](const Array<float>& weights) { return weights.empty() ? nullptr : weights.data(); };
  return {.receivers = edges.receivers.data(),
          .incoming = {.rows = edges.receivers.size(),
                       .offsets = edges.offsets.data(),
                       .columns = edges.senders.data(),
                       .weights = weights_or_null(edges.weights),
                       .row_factors = messages.receiver_factors(),
                       .column_factors = messages.sending_factors_by_node()},
          .senders = edges.sending_nodes.data(),
          .outgoing = {.rows = edges.sending_nodes.size(),
                       .offsets = edges.sending_offsets.data(),
                       .columns = edges.receiving_nodes.data(),
                       .weights = weights_or_null(edges.sending_weights),
                       .row_factors = messages.sending_factors(),
                       .column_factors = messages.receiver_factors_by_node()}};
}

}  // namespace gir
