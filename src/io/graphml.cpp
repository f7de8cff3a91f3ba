#include <algorithm>
#include <map>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/io/gzip.h"
#include "markup_graph.h"
#include "xml.h"

namespace gir {
namespace {

using Event = XmlReader::Event;

/// Reads the elements of a GraphML file. Ports and the drawings of editors are skipped.
class GraphmlReader {
 public:
  GraphmlReader(const std::filesystem::path& path, std::string_view text) : xml_(path, text) { graph_.path = path; }

  MarkupGraph read() {
    for (Event event = xml_.next(); event != Event::kEndOfFile; event = xml_.next()) {
      if (event != Event::kStart) continue;
      if (xml_.name() == "key") {
        read_key();
      } else if (xml_.name() == "graph") {
        read_graph();
      }
    }
    if (graphs_ == 0) throw UserError(graph_.path, "has no element graph [is this a GraphML file?]");
    resolve_attributes();
    name_nodes();
    return std::move(graph_);
  }

 private:
  /// The declaration of an attribute.
  struct Key {
    std::string name;
    std::string fallback = {};
  };

  std::string needed(std::string_view attribute) const {
    const auto value = xml_.attribute(attribute);
    if (!value) throw UserError(graph_.path, xml_.line(), "{} has no attribute {}", quoted(xml_.name()), attribute);
    return *value;
  }

  /// The text of the element that has begun, up to its end; elements inside of it are skipped.
  std::string read_content() {
    std::string content;
    std::int64_t depth = 1;
    while (depth > 0) {
      const Event event = xml_.next();
      if (event == Event::kText && depth == 1) content += xml_.text();
      depth += event == Event::kStart ? 1 : event == Event::kEnd ? -1 : 0;
    }
    const auto begin = content.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos) return {};
    return content.substr(begin, content.find_last_not_of(" \t\r\n") - begin + 1);
  }

  /// Calls `use()` at the beginning of every element inside the one that has begun; `use` reads to its end.
  template <typename Use>
  void for_each_child(const Use& use) {
    for (Event event = xml_.next(); event != Event::kEnd; event = xml_.next()) {
      if (event == Event::kStart) use();
    }
  }

  void read_key() {
    const std::string id = needed("id");
    Key key{.name = xml_.attribute("attr.name").value_or("")};
    for_each_child([&] {
      const bool is_default = xml_.name() == "default";
      const std::string content = read_content();
      if (is_default) key.fallback = content;
    });
    keys_[id] = std::move(key);
  }

  void read_graph() {
    if (++graphs_ == 2) {
      throw UserError(graph_.path, xml_.line(), "a second graph begins here [keep one graph per file]");
    }
    const bool directed = xml_.attribute("edgedefault").value_or("undirected") == "directed";
    read_elements(directed, 0);
  }

  /// Nodes and edges of a graph, and of those inside its nodes, which lie `depth` levels deep.
  void read_elements(bool directed, int depth) {
    constexpr int kMaxLevels = 200;  // graphs are read by recursion
    if (depth > kMaxLevels) {
      throw UserError(graph_.path, xml_.line(), "graphs in nodes are more than {} levels deep [flatten the graph]",
                      kMaxLevels);
    }
    for_each_child([&] {
      if (xml_.name() == "node") {
        read_node(directed, depth);
      } else if (xml_.name() == "edge") {
        read_edge(directed);
      } else if (xml_.name() == "hyperedge") {
        throw UserError(graph_.path, xml_.line(), "a hyperedge joins more than two nodes, which no graph of gir can");
      } else {
        read_content();
      }
    });
  }

  void read_node(bool directed, int depth) {
    const std::size_t node = graph_.nodes.size();
    graph_.nodes.push_back({.id = needed("id"), .line = xml_.line()});
    for_each_child([&] {
      if (xml_.name() == "data") {
        read_data(node, graph_.node_attributes);
      } else if (xml_.name() == "graph") {
        read_elements(xml_.attribute("edgedefault").value_or("") == "directed" || directed, depth + 1);
      } else {
        read_content();
      }
    });
  }

  void read_edge(bool directed) {
    const std::size_t edge = graph_.edges.size();
    const std::string own = xml_.attribute("directed").value_or(directed ? "true" : "false");
    graph_.edges.push_back({.source = needed("source"),
                            .target = needed("target"),
                            .line = xml_.line(),
                            .directed = own == "true" || own == "1"});
    for_each_child([&] {
      if (xml_.name() == "data") {
        read_data(edge, graph_.edge_attributes);
      } else {
        read_content();
      }
    });
  }

  void read_data(std::size_t element, std::vector<MarkupAttribute>& attributes) {
    const std::string key = needed("key");
    attribute_of(attributes, key).values.emplace_back(element, read_content());
  }

  /// Attributes have been collected by the ids of their keys. networkx declares an attribute once for every type of
  /// value; keys without a name are drawings.
  void resolve_attributes() {
    for (auto* attributes : {&graph_.node_attributes, &graph_.edge_attributes}) {
      std::vector<MarkupAttribute> by_name;
      for (MarkupAttribute& attribute : *attributes) {
        const auto key = keys_.find(attribute.name);
        const std::string name = key == keys_.end() ? attribute.name : key->second.name;
        if (name.empty()) continue;
        MarkupAttribute& merged = attribute_of(by_name, name);
        merged.values.insert(merged.values.end(), attribute.values.begin(), attribute.values.end());
        if (key != keys_.end() && merged.fallback.empty()) merged.fallback = key->second.fallback;
      }
      *attributes = std::move(by_name);
    }
  }

  /// igraph numbers the nodes n0, n1, ... and writes their names into an attribute.
  void name_nodes() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (graph_.nodes[i].id != fmt::format("n{}", i)) return;
    }
    const auto names = as_ids(graph_, "name");
    if (!names) return;
    rename_nodes(graph_, *names);
    graph_.notes.push_back(
        fmt::format("{}: nodes are called by their attribute \"name\", not n0, n1, ...", graph_.path.string()));
    std::erase_if(graph_.node_attributes,
                  [](const MarkupAttribute& attribute) { return canonical_name(attribute.name) == "name"; });
  }

  XmlReader xml_;
  MarkupGraph graph_;
  std::map<std::string, Key> keys_;
  std::int64_t graphs_ = 0;
};

AttributedGraph read_graphml(const std::filesystem::path& path, const ReadOptions& options) {
  const TextFile file(path);
  return to_attributed_graph(GraphmlReader(path, file.text()).read(), options, {"weight", "edge-weight"});
}

const Registered<GraphFormat> graphml{{.name = "graphml",
                                       .summary = "GraphML, as NetworkX, igraph and Gephi write it (read only)",
                                       .endings = {".graphml", ".graphml.gz"},
                                       .has_named_attributes = true,
                                       .read = read_graphml}};

}  // namespace
}  // namespace gir
