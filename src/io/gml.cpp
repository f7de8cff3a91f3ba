#include <algorithm>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/io/gzip.h"
#include "markup_graph.h"
#include "xml.h"

namespace gir {
namespace {

/// Divides a GML file into keys, values and brackets.
class GmlTokens {
 public:
  GmlTokens(const std::filesystem::path& path, std::string_view text) : path_(path), rest_(text) {}

  /// The next token: a word or number, "[" or "]"; empty at the end of the file. A string is returned without its
  /// quotes, see was_string().
  std::string next() {
    skip_blanks_and_comments();
    was_string_ = false;
    line_ = place_line_;
    if (rest_.empty()) return {};
    if (rest_[0] == '[' || rest_[0] == ']') return std::string(take(1));
    if (rest_[0] == '"') return take_string();
    return std::string(take(std::min(rest_.find_first_of(" \t\r\n[]"), rest_.size())));
  }

  bool was_string() const { return was_string_; }

  /// Line of the last token.
  std::int64_t line() const { return line_; }

  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    const std::string fact = fmt::format(format, std::forward<Args>(args)...);
    throw UserError(path_, line_, "{}{}", fact, fact.ends_with(']') ? "" : " [correct the file, or export it again]");
  }

 private:
  void skip_blanks_and_comments() {
    while (!rest_.empty()) {
      if (rest_[0] == '#') {
        take(std::min(rest_.find('\n'), rest_.size()));
      } else if (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\n' || rest_[0] == '\r') {
        take(1);
      } else {
        return;
      }
    }
  }

  std::string_view take(std::size_t bytes) {
    const std::string_view taken = rest_.substr(0, bytes);
    place_line_ += std::count(taken.begin(), taken.end(), '\n');
    rest_.remove_prefix(bytes);
    return taken;
  }

  std::string take_string() {
    const auto end = rest_.find('"', 1);
    if (end == std::string_view::npos) refuse("a string begins here and does not end");
    const std::string_view content = take(end + 1).substr(1, end - 1);
    was_string_ = true;
    return without_entities(content).value_or(std::string(content));
  }

  const std::filesystem::path& path_;
  std::string_view rest_;
  std::int64_t place_line_ = 1;
  std::int64_t line_ = 1;
  bool was_string_ = false;
};

/// A key and its value in a list; lists inside of lists are skipped.
struct GmlField {
  std::string key;
  std::string value;
};

/// Reads the nodes and edges of a GML file.
class GmlReader {
 public:
  GmlReader(const std::filesystem::path& path, std::string_view text) : tokens_(path, text) { graph_.path = path; }

  MarkupGraph read() {
    bool found = false;
    for (std::string key = tokens_.next(); !key.empty(); key = tokens_.next()) {
      if (key == "[" || key == "]") tokens_.refuse("expected a key, got {}", quoted(std::string_view(key)));
      const bool is_graph = canonical_name(key) == "graph";
      const std::string value = next_value(key);
      if (value != "[" || tokens_.was_string()) continue;
      if (!is_graph) {
        skip_list();
        continue;
      }
      if (std::exchange(found, true)) tokens_.refuse("a second graph begins here [keep one graph per file]");
      read_graph();
    }
    if (!found) throw UserError(graph_.path, "has no 'graph [' [is this a GML file?]");
    for (MarkupGraph::Edge& edge : graph_.edges) edge.directed = directed_;
    name_nodes();
    return std::move(graph_);
  }

 private:
  std::string next_value(const std::string& key) {
    std::string value = tokens_.next();
    const bool is_missing = !tokens_.was_string() && (value.empty() || value == "]");
    if (is_missing) tokens_.refuse("key {} has no value [is the file truncated?]", quoted(key));
    return value;
  }

  void skip_list() {
    for (std::int64_t depth = 1; depth > 0;) {
      const std::string token = tokens_.next();
      if (token.empty() && !tokens_.was_string()) tokens_.refuse("a list does not end [is the file truncated?]");
      if (tokens_.was_string()) continue;
      depth += token == "[" ? 1 : token == "]" ? -1 : 0;
    }
  }

  /// Calls `use(key, value)` for every entry of the list that has begun; `value` is "[" with `is_list` for lists, which
  /// `use` reads to their end.
  template <typename Use>
  void for_each_entry(const Use& use) {
    while (true) {
      const std::string key = tokens_.next();
      if (key.empty()) tokens_.refuse("a list does not end [is the file truncated?]");
      if (key == "]") return;
      const std::string value = next_value(key);
      use(key, value, value == "[" && !tokens_.was_string());
    }
  }

  void read_graph() {
    for_each_entry([&](const std::string& key, const std::string& value, bool is_list) {
      if (key == "node" && is_list) {
        read_node();
      } else if (key == "edge" && is_list) {
        read_edge();
      } else if (is_list) {
        skip_list();
      } else if (key == "directed") {
        directed_ = value == "1";
      }
    });
  }

  std::vector<GmlField> read_fields() {
    std::vector<GmlField> fields;
    for_each_entry([&](const std::string& key, const std::string& value, bool is_list) {
      if (is_list) {
        skip_list();
      } else {
        fields.push_back({key, value});
      }
    });
    return fields;
  }

  /// Removes the field from `fields` and returns its value.
  std::string take_field(std::vector<GmlField>& fields, std::string_view key, std::string_view what,
                         std::int64_t line) {
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.key == key; });
    if (found == fields.end()) throw UserError(graph_.path, line, "{} has no {} [add it]", what, key);
    std::string value = std::move(found->value);
    fields.erase(found);
    return value;
  }

  void read_node() {
    const std::int64_t line = tokens_.line();
    std::vector<GmlField> fields = read_fields();
    const std::size_t node = graph_.nodes.size();
    graph_.nodes.push_back({.id = take_field(fields, "id", "a node", line), .line = line});
    for (GmlField& field : fields) {
      attribute_of(graph_.node_attributes, field.key).values.emplace_back(node, std::move(field.value));
    }
  }

  void read_edge() {
    const std::int64_t line = tokens_.line();
    std::vector<GmlField> fields = read_fields();
    const std::size_t edge = graph_.edges.size();
    MarkupGraph::Edge& added = graph_.edges.emplace_back();
    added.line = line;
    added.source = take_field(fields, "source", "an edge", line);
    added.target = take_field(fields, "target", "an edge", line);
    for (GmlField& field : fields) {
      attribute_of(graph_.edge_attributes, field.key).values.emplace_back(edge, std::move(field.value));
    }
  }

  /// Ids of GML are numbers that a program made up; nodes are called by their labels, as networkx has it, or by their
  /// names, as igraph has it.
  void name_nodes() {
    for (const std::string attribute : {"label", "name"}) {
      const auto has_name = [&](const MarkupAttribute& other) { return other.name == attribute; };
      if (std::none_of(graph_.node_attributes.begin(), graph_.node_attributes.end(), has_name)) continue;
      const auto names = as_ids(graph_, attribute);
      if (!names) {
        graph_.notes.push_back(
            fmt::format("{}: nodes are called by their id, as their {}s are not all there and different",
                        graph_.path.string(), attribute));
        return;
      }
      rename_nodes(graph_, *names);
      graph_.notes.push_back(
          fmt::format("{}: nodes are called by their {}, not by their id", graph_.path.string(), attribute));
      std::erase_if(graph_.node_attributes, has_name);
      return;
    }
  }

  GmlTokens tokens_;
  MarkupGraph graph_;
  bool directed_ = false;
};

AttributedGraph read_gml(const std::filesystem::path& path, const ReadOptions& options) {
  const TextFile file(path);
  return to_attributed_graph(GmlReader(path, file.text()).read(), options, {"weight", "value"});
}

const Registered<GraphFormat> gml{{.name = "gml",
                                   .summary = "GML, as NetworkX, igraph and Gephi write it (read only)",
                                   .endings = {".gml", ".gml.gz"},
                                   .has_named_attributes = true,
                                   .read = read_gml}};

}  // namespace
}  // namespace gir
