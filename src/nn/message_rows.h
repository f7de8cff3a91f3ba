#pragma once

#include "edge_rows.h"
#include "gir/nn/messages.h"

namespace gir {

/// Messages as raw pointers for kernels. `address(array)` is the address of the values of an array on a device; null
/// for an empty array.
template <typename Address>
MessageRows message_rows(const Messages& messages, const Address& address) {
  const FrontierEdges& edges = messages.edges();
  return {.receivers = address(edges.receivers),
          .incoming = {.rows = edges.receivers.size(),
                       .offsets = address(edges.offsets),
                       .columns = address(edges.senders),
                       .weights = address(edges.weights),
                       .row_factors = address(messages.receiver_factors()),
                       .column_factors = address(messages.sending_factors_by_node())},
          .senders = address(edges.sending_nodes),
          .outgoing = {.rows = edges.sending_nodes.size(),
                       .offsets = address(edges.sending_offsets),
                       .columns = address(edges.receiving_nodes),
                       .weights = address(edges.sending_weights),
                       .row_factors = address(messages.sending_factors()),
                       .column_factors = address(messages.receiver_factors_by_node())}};
}

/// For kernels of the CPU.
inline MessageRows message_rows(const Messages& messages) {
  return message_rows(messages, [](const auto& array) { return array.data(); });
}

}  // namespace gir
