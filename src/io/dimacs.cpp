#include <algorithm>
#include <numeric>
#include <vector>

#include "edge_list_parser.h"
#include "fields.h"
#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/text.h"
#include "gir/io/format.h"
#include "gir/io/gzip.h"
#include "line_blocks.h"

namespace gir {
namespace {

/// The line "p KIND nodes edges".
struct Problem {
  std::string kind;
  std::int64_t nodes = 0;
  std::int64_t edges = 0;
};

/// Reads the lines of a DIMACS file: "e source target" of colouring, "a source target length" of shortest paths and
/// flows, and pairs without a letter, as PACE has them.
class DimacsReader {
 public:
  DimacsReader(const std::filesystem::path& path, std::string_view text) : path_(path), rest_(text) {}

  AttributedGraph read(const ReadOptions& options) {
    while (!rest_.empty()) {
      const std::string_view line = trimmed(take_line(rest_));
      ++line_number_;
      if (!line.empty()) read_line(line);
    }
    if (problem_.kind.empty()) throw UserError(path_, "has no line 'p KIND nodes edges' [is this a DIMACS file?]");
    check_count();
    return build(options);
  }

 private:
  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    throw UserError(path_, line_number_, "{}", fmt::format(format, std::forward<Args>(args)...));
  }

  void read_line(std::string_view line) {
    std::string_view rest = line;
    const std::string_view word = take_field(rest);
    if (word == "c") return;
    if (word == "p") return read_problem(line, rest);
    if (problem_.kind.empty()) {
      refuse("expected 'p KIND nodes edges' before the first edge, got {} [is this a DIMACS file?]", quoted(line));
    }
    if (word == "n" || word == "d" || word == "v" || word == "x") return;  // sources, sinks, colours, coordinates
    if (word == "a") return read_edge(line, rest, true);
    if (word == "e") return read_edge(line, rest, false);
    read_edge(line, line, false);
  }

  void read_problem(std::string_view line, std::string_view rest) {
    if (!problem_.kind.empty()) refuse("a second line 'p' follows [keep one graph per file]");
    const std::string kind = canonical_name(take_field(rest));
    const auto nodes = parse_integer(take_field(rest));
    const auto edges = parse_integer(take_field(rest));
    if (!nodes || !edges || *nodes < 1 || *edges < 0) {
      refuse("expected 'p KIND nodes edges', got {} [correct the line]", quoted(line));
    }
    constexpr std::string_view kKinds[] = {"sp", "max", "edge", "edges", "col", "tw"};
    if (std::find(std::begin(kKinds), std::end(kKinds), kind) == std::end(kKinds)) {
      refuse("problem {} is not read as a graph [known: sp, max, edge, col, tw; or write one edge per line]",
             quoted(kind));
    }
    if (*nodes > kMaxNodes) refuse("declares {} nodes, a graph has at most {}", *nodes, kMaxNodes);
    check_num_nodes(path_, *nodes);
    problem_ = {.kind = kind, .nodes = *nodes, .edges = *edges};
  }

  NodeId take_node(std::string_view line, std::string_view& rest) const {
    const std::string_view field = take_field(rest);
    const auto node = parse_integer(field);
    if (!node) refuse("expected the number of a node, got {} in {}", quoted(field), quoted(line));
    if (*node < 1 || *node > problem_.nodes) refuse("there is no node {} [nodes are 1 .. {}]", *node, problem_.nodes);
    return static_cast<NodeId>(*node - 1);
  }

  void read_edge(std::string_view line, std::string_view rest, bool weighted) {
    const NodeId source = take_node(line, rest);
    const NodeId target = take_node(line, rest);
    arcs_.push_back({source, target});
    if (weighted) weights_.push_back(parse_weight(path_, line_number_, take_field(rest)));
    if (!weights_.empty() && weights_.size() != arcs_.size())
      refuse("some edges have weights and some have not [begin all with 'a', or all with 'e']");
    if (!trimmed(rest).empty()) refuse("expected an edge, got {} [more than the ends and a weight]", quoted(line));
  }

  /// Files of colourings announce the number of lines, of edges, or twice that of edges.
  void check_count() const {
    const auto lines = std::ssize(arcs_);
    if (lines == problem_.edges || lines == 2 * problem_.edges || 2 * lines == problem_.edges) return;
    throw UserError(path_, "declares {} edges, but has {} [is the file truncated? else correct the line 'p']",
                    problem_.edges, lines);
  }

  /// Whether every edge is listed in both directions with the same weight, as road networks are.
  bool is_symmetric() const {
    using Entry = std::pair<std::pair<NodeId, NodeId>, float>;
    std::vector<Entry> there;
    std::vector<Entry> back;
    for (std::size_t i = 0; i < arcs_.size(); ++i) {
      const float weight = weights_.empty() ? 1.0F : weights_[i];
      there.push_back({{arcs_[i].source, arcs_[i].target}, weight});
      back.push_back({{arcs_[i].target, arcs_[i].source}, weight});
    }
    std::sort(there.begin(), there.end());
    std::sort(back.begin(), back.end());
    return there == back;
  }

  AttributedGraph build(const ReadOptions& options) {
    const bool has_arcs = problem_.kind == "sp" || problem_.kind == "max";
    const bool symmetric = has_arcs && is_symmetric();
    Array<std::int64_t> names(problem_.nodes);
    std::iota(names.begin(), names.end(), std::int64_t{1});
    AttributedGraph result;
    result.graph = build_graph({.arcs = Array<Arc>(std::span<const Arc>(arcs_)),
                                .weights = Array<float>(std::span<const float>(weights_)),
                                .directed = options.directed.value_or(has_arcs && !symmetric),
                                .names = NodeNames::integers(std::move(names))});
    if (symmetric && !options.directed) {
      result.notes.push_back(path_.string() +
                             ": every arc is listed in both directions: the graph is read as undirected "
                             "[`directed` reads it as directed]");
    }
    return result;
  }

  const std::filesystem::path& path_;
  std::string_view rest_;
  std::int64_t line_number_ = 0;
  Problem problem_;
  std::vector<Arc> arcs_;
  std::vector<float> weights_;
};

AttributedGraph read_dimacs(const std::filesystem::path& path, const ReadOptions& options) {
  const TextFile file(path);
  return DimacsReader(path, file.text()).read(options);
}

const Registered<GraphFormat> dimacs{
    {.name = "dimacs",
     .summary = "DIMACS: colouring, shortest paths, maximum flow; PACE (read only)",
     .endings = {".gr", ".col", ".clq", ".dimacs", ".gr.gz", ".col.gz", ".clq.gz", ".dimacs.gz"},
     .read = read_dimacs}};

}  // namespace
}  // namespace gir
