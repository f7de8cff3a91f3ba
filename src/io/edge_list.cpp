#include <algorithm>
#include <optional>

#include "edge_list_parser.h"
#include "gir/core/error.h"
#include "gir/io/format.h"
#include "gir/io/gzip.h"

namespace gir {
namespace {

AttributedGraph read_edge_list(const std::filesystem::path& path, const ReadOptions& options) {
  std::optional<TextFile> file(path);
  const EdgeListLayout layout = detect_edge_list_layout(path, file->text(), options);
  EdgeInput input = parse_edge_list(path, file->text(), layout, options);
  file.reset();  // frees the text (or its mapping) before the graph is built
  AttributedGraph result;
  result.graph = build_graph(std::move(input));
  if (result.graph.num_nodes() == 0) {
    throw UserError(path, "has no edges [an edge list has 'source target [weight]' on every line]");
  }
  if (layout.header_line != 0) {
    result.notes.push_back(fmt::format("{}:{}: skipped as a header line", path.string(), layout.header_line));
  }
  return result;
}

bool is_comma_separated(const std::filesystem::path& path) {
  return path.extension() == ".csv" || path.stem().extension() == ".csv";
}

/// UserError for an id that would be read back differently.
void check_name(const std::filesystem::path& path, const NodeNames& names, NodeId node) {
  if (names.kind() == NodeNames::Kind::kPositions) return;
  const std::string name = names.name(node);
  const bool negative = names.kind() == NodeNames::Kind::kIntegers && names.integer(node) < 0;
  const bool ambiguous =
      name.empty() || name[0] == '#' || name[0] == '%' || name[0] == '"' || name.front() == ' ' || name.back() == ' ' ||
      name.find(',') != std::string::npos ||
      std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  if (ambiguous || negative)
    throw UserError(path, "an edge list cannot hold the node id {} [write .npz instead]", quoted(name));
}

/// Writes every edge once. Comments keep what an edge list cannot express: direction, nodes without edges, and that ids
/// are text.
void write_edge_list(const std::filesystem::path& path, const AttributedGraph& attributed) {
  const Graph& graph = attributed.graph;
  const bool text_ids = graph.names().kind() == NodeNames::Kind::kStrings;
  const char separator = is_comma_separated(path) ? ',' : text_ids || path.extension() == ".tsv" ? '\t' : ' ';
  TextFileWriter out(path);
  out.line(
      "# gir {} graph: {} nodes, {} edges", graph.directed() ? "directed" : "undirected", graph.num_nodes(),
      (graph.directed() ? graph.num_arcs() : graph.num_arcs() / 2) + static_cast<EdgeId>(graph.self_loops().size()));
  if (text_ids) out.line("{}", kEdgeListTextMark);
  const auto write_edge = [&](NodeId source, NodeId target, float weight) {
    const std::string from = graph.names().name(source);
    const std::string to = graph.names().name(target);
    if (graph.weighted()) {
      out.line("{}{}{}{}{}", from, separator, to, separator, weight);
    } else {
      out.line("{}{}{}", from, separator, to);
    }
  };
  std::size_t next_loop = 0;
  const auto loops = graph.self_loops();
  for (NodeId u = 0; u < graph.num_nodes(); ++u) {
    check_name(path, graph.names(), u);
    const bool has_loop = next_loop < loops.size() && loops[next_loop] == u;
    if (graph.out_degree(u) + graph.in_degree(u) == 0 && !has_loop) {
      out.line("{}{}", kEdgeListNodeMark, graph.names().name(u));
    }
    if (has_loop) write_edge(u, u, graph.weighted() ? graph.self_loop_weights()[next_loop++] : (++next_loop, 1.0f));
    const auto row = graph.out_neighbors(u);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!graph.directed() && row[i] < u) continue;
      write_edge(u, row[i], graph.weighted() ? graph.out().row_weights(u)[i] : 1.0f);
    }
  }
  out.commit();
}

const Registered<GraphFormat> edge_list{{
    .name = "edge-list",
    .summary = "'source target [weight]' per line; blanks, tabs or commas; # and % comments; SNAP; gzip",
    .endings = {".txt", ".edges", ".edgelist", ".el", ".tsv", ".csv", ".txt.gz", ".edges.gz", ".edgelist.gz", ".el.gz",
                ".tsv.gz", ".csv.gz"},
    .read = read_edge_list,
    .write = write_edge_list,
}};

}  // namespace
}  // namespace gir
