#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gir/graph/attributes.h"
#include "gir/io/format.h"

namespace gir {

/// A named attribute: values of the nodes (or edges) that have one, by their positions.
struct MarkupAttribute {
  std::string name;
  std::string fallback = {};  ///< value of the others; empty for none
  std::vector<std::pair<std::size_t, std::string>> values = {};
};

/// What GraphML, GML, GEXF, Pajek and JSON have in common: nodes with ids, edges between them, and named attributes of
/// both.
struct MarkupGraph {
  struct Node {
    std::string id;
    std::int64_t line = 0;  ///< 0 where it is not known
  };
  struct Edge {
    std::string source;
    std::string target;
    std::int64_t line = 0;
    bool directed = false;
  };

  std::filesystem::path path;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<MarkupAttribute> node_attributes;
  std::vector<MarkupAttribute> edge_attributes;
  std::vector<std::string> notes;
};

/// The attribute of that name, which is added where it is missing.
MarkupAttribute& attribute_of(std::vector<MarkupAttribute>& attributes, const std::string& name);

/// The values of a node attribute as ids, where all nodes have one and no two the same.
std::optional<std::vector<std::string>> as_ids(const MarkupGraph& graph, const std::string& attribute);

/// Gives the nodes other ids, in the order of the nodes. UserError for edges between unknown nodes.
void rename_nodes(MarkupGraph& graph, const std::vector<std::string>& ids);

/// Builds the graph. Weights are the edge attribute that `columns` chooses, else the first of `weight_names` that the
/// file has (a case-insensitive comparison); labels are the node attribute that `columns` chooses. UserError for edges
/// between unknown nodes and for repeated nodes.
AttributedGraph to_attributed_graph(MarkupGraph graph, const ReadOptions& options,
                                    const std::vector<std::string>& weight_names);

}  // namespace gir
