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

/// Reads the elements of a GEXF file. Drawings and the times of dynamic graphs are skipped.
class GexfReader {
 public:
  GexfReader(const std::filesystem::path& path, std::string_view text) : xml_(path, text) { graph_.path = path; }

  MarkupGraph read() {
    for (Event event = xml_.next(); event != Event::kEndOfFile; event = xml_.next()) {
      if (event == Event::kStart) begin_element();
      if (event == Event::kEnd) end_element();
      if (event == Event::kText && is_default_) default_ += xml_.text();
    }
    if (graphs_ == 0) throw UserError(graph_.path, "has no element graph [is this a GEXF file?]");
    drop_labels_that_are_ids();
    return std::move(graph_);
  }

 private:
  /// The attributes of nodes, or those of edges, and their names by the ids that elements refer to.
  struct Declarations {
    std::vector<MarkupAttribute>* attributes;
    std::map<std::string, std::string> names = {};
  };

  /// A node or edge that has begun; nodes may contain nodes.
  struct Element {
    Declarations* declarations;
    std::size_t index;
    bool has_weight = false;
  };

  std::string needed(std::string_view attribute) const {
    const auto value = xml_.attribute(attribute);
    if (!value) {
      throw UserError(graph_.path, xml_.line(), "{} has no attribute {} [correct the file, or export it again]",
                      quoted(xml_.name()), attribute);
    }
    return *value;
  }

  void begin_element() {
    const std::string_view name = xml_.name();
    if (name == "graph") {
      begin_graph();
    } else if (name == "attributes") {
      declared_ = xml_.attribute("class").value_or("node") == "edge" ? &edges_ : &nodes_;
    } else if (name == "attribute") {
      declare();
    } else if (name == "default") {
      is_default_ = true;
    } else if (name == "node") {
      begin_node();
    } else if (name == "edge") {
      begin_edge();
    } else if (name == "attvalue") {
      read_value();
    }
  }

  void end_element() {
    const std::string_view name = xml_.name();
    if ((name == "node" || name == "edge") && !open_.empty()) open_.pop_back();
    if (name != "default" || !std::exchange(is_default_, false)) return;
    attribute_of(*declared_->attributes, last_declared_).fallback = std::exchange(default_, {});
  }

  void begin_graph() {
    if (++graphs_ == 2) {
      throw UserError(graph_.path, xml_.line(), "a second graph begins here [keep one graph per file]");
    }
    default_type_ = xml_.attribute("defaultedgetype").value_or("undirected");
    if (xml_.attribute("mode").value_or("static") != "dynamic") return;
    graph_.notes.push_back(
        fmt::format("{}: the graph is dynamic; its times are not used, and every node and edge is "
                    "read as if it were always there",
                    graph_.path.string()));
  }

  void declare() {
    last_declared_ = xml_.attribute("title").value_or(needed("id"));
    declared_->names[needed("id")] = last_declared_;
    attribute_of(*declared_->attributes, last_declared_);
  }

  void begin_node() {
    open_.push_back({&nodes_, graph_.nodes.size()});
    graph_.nodes.push_back({.id = needed("id"), .line = xml_.line()});
    if (const auto label = xml_.attribute("label")) add("label", *label);
  }

  void begin_edge() {
    open_.push_back({&edges_, graph_.edges.size()});
    const std::string type = xml_.attribute("type").value_or(default_type_);
    graph_.edges.push_back(
        {.source = needed("source"), .target = needed("target"), .line = xml_.line(), .directed = type == "directed"});
    if (const auto weight = xml_.attribute("weight")) {
      add("weight", *weight);
      open_.back().has_weight = true;
    }
    if (const auto label = xml_.attribute("label"); label && !label->empty()) add("label", *label);
  }

  void read_value() {
    if (open_.empty()) return;
    const auto& names = open_.back().declarations->names;
    const std::string id = xml_.attribute("for") ? *xml_.attribute("for") : needed("id");  // "id" is that of GEXF 1.0
    const auto name = names.find(id);
    const std::string title = name == names.end() ? id : name->second;
    if (!open_.back().has_weight || canonical_name(title) != "weight") add(title, needed("value"));
  }

  /// Adds a value of the innermost node or edge.
  void add(const std::string& attribute, std::string value) {
    const Element& element = open_.back();
    attribute_of(*element.declarations->attributes, attribute).values.emplace_back(element.index, std::move(value));
  }

  /// NetworkX and Gephi write the id as the label where a node has none.
  void drop_labels_that_are_ids() {
    std::erase_if(graph_.node_attributes, [&](const MarkupAttribute& attribute) {
      return attribute.name == "label" &&
             std::all_of(attribute.values.begin(), attribute.values.end(),
                         [&](const auto& value) { return value.second == graph_.nodes[value.first].id; });
    });
  }

  XmlReader xml_;
  MarkupGraph graph_;
  Declarations nodes_{&graph_.node_attributes};
  Declarations edges_{&graph_.edge_attributes};
  Declarations* declared_ = &nodes_;  ///< those that are being declared
  std::string last_declared_;
  bool is_default_ = false;  ///< inside of the default value of an attribute
  std::string default_;
  std::string default_type_;
  std::vector<Element> open_;
  std::int64_t graphs_ = 0;
};

AttributedGraph read_gexf(const std::filesystem::path& path, const ReadOptions& options) {
  const TextFile file(path);
  return to_attributed_graph(GexfReader(path, file.text()).read(), options, {"weight"});
}

const Registered<GraphFormat> gexf{{.name = "gexf",
                                    .summary = "GEXF, as Gephi and NetworkX write it (read only)",
                                    .endings = {".gexf", ".gexf.gz"},
                                    .has_named_attributes = true,
                                    .read = read_gexf}};

}  // namespace
}  // namespace gir
