#include <algorithm>
#include <memory>

#include "columns.h"
#include "edge_list_parser.h"
#include "edge_rows.h"
#include "edge_table.h"
#include "first_line.h"
#include "foreign_files.h"
#include "gir/core/error.h"
#include "gir/io/csv_cell.h"
#include "gir/io/format.h"
#include "gir/io/gzip.h"
#include "line_blocks.h"
#include "separators.h"

namespace gir {
namespace {

/// The cells of the first line of a plain edge list that may be a table, none where it is separated by blanks.
Cells table_cells(const std::filesystem::path& path, std::string_view text) {
  const std::string_view line = take_line(text);
  if (line.find(',') != std::string_view::npos) return split_cells(line, ',');
  const bool has_tabs = path.extension() == ".tsv" || path.extension() == ".csv";
  return has_tabs && line.find('\t') != std::string_view::npos ? split_cells(line, '\t') : Cells();
}

EdgeTable read_plain_edges(const std::filesystem::path& path, std::unique_ptr<const TextFile> file, PlainLayout layout,
                           const ReadOptions& options) {
  EdgeTable result{.input = {}, .notes = layout.notes};
  result.input = parse_plain_edges(path, file->text(), layout, options);
  result.input.directed = options.directed.value_or(false);
  if (layout.header_line != 0) {
    result.notes.push_back(fmt::format("{}:{}: skipped as a header line", path.string(), layout.header_line));
  } else if (options.header == HeaderLine::kAuto) {
    const Cells cells = table_cells(path, file->text());
    const bool is_table = layout.first_line == 1 && !cells.empty();
    const NumbersLine line =
        classify_numbers(fmt::format("{}:{}: ", path.string(), layout.first_line), cells, is_table, result.input);
    if (!line.note.empty()) result.notes.push_back(line.note);
    if (!line.skip) return result;
    layout.header_line = layout.first_line;
    result.input = parse_plain_edges(path, file->text(), layout, options);
  }
  return result;
}

AttributedGraph read_edge_list(const std::filesystem::path& path, const ReadOptions& options) {
  auto file = std::make_unique<const TextFile>(path);
  check_is_text(path, file->text());
  if (options.format.empty()) {
    const std::string_view format = format_of_text(path, file->text());
    if (!format.empty()) return Registry<GraphFormat>::get(format).read(path, options);
  }
  const ColumnChoice choice = parse_columns(options.columns);
  if (!choice.node.empty() || !choice.label.empty()) refuse_label_columns(path);
  const EdgeListComments comments = read_edge_list_comments(path, file->text());
  const auto plain = detect_plain_layout(path, file->text(), comments, options);
  // The text (or its mapping) is freed before the graph is built.
  EdgeTable edges = plain ? read_plain_edges(path, std::move(file), *plain, options)
                          : read_edge_table(path, std::move(file), comments, options);
  if (plain) edges.input.directed = comments.directed;
  if (options.directed) edges.input.directed = *options.directed;
  AttributedGraph result{.graph = build_graph(std::move(edges.input)),
                         .notes = std::move(edges.notes),
                         .may_lack_nodes = !options.num_nodes};
  if (result.graph.num_nodes() == 0) {
    throw UserError(path, "has no edges [an edge list has 'source target [weight]' on every line]");
  }
  return result;
}

bool is_comma_separated(const std::filesystem::path& path) {
  return path.extension() == ".csv" || path.stem().extension() == ".csv";
}

/// UserError for an id that would be refused when the file is read again.
void check_name(const std::filesystem::path& path, const NodeNames& names, NodeId node) {
  if (names.kind() == NodeNames::Kind::kPositions) return;
  const std::string name = names.name(node);
  const bool negative = names.kind() == NodeNames::Kind::kIntegers && names.integer(node) < 0;
  if (!negative && problem_of_id(name).empty()) return;
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
    const std::string from = csv_cell(graph.names().name(source), separator);
    const std::string to = csv_cell(graph.names().name(target), separator);
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
    .summary = "'source target [weight]' per line, or a table of edges (CSV, TSV); SNAP, KONECT; gzip",
    .endings = {".txt", ".edges", ".edgelist", ".el", ".tsv", ".csv", ".txt.gz", ".edges.gz", ".edgelist.gz", ".el.gz",
                ".tsv.gz", ".csv.gz"},
    .read = read_edge_list,
    .write = write_edge_list,
}};

}  // namespace
}  // namespace gir
