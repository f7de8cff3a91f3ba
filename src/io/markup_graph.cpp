#include "markup_graph.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "columns.h"
#include "edge_list_parser.h"
#include "fields.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/io/tables.h"
#include "number_nodes.h"

namespace gir {
namespace {

bool is_plain_integer(const std::string& id) {
  const auto number = parse_integer(id);
  return number && *number >= 0 && std::to_string(*number) == id;
}

const MarkupAttribute* find_attribute(const std::vector<MarkupAttribute>& attributes, const std::string& name) {
  const auto found = std::find_if(attributes.begin(), attributes.end(), [&](const MarkupAttribute& attribute) {
    return canonical_name(attribute.name) == canonical_name(name);
  });
  return found == attributes.end() ? nullptr : &*found;
}

std::vector<std::string> names_of_attributes(const std::vector<MarkupAttribute>& attributes) {
  std::vector<std::string> names;
  for (const MarkupAttribute& attribute : attributes) names.push_back(quoted(attribute.name));
  return names;
}

/// The attribute that `columns` requests.
const MarkupAttribute& chosen_attribute(const MarkupGraph& graph, const std::vector<MarkupAttribute>& attributes,
                                        const std::string& wanted, std::string_view what) {
  const MarkupAttribute* found = find_attribute(attributes, wanted);
  if (found != nullptr) return *found;
  throw UserError(graph.path, "{} have no attribute {} [{}]", what, quoted(wanted),
                  attributes.empty() ? "they have none" : "known: " + join(names_of_attributes(attributes), ", "));
}

/// Weights of the edges; empty where there are none.
Array<float> weights_of(MarkupGraph& graph, const MarkupAttribute* attribute) {
  if (attribute == nullptr) return {};
  constexpr std::int64_t kUnset = -1;
  Array<float> weights(std::ssize(graph.edges), 1.0F);
  std::vector<std::int64_t> given(graph.edges.size(), kUnset);
  for (const auto& [edge, value] : attribute->values) {
    const std::int64_t line = graph.edges[edge].line;
    if (line == 0 && !parse_float(value)) {
      throw UserError(graph.path, "edge {} has the weight {}, which is not a number [correct it]", edge + 1,
                      quoted(value));
    }
    weights[static_cast<std::int64_t>(edge)] = parse_weight(graph.path, line, value);
    given[edge] = 1;
  }
  const auto missing = std::count(given.begin(), given.end(), kUnset);
  if (missing == 0) return weights;
  const float fallback =
      attribute->fallback.empty() ? 1.0F : parse_weight(graph.path, std::int64_t{1}, attribute->fallback);
  for (std::size_t edge = 0; edge < given.size(); ++edge) {
    if (given[edge] == kUnset) weights[static_cast<std::int64_t>(edge)] = fallback;
  }
  if (attribute->fallback.empty()) {
    graph.notes.push_back(
        fmt::format("{}: {} edges have no {}: theirs is 1", graph.path.string(), missing, quoted(attribute->name)));
  }
  return weights;
}

/// Whether the graph is directed. Undirected edges among directed ones are added in the other direction, too.
bool resolve_directions(MarkupGraph& graph, Array<float>& weights, const ReadOptions& options) {
  if (options.directed) return *options.directed;
  const auto directed = std::count_if(graph.edges.begin(), graph.edges.end(), [](const auto& e) { return e.directed; });
  const auto undirected = std::ssize(graph.edges) - directed;
  if (directed == 0 || undirected == 0) return directed > 0;
  std::vector<float> all(weights.begin(), weights.end());
  for (std::size_t i = 0, end = graph.edges.size(); i < end; ++i) {
    if (graph.edges[i].directed || graph.edges[i].source == graph.edges[i].target) continue;
    MarkupGraph::Edge back = graph.edges[i];
    std::swap(back.source, back.target);
    graph.edges.push_back(std::move(back));
    if (!weights.empty()) all.push_back(all[i]);
  }
  weights = Array<float>(std::span<const float>(all));
  graph.notes.push_back(
      fmt::format("{}: {} directed edges and {} undirected ones, which are read as one in each direction",
                  graph.path.string(), directed, undirected));
  return true;
}

void check_nodes(const MarkupGraph& graph) {
  std::unordered_set<std::string_view> known;
  for (const MarkupGraph::Node& node : graph.nodes) {
    if (node.id.empty()) throw UserError(graph.path, node.line, "a node has no id [add one]");
    if (!known.insert(node.id).second) {
      throw UserError(graph.path, node.line, "node {} occurs a second time [ids have to differ]", quoted(node.id));
    }
  }
  for (const MarkupGraph::Edge& edge : graph.edges) {
    for (const std::string& end : {edge.source, edge.target}) {
      if (known.contains(end)) continue;
      throw UserError(graph.path, edge.line, "an edge has the end {}, but there is no such node [add the node]",
                      quoted(end));
    }
  }
}

template <typename Id, typename Convert>
NumberedArcs number(const MarkupGraph& graph, const Convert& convert) {
  Array<IdPair<Id>> pairs(std::ssize(graph.edges));
  std::vector<Id> nodes;
  for (const MarkupGraph::Node& node : graph.nodes) nodes.push_back(convert(node.id));
  std::transform(graph.edges.begin(), graph.edges.end(), pairs.begin(), [&](const MarkupGraph::Edge& edge) {
    return IdPair<Id>{convert(edge.source), convert(edge.target)};
  });
  return number_nodes(pairs, nodes);
}

/// Numbers the nodes in the order of their ids.
NumberedArcs number(const MarkupGraph& graph) {
  const bool integers =
      std::all_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) { return is_plain_integer(node.id); });
  if (integers) return number<std::int64_t>(graph, [](const std::string& id) { return *parse_integer(id); });
  return number<std::string_view>(graph, [](const std::string& id) { return std::string_view(id); });
}

Labels labels_of(const MarkupGraph& graph, const NodeNames& names, const MarkupAttribute& attribute) {
  std::vector<std::string> labels(static_cast<std::size_t>(names.size()), attribute.fallback);
  for (const auto& [node, value] : attribute.values) {
    labels[static_cast<std::size_t>(*names.find(graph.nodes[node].id))] = is_missing(value) ? "" : value;
  }
  return labels_from_strings(labels);
}

void note_unused(MarkupGraph& graph, const MarkupAttribute* weight, const MarkupAttribute* label) {
  const auto add_note = [&](const std::vector<MarkupAttribute>& attributes, const MarkupAttribute* used,
                            std::string_view what, std::string_view remedy) {
    std::vector<std::string> names;
    for (const MarkupAttribute& attribute : attributes) {
      if (&attribute != used) names.push_back(quoted(attribute.name));
    }
    if (names.empty()) return;
    graph.notes.push_back(
        fmt::format("{}: {} that are not used: {} [{}]", graph.path.string(), what, join(names, ", "), remedy));
  };
  add_note(graph.node_attributes, label, "attributes of nodes", "`columns` label=NAME reads one as labels");
  add_note(graph.edge_attributes, weight, "attributes of edges", "`columns` weight=NAME reads one as weights");
}

}  // namespace

MarkupAttribute& attribute_of(std::vector<MarkupAttribute>& attributes, const std::string& name) {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const MarkupAttribute& attribute) { return attribute.name == name; });
  if (found != attributes.end()) return *found;
  attributes.push_back({.name = name});
  return attributes.back();
}

std::optional<std::vector<std::string>> as_ids(const MarkupGraph& graph, const std::string& attribute) {
  const MarkupAttribute* found = find_attribute(graph.node_attributes, attribute);
  if (found == nullptr || found->values.size() != graph.nodes.size()) return std::nullopt;
  std::vector<std::string> ids(graph.nodes.size());
  for (const auto& [node, value] : found->values) ids[node] = value;
  const std::unordered_set<std::string_view> distinct(ids.begin(), ids.end());
  if (distinct.size() != ids.size() || distinct.contains("")) return std::nullopt;
  return ids;
}

void rename_nodes(MarkupGraph& graph, const std::vector<std::string>& ids) {
  check_nodes(graph);
  std::unordered_map<std::string, std::string> new_ids;
  for (std::size_t i = 0; i < ids.size(); ++i) new_ids.emplace(std::exchange(graph.nodes[i].id, ids[i]), ids[i]);
  for (MarkupGraph::Edge& edge : graph.edges) {
    edge.source = new_ids.at(edge.source);
    edge.target = new_ids.at(edge.target);
  }
}

AttributedGraph to_attributed_graph(MarkupGraph graph, const ReadOptions& options,
                                    const std::vector<std::string>& weight_names) {
  const ColumnChoice choice = parse_columns(options.columns);
  const MarkupAttribute* weight = nullptr;
  if (!choice.weight.empty()) weight = &chosen_attribute(graph, graph.edge_attributes, choice.weight, "edges");
  for (std::size_t i = 0; i < weight_names.size() && weight == nullptr; ++i) {
    weight = find_attribute(graph.edge_attributes, weight_names[i]);
  }
  const MarkupAttribute* label =
      choice.label.empty() ? nullptr : &chosen_attribute(graph, graph.node_attributes, choice.label, "nodes");
  check_nodes(graph);
  Array<float> weights = weights_of(graph, weight);
  const bool directed = resolve_directions(graph, weights, options);
  NumberedArcs numbered = number(graph);
  AttributedGraph result;
  result.graph = build_graph({.arcs = std::move(numbered.arcs),
                              .weights = std::move(weights),
                              .directed = directed,
                              .names = std::move(numbered.names)});
  if (label != nullptr) result.labels = labels_of(graph, result.graph.names(), *label);
  note_unused(graph, weight, label);
  result.notes = std::move(graph.notes);
  return result;
}

}  // namespace gir
