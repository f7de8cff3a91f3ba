#include <algorithm>
#include <optional>

#include "fields.h"
#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/text.h"
#include "gir/core/types.h"
#include "gir/io/gzip.h"
#include "line_blocks.h"
#include "markup_graph.h"

namespace gir {
namespace {

/// What the lines of a part of the file are.
enum class Section { kNone, kVertices, kEdges, kLists, kIgnored };

/// Reads the sections of a Pajek file. Coordinates, colours and times are skipped.
class PajekReader {
 public:
  PajekReader(const std::filesystem::path& path, std::string_view text) : rest_(text) { graph_.path = path; }

  MarkupGraph read() {
    while (!rest_.empty()) {
      const std::string_view line = trimmed(take_line(rest_));
      ++line_number_;
      if (line.empty() || line[0] == '%') continue;
      if (line[0] == '*') {
        begin_section(line);
      } else {
        read_line(line);
      }
    }
    if (!has_vertices_) throw UserError(graph_.path, "has no line '*Vertices' [is this a Pajek file?]");
    drop_weights_of_1();
    name_nodes();
    return std::move(graph_);
  }

 private:
  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    throw UserError(graph_.path, line_number_, "{}", fmt::format(format, std::forward<Args>(args)...));
  }

  void note(std::string_view text) { graph_.notes.push_back(fmt::format("{}: {}", graph_.path.string(), text)); }

  void begin_section(std::string_view line) {
    const std::string_view whole = line;
    const std::string word = canonical_name(take_field(line));
    const std::string name = word.substr(0, word.find(':'));
    section_ = Section::kIgnored;
    if (name == "*vertices") {
      begin_vertices(line);
    } else if (name == "*edges" || name == "*arcs") {
      begin_edges(Section::kEdges, name == "*arcs");
    } else if (name == "*edgeslist" || name == "*arcslist") {
      begin_edges(Section::kLists, name == "*arcslist");
    } else if (name == "*matrix") {
      refuse("a matrix begins here, which is not read [save the network with arcs and edges]");
    } else if (name != "*network") {
      note(fmt::format("the section {} is not used", quoted(whole)));
    } else if (has_vertices_) {
      refuse("a second network begins here [keep one network per file]");
    }
  }

  void begin_vertices(std::string_view rest) {
    if (std::exchange(has_vertices_, true)) refuse("a second network begins here [keep one network per file]");
    const auto count = parse_integer(take_field(rest));
    if (!count || *count < 1) refuse("expected '*Vertices' and their number [correct the line]");
    constexpr std::int64_t kBytesPerVertex = 256;  // its number and label, several times
    if (*count > kMaxNodes || *count > memory_limit() / kBytesPerVertex) {
      refuse("declares {} vertices, more than fit in memory [is the number right?]", *count);
    }
    const auto of_first_mode = parse_integer(take_field(rest));
    if (of_first_mode && *of_first_mode < *count) {
      note(fmt::format("the network has two modes: the first {} of its {} vertices, and the others", *of_first_mode,
                       *count));
    }
    for (std::int64_t node = 1; node <= *count; ++node) {
      graph_.nodes.push_back({.id = std::to_string(node), .line = line_number_});
    }
    section_ = Section::kVertices;
  }

  void begin_edges(Section section, bool directed) {
    if (!has_vertices_) refuse("edges begin here, before '*Vertices' [is the file complete?]");
    section_ = section;
    directed_ = directed;
  }

  void read_line(std::string_view line) {
    switch (section_) {
      case Section::kVertices:
        return read_vertex(line);
      case Section::kEdges:
        return read_edge(line);
      case Section::kLists:
        return read_list(line);
      case Section::kIgnored:
        return;
      case Section::kNone:
        refuse("expected '*Vertices', got {} [is this a Pajek file?]", quoted(line));
    }
  }

  /// The position of the vertex with the number `field`.
  std::size_t vertex(std::string_view field, std::string_view line) const {
    const auto number = parse_integer(field);
    if (!number) refuse("expected the number of a vertex, got {} in {}", quoted(field), quoted(line));
    if (*number < 1 || *number > std::ssize(graph_.nodes)) {
      refuse("there is no vertex {} [vertices are 1 .. {}]", *number, graph_.nodes.size());
    }
    return static_cast<std::size_t>(*number - 1);
  }

  void read_vertex(std::string_view line) {
    std::optional<std::string_view> rest = line;
    std::string unquoted;
    const std::size_t node = vertex(*take_field(rest, ' '), line);
    graph_.nodes[node].line = line_number_;
    const auto label = take_cell(rest, ' ', unquoted);
    if (label && !label->empty()) {
      attribute_of(graph_.node_attributes, "label").values.emplace_back(node, std::string(*label));
    }
  }

  void add_edge(std::size_t source, std::size_t target, std::string_view weight) {
    if (!weight.empty()) {
      attribute_of(graph_.edge_attributes, "weight").values.emplace_back(graph_.edges.size(), std::string(weight));
    }
    graph_.edges.push_back({.source = graph_.nodes[source].id,
                            .target = graph_.nodes[target].id,
                            .line = line_number_,
                            .directed = directed_});
  }

  void read_edge(std::string_view line) {
    std::string_view rest = line;
    const std::size_t source = vertex(take_field(rest), line);
    const std::size_t target = vertex(take_field(rest), line);
    const std::string_view third = take_field(rest);
    add_edge(source, target, parse_float(third) ? third : std::string_view());  // else how the edge is drawn
  }

  void read_list(std::string_view line) {
    std::string_view rest = line;
    const std::size_t source = vertex(take_field(rest), line);
    for (std::string_view field = take_field(rest); !field.empty(); field = take_field(rest)) {
      add_edge(source, vertex(field, line), {});
    }
  }

  /// networkx writes the weight 1 for edges that have none.
  void drop_weights_of_1() {
    std::erase_if(graph_.edge_attributes, [](const MarkupAttribute& attribute) {
      return std::all_of(attribute.values.begin(), attribute.values.end(),
                         [](const auto& value) { return parse_float(value.second) == 1.0F; });
    });
  }

  /// Vertices are called by their labels, as networkx and igraph have it, where these are all there and different.
  void name_nodes() {
    if (graph_.node_attributes.empty()) return;
    const auto names = as_ids(graph_, "label");
    if (names) {
      rename_nodes(graph_, *names);
      note("nodes are called by their label, not by their number");
    } else {
      note("nodes are called by their number, as their labels are not all there and different");
    }
    if (names) graph_.node_attributes.clear();
  }

  MarkupGraph graph_;
  std::string_view rest_;
  std::int64_t line_number_ = 0;
  Section section_ = Section::kNone;
  bool has_vertices_ = false;
  bool directed_ = false;
};

AttributedGraph read_pajek(const std::filesystem::path& path, const ReadOptions& options) {
  const TextFile file(path);
  return to_attributed_graph(PajekReader(path, file.text()).read(), options, {"weight"});
}

const Registered<GraphFormat> pajek{{.name = "pajek",
                                     .summary = "Pajek's .net, as NetworkX and igraph write it, too (read only)",
                                     .endings = {".net", ".paj", ".net.gz", ".paj.gz"},
                                     .has_named_attributes = true,
                                     .read = read_pajek}};

}  // namespace
}  // namespace gir
