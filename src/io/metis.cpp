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

/// The first line: "nodes edges [format [weights of a node]]".
struct MetisHeader {
  std::int64_t nodes = 0;
  std::int64_t edges = 0;
  bool edge_weights = false;
  std::int64_t ignored = 0;  ///< numbers at the beginning of every line: size and weights of the node
};

class MetisReader {
 public:
  MetisReader(const std::filesystem::path& path, std::string_view text) : path_(path), rest_(text) {}

  AttributedGraph read(const ReadOptions& options) {
    read_header();
    arcs_.reserve(static_cast<std::size_t>(2 * header_.edges));
    for (std::int64_t node = 1; node <= header_.nodes; ++node) {
      const auto line = next_line();
      if (!line) break;  // the last nodes have no edges, see check_edges()
      read_node(node, *line);
    }
    while (const auto line = next_line()) {
      if (trimmed(*line).empty()) continue;
      refuse("has a line for node {}, but only {} nodes are declared [correct the first line]", header_.nodes + 1,
             header_.nodes);
    }
    check_edges();
    return build(options);
  }

 private:
  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    throw UserError(path_, line_number_, "{}", fmt::format(format, std::forward<Args>(args)...));
  }

  /// The next line that is no comment; blank lines belong to nodes without edges.
  std::optional<std::string_view> next_line() {
    while (!rest_.empty()) {
      const std::string_view line = take_line(rest_);
      ++line_number_;
      if (!line.starts_with('%')) return line;
    }
    return std::nullopt;
  }

  void read_header() {
    std::optional<std::string_view> line = next_line();
    while (line && trimmed(*line).empty()) line = next_line();
    if (!line) throw UserError(path_, "is empty [a METIS file begins with the numbers of nodes and edges]");
    std::string_view rest = *line;
    const auto nodes = parse_integer(take_field(rest));
    const auto edges = parse_integer(take_field(rest));
    const std::string format(take_field(rest));
    const auto weights = parse_integer(take_field(rest));
    const bool is_format = format.size() <= 3 && format.find_first_not_of("01") == std::string::npos;
    if (!nodes || !edges || *nodes < 1 || *edges < 0 || !is_format || !trimmed(rest).empty()) {
      refuse("expected 'nodes edges [format]' as in METIS files, got {} [a .graph file of edges: `read-as` edge-list]",
             quoted(*line));
    }
    check_sizes(*nodes, *edges);
    const std::string digits = std::string(3 - format.size(), '0') + format;
    header_ = {.nodes = *nodes,
               .edges = *edges,
               .edge_weights = digits[2] == '1',
               .ignored = (digits[0] == '1' ? 1 : 0) + (digits[1] == '1' ? weights.value_or(1) : 0)};
  }

  void check_sizes(std::int64_t nodes, std::int64_t edges) const {
    if (nodes > kMaxNodes) refuse("declares {} nodes, a graph has at most {}", nodes, kMaxNodes);
    check_num_nodes(path_, nodes);
    if (edges > static_cast<std::int64_t>(rest_.size())) {
      refuse("declares {} edges, more than fit in the {} bytes after it [is the file truncated?]", edges, rest_.size());
    }
  }

  void read_node(std::int64_t node, std::string_view line) {
    for (std::int64_t i = 0; i < header_.ignored && !trimmed(line).empty(); ++i) take_field(line);
    for (std::string_view field = take_field(line); !field.empty(); field = take_field(line)) {
      const auto neighbor = parse_integer(field);
      if (!neighbor) refuse("expected the number of a neighbour of node {}, got {}", node, quoted(field));
      if (*neighbor < 1 || *neighbor > header_.nodes) {
        refuse("node {} has the neighbour {} [nodes are 1 .. {}]", node, *neighbor, header_.nodes);
      }
      arcs_.push_back({static_cast<NodeId>(node - 1), static_cast<NodeId>(*neighbor - 1)});
      if (header_.edge_weights) weights_.push_back(parse_weight(path_, line_number_, take_field(line)));
    }
  }

  /// Every edge stands in the lines of both of its nodes, a self loop once or twice.
  void check_edges() const {
    const auto entries = std::ssize(arcs_);
    const auto loops =
        std::count_if(arcs_.begin(), arcs_.end(), [](const Arc& arc) { return arc.source == arc.target; });
    if (entries == 2 * header_.edges || entries + loops == 2 * header_.edges) return;
    throw UserError(path_,
                    "declares {} edges, but has {} entries where two for each are expected [correct the first line; an "
                    "edge appears in the lines of both of its nodes]",
                    header_.edges, entries);
  }

  AttributedGraph build(const ReadOptions& options) {
    Array<std::int64_t> names(header_.nodes);
    std::iota(names.begin(), names.end(), std::int64_t{1});
    AttributedGraph result;
    result.graph = build_graph({.arcs = Array<Arc>(std::span<const Arc>(arcs_)),
                                .weights = Array<float>(std::span<const float>(weights_)),
                                .directed = options.directed.value_or(false),
                                .names = NodeNames::integers(std::move(names))});
    const std::string where = path_.string();
    if (header_.ignored > 0) result.notes.push_back(where + ": the weights of nodes are not used");
    const auto loops = std::count_if(arcs_.begin(), arcs_.end(), [](const Arc& a) { return a.source == a.target; });
    if (!result.graph.directed() && result.graph.num_arcs() != std::ssize(arcs_) - loops) {
      result.notes.push_back(where + ": some edges appear in the line of only one of their nodes, or repeatedly");
    }
    return result;
  }

  const std::filesystem::path& path_;
  std::string_view rest_;
  std::int64_t line_number_ = 0;
  MetisHeader header_;
  std::vector<Arc> arcs_;
  std::vector<float> weights_;
};

AttributedGraph read_metis(const std::filesystem::path& path, const ReadOptions& options) {
  const TextFile file(path);
  return MetisReader(path, file.text()).read(options);
}

const Registered<GraphFormat> metis{
    {.name = "metis",
     .summary = "METIS adjacency lines, as in the 10th DIMACS Challenge and NetworKit (read only)",
     .endings = {".graph", ".metis", ".graph.gz", ".metis.gz"},
     .read = read_metis}};

}  // namespace
}  // namespace gir
