#pragma once

#include <string>
#include <vector>

#include "gir/io/format.h"

namespace gir::testing {

/// The ids of all nodes, in the order of the nodes.
inline std::vector<std::string> names(const Graph& graph) {
  std::vector<std::string> result;
  for (NodeId node = 0; node < graph.num_nodes(); ++node) result.push_back(graph.names().name(node));
  return result;
}

/// What was said while the graph was read, one note per line.
inline std::string joined_notes(const AttributedGraph& data) {
  std::string text;
  for (const std::string& note : data.notes) text += note + "\n";
  return text;
}

}  // namespace gir::testing
