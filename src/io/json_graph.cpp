#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/io/gzip.h"
#include "markup_graph.h"

namespace gir {
namespace {

using nlohmann::json;

constexpr std::string_view kLayouts =
    "[known: \"nodes\" with \"links\" or \"edges\", as networkx.node_link_data writes; a table: write it as CSV]";

/// A value as text; empty for null.
std::string text_of(const json& value) {
  if (value.is_null()) return {};
  return value.is_string() ? value.get<std::string>() : value.dump();
}

const json* find(const json& object, std::string_view key) {
  const auto found = object.find(std::string(key));
  return found == object.end() ? nullptr : &*found;
}

/// Reads node-link graphs of NetworkX and D3, NetworkX's adjacency data and the elements of Cytoscape.
class JsonGraphReader {
 public:
  explicit JsonGraphReader(const std::filesystem::path& path) { graph_.path = path; }

  MarkupGraph read(std::string_view text) {
    json document = parse(text);
    if (!document.is_object()) refuse_layout();
    const bool directed = find(document, "directed") != nullptr && document["directed"] == true;
    if (const json* elements = find(document, "elements"); elements != nullptr && elements->is_object()) {
      for (const char* other : {"nodes", "edges"}) {
        if (const json* list = find(*elements, other)) document[other] = *list;
      }
    }
    const json& nodes = list_of(document, {"nodes"});
    read_nodes(nodes);
    if (find(document, "adjacency") != nullptr) {
      read_adjacency(list_of(document, {"adjacency"}));
    } else {
      read_links(list_of(document, {"links", "edges"}));
    }
    for (MarkupGraph::Edge& edge : graph_.edges) edge.directed = directed;
    drop_empty_attributes();
    return std::move(graph_);
  }

 private:
  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    throw UserError(graph_.path, "{}", fmt::format(format, std::forward<Args>(args)...));
  }

  [[noreturn]] void refuse_layout() const { refuse("is JSON without a graph {}", kLayouts); }

  json parse(std::string_view text) const {
    try {
      return json::parse(text);
    } catch (const json::parse_error& error) {
      const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
      throw UserError(graph_.path, 1 + std::count(text.begin(), end, '\n'),
                      "is not valid JSON here [is the file complete? a graph is one object with \"nodes\" and "
                      "\"links\"; NaN and Infinity are not JSON; a table: write it as CSV]");
    }
  }

  const json& list_of(const json& document, std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      if (const json* found = find(document, name); found != nullptr && found->is_array()) return *found;
    }
    refuse_layout();
  }

  /// A node or edge; Cytoscape has its values one level deeper.
  static const json& values_of(const json& entry) {
    const json* data = entry.is_object() ? find(entry, "data") : nullptr;
    return data != nullptr && data->is_object() ? *data : entry;
  }

  void read_nodes(const json& nodes) {
    id_key_ = key_of_ids(nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const json& node = values_of(nodes[i]);
      if (!node.is_object() && !node.is_string() && !node.is_number()) {
        refuse("node {} is no object [every node needs an \"id\"]", i + 1);
      }
      const std::string id = !node.is_object() ? text_of(node) : id_key_.empty() ? std::to_string(i) : id_in(node, i);
      if (!position_.emplace(id, i).second)
        refuse("node {} has the id {} of an earlier one [ids have to differ]", i + 1, quoted(id));
      graph_.nodes.push_back({.id = id});
      if (node.is_object()) add_attributes(node, {id_key_}, i, graph_.node_attributes);
    }
    if (id_key_ == "name" || id_key_ == "label" || id_key_ == "key") {
      note(fmt::format("nodes are called by their {}, as they have no \"id\"", id_key_));
    } else if (id_key_.empty() && !nodes.empty() && values_of(nodes[0]).is_object()) {
      note("nodes have no \"id\" and are called by their positions, from 0");
    }
  }

  /// The first of the usual keys that all nodes have.
  static std::string key_of_ids(const json& nodes) {
    for (const char* key : {"id", "key", "name", "label"}) {
      const bool all = std::all_of(nodes.begin(), nodes.end(), [&](const json& node) {
        const json& values = values_of(node);
        return values.is_object() && values.contains(key);
      });
      if (all && !nodes.empty()) return key;
    }
    return {};
  }

  std::string id_in(const json& node, std::size_t i) const {
    const std::string id = text_of(node.at(id_key_));
    if (id.empty()) refuse("node {} has an empty {} [fill it in]", i + 1, quoted(std::string_view(id_key_)));
    return id;
  }

  void read_links(const json& links) {
    std::vector<std::pair<const json*, const json*>> ends;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const json& link = values_of(links[i]);
      if (!link.is_object()) refuse("link {} is no object [every link needs a \"source\" and a \"target\"]", i + 1);
      ends.emplace_back(&end_in(link, i, {"source", "from"}), &end_in(link, i, {"target", "to"}));
      add_attributes(link, {"source", "target", "from", "to", "key", "id"}, i, graph_.edge_attributes);
    }
    const bool by_position = are_positions(ends);
    if (by_position) note("links name the nodes by their positions, from 0");
    for (std::size_t i = 0; i < ends.size(); ++i) {
      graph_.edges.push_back(
          {.source = node_of(*ends[i].first, i, by_position), .target = node_of(*ends[i].second, i, by_position)});
    }
  }

  /// One end of a link; D3 puts the node itself there once it has drawn the graph.
  const json& end_in(const json& link, std::size_t i, std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      const json* end = find(link, name);
      if (end == nullptr || end->is_null()) continue;
      if (!end->is_object()) return *end;
      if (const json* id = find(*end, id_key_.empty() ? "index" : id_key_)) return *id;
    }
    refuse("link {} has no {} [every link needs a \"source\" and a \"target\"]", i + 1,
           quoted(std::string(*names.begin())));
  }

  /// Whether links count the nodes instead of naming them: all ends are positions, and some are no ids.
  bool are_positions(const std::vector<std::pair<const json*, const json*>>& ends) const {
    const auto is_position = [&](const json& end) {
      return end.is_number_unsigned() && end.get<std::uint64_t>() < graph_.nodes.size();
    };
    const auto is_id = [&](const json& end) { return position_.contains(text_of(end)); };
    return std::all_of(ends.begin(), ends.end(),
                       [&](const auto& pair) { return is_position(*pair.first) && is_position(*pair.second); }) &&
           std::any_of(ends.begin(), ends.end(),
                       [&](const auto& pair) { return !is_id(*pair.first) || !is_id(*pair.second); });
  }

  std::string node_of(const json& end, std::size_t link, bool by_position) const {
    if (by_position) return graph_.nodes[end.get<std::size_t>()].id;
    const std::string id = text_of(end);
    if (!position_.contains(id))
      refuse("link {} has the end {}, but there is no such node [add it to \"nodes\"]", link + 1, quoted(id));
    return id;
  }

  void read_adjacency(const json& rows) {
    if (rows.size() != graph_.nodes.size()) {
      refuse("\"adjacency\" has {} rows for {} nodes [is the file complete?]", rows.size(), graph_.nodes.size());
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!rows[i].is_array())
        refuse("row {} of \"adjacency\" is no list [is it a list of neighbours per node?]", i + 1);
      for (const json& neighbor : rows[i]) {
        const json* id = neighbor.is_object() ? find(neighbor, "id") : nullptr;
        if (id == nullptr) refuse("row {} of \"adjacency\" has a neighbour without an \"id\" [add it]", i + 1);
        add_attributes(neighbor, {"id", "key"}, graph_.edges.size(), graph_.edge_attributes);
        graph_.edges.push_back({.source = graph_.nodes[i].id, .target = node_of(*id, graph_.edges.size(), false)});
      }
    }
  }

  /// Adds the values of an element, but not lists and objects.
  void add_attributes(const json& values, std::initializer_list<std::string_view> without, std::size_t element,
                      std::vector<MarkupAttribute>& attributes) {
    for (const auto& [key, value] : values.items()) {
      if (std::find(without.begin(), without.end(), key) != without.end()) continue;
      if (!value.is_null() && !value.is_structured()) {
        attribute_of(attributes, key).values.emplace_back(element, text_of(value));
      } else {
        attribute_of(attributes, key);
      }
    }
  }

  /// Attributes without any value need no note.
  void drop_empty_attributes() {
    for (auto* attributes : {&graph_.node_attributes, &graph_.edge_attributes}) {
      std::erase_if(*attributes, [](const MarkupAttribute& attribute) { return attribute.values.empty(); });
    }
  }

  void note(std::string_view text) { graph_.notes.push_back(fmt::format("{}: {}", graph_.path.string(), text)); }

  MarkupGraph graph_;
  std::string id_key_;  ///< empty: nodes are named by their positions
  std::unordered_map<std::string, std::size_t> position_;
};

AttributedGraph read_json_graph(const std::filesystem::path& path, const ReadOptions& options) {
  const TextFile file(path);
  return to_attributed_graph(JsonGraphReader(path).read(file.text()), options, {"weight", "value"});
}

const Registered<GraphFormat> json_graph{{.name = "json",
                                          .summary = "node-link JSON of NetworkX and D3, Cytoscape's JSON (read only)",
                                          .endings = {".json", ".cyjs", ".json.gz"},
                                          .has_named_attributes = true,
                                          .read = read_json_graph}};

}  // namespace
}  // namespace gir
