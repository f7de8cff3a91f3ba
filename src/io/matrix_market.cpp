#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "data_lines.h"
#include "fields.h"
#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/text.h"
#include "gir/io/format.h"
#include "gir/io/gzip.h"
#include "line_blocks.h"
#include "matrix_market_ids.h"

namespace gir {
namespace {

/// File and line number, for messages.
struct Place {
  const std::filesystem::path& path;
  std::int64_t line;
};

/// What precedes the entries.
struct Header {
  bool symmetric = false;
  bool weighted = false;
  std::int64_t nodes = 0;
  std::int64_t entries = 0;
  std::int64_t lines = 0;  ///< number of lines of the header
  MatrixMarketIds ids;
};

/// Parses the first line, "%%MatrixMarket matrix coordinate FIELD SYMMETRY".
void read_banner(const Place& place, std::string_view line, Header& header) {
  std::vector<std::string> words;
  for (std::string_view rest = line, word; !(word = take_field(rest)).empty();) words.push_back(canonical_name(word));
  if (words.empty() || words[0] != "%%matrixmarket") {
    throw UserError(place.path, place.line,
                    "expected '%%MatrixMarket matrix coordinate ...', got {} [is this a MatrixMarket file?]",
                    quoted(line));
  }
  if (words.size() != 5 || words[1] != "matrix") {
    throw UserError(place.path, place.line,
                    "expected '%%MatrixMarket matrix coordinate pattern|real|integer general|symmetric', got {}",
                    quoted(line));
  }
  const auto refuse = [&](std::string_view what, const std::string& word, std::string_view remedy) {
    throw UserError(place.path, place.line, "{} {} cannot be read as a graph [{}]", what, quoted(word), remedy);
  };
  if (words[2] != "coordinate") refuse("layout", words[2], "store the matrix as coordinate");
  if (words[3] != "pattern" && words[3] != "real" && words[3] != "integer") {
    refuse("entry type", words[3], "use pattern, real or integer");
  }
  if (words[4] != "general" && words[4] != "symmetric") refuse("symmetry", words[4], "use general or symmetric");
  header.weighted = words[3] != "pattern";
  header.symmetric = words[4] == "symmetric";
}

/// Reads the size line. `body` is the text after the header, of which every entry takes at least four bytes ("1 1\n"):
/// sizes that cannot be true are refused before memory is allocated.
void read_sizes(const Place& place, std::string_view line, std::string_view body, Header& header) {
  std::string_view rest = line;
  const auto rows = parse_integer(take_field(rest));
  const auto columns = parse_integer(take_field(rest));
  const auto entries = parse_integer(take_field(rest));
  if (!rows || !columns || !entries || !trimmed(rest).empty() || *rows < 0 || *columns < 0 || *entries < 0) {
    throw UserError(place.path, place.line, "expected the sizes 'rows columns entries', got {}", quoted(line));
  }
  if (*rows != *columns) {
    throw UserError(place.path, place.line, "the matrix has {} rows but {} columns [a graph's matrix is square]", *rows,
                    *columns);
  }
  if (*rows > kMaxNodes) {
    throw UserError(place.path, place.line, "declares {} nodes, a graph has at most {}", *rows, kMaxNodes);
  }
  constexpr std::int64_t kBytesPerNode = 3 * sizeof(std::int64_t);  // a name and two offsets
  if (*rows > memory_limit() / kBytesPerNode) {
    throw UserError(place.path, place.line, "declares {} nodes, more than fit in memory [is the size right?]", *rows);
  }
  if (*entries > static_cast<std::int64_t>(body.size() + 1) / 4) {
    throw UserError(place.path, place.line,
                    "declares {} entries, more than fit in the {} bytes after it [is the file truncated?]", *entries,
                    body.size());
  }
  header.nodes = *rows;
  header.entries = *entries;
}

/// Removes the header from the front of `rest` and parses it.
Header take_header(const std::filesystem::path& path, std::string_view& rest) {
  Header header;
  Place place{path, 1};
  read_banner(place, take_line(rest), header);
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    ++place.line;
    if (line.starts_with('%')) {
      header.ids.read_comment(line, place.line);
    } else if (!trimmed(line).empty()) {
      read_sizes(place, line, rest, header);
      header.lines = place.line;
      return header;
    }
  }
  throw UserError(path, place.line, "the file ends before the sizes 'rows columns entries' [is it truncated?]");
}

void check_count(const std::filesystem::path& path, const DataLines& lines, const Header& header) {
  if (lines.size() < header.entries) {
    throw UserError(path, "ends after {} entries, {} are declared [is the file truncated?]", lines.size(),
                    header.entries);
  }
  if (lines.size() > header.entries) {
    throw UserError(path, lines.line(header.entries).number,
                    "entry {} follows, but only {} are declared [correct the size line]", header.entries + 1,
                    header.entries);
  }
}

/// Parses one line as an entry.
class EntryParser {
 public:
  explicit EntryParser(const Header& header) : header_(header) {}

  void parse(const Place& place, std::string_view line, Arc& arc, float* weight) const {
    std::string_view rest = line;
    arc.source = take_index(place, line, rest);
    arc.target = take_index(place, line, rest);
    if (weight != nullptr) *weight = take_weight(place, line, rest);
    if (!trimmed(rest).empty()) refuse(place, line);
  }

 private:
  [[noreturn]] void refuse(const Place& place, std::string_view line) const {
    throw UserError(place.path, place.line, "expected 'row column{}', got {}", header_.weighted ? " value" : "",
                    quoted(line));
  }

  NodeId take_index(const Place& place, std::string_view line, std::string_view& rest) const {
    const auto index = parse_integer(take_field(rest));
    if (!index) refuse(place, line);
    if (*index < 1 || *index > header_.nodes) {
      throw UserError(place.path, place.line, "index {} is out of range [rows and columns are 1 .. {}]", *index,
                      header_.nodes);
    }
    return static_cast<NodeId>(*index - 1);
  }

  float take_weight(const Place& place, std::string_view line, std::string_view& rest) const {
    const std::string_view field = take_field(rest);
    const auto weight = parse_float(field);
    if (!weight) refuse(place, line);
    if (!std::isfinite(*weight)) {
      throw UserError(place.path, place.line, "value {} is not a finite number [remove the line or correct the value]",
                      quoted(field));
    }
    return *weight;
  }

  const Header& header_;
};

EdgeInput parse_entries(const std::filesystem::path& path, std::string_view body, const Header& header) {
  const DataLines lines(body, {.comments = "%"}, header.lines + 1);
  check_count(path, lines, header);
  EdgeInput input;
  input.arcs = Array<Arc>(header.entries);
  if (header.weighted) input.weights = Array<float>(header.entries);
  const EntryParser parser(header);
  lines.for_each([&](std::int64_t entry, std::int64_t line_number, std::string_view line) {
    parser.parse({path, line_number}, line, input.arcs[entry], header.weighted ? &input.weights[entry] : nullptr);
  });
  return input;
}

/// Adds the upper triangle, which a symmetric matrix does not store. Needed for directed graphs only: for undirected
/// ones, build_graph() adds the other direction.
void mirror(EdgeInput& input) {
  const std::int64_t given = input.arcs.size();
  const bool weighted = !input.weights.empty();
  const auto off_diagonal =
      std::count_if(input.arcs.begin(), input.arcs.end(), [](const Arc& arc) { return arc.source != arc.target; });
  Array<Arc> arcs(given + off_diagonal);
  Array<float> weights(weighted ? arcs.size() : 0);
  std::int64_t next = 0;
  const auto add = [&](Arc arc, std::int64_t from) {
    arcs[next] = arc;
    if (weighted) weights[next] = input.weights[from];
    ++next;
  };
  for (std::int64_t i = 0; i < given; ++i) {
    const Arc arc = input.arcs[i];
    add(arc, i);
    if (arc.source != arc.target) add({arc.target, arc.source}, i);
  }
  input.arcs = std::move(arcs);
  input.weights = std::move(weights);
}

AttributedGraph read_matrix_market(const std::filesystem::path& path, const ReadOptions& options) {
  const TextFile file(path);
  std::string_view rest = file.text();
  const Header header = take_header(path, rest);
  NodeNames names = header.ids.names(path, header.nodes);
  EdgeInput input = parse_entries(path, rest, header);
  input.names = std::move(names);
  input.directed = options.directed.value_or(!header.symmetric);
  if (header.symmetric && input.directed) mirror(input);
  AttributedGraph result;
  result.graph = build_graph(std::move(input));
  return result;
}

void write_entries(const Graph& graph, TextFileWriter& out) {
  const auto write = [&](NodeId row, NodeId column, const float* weight) {
    const std::int64_t i = std::int64_t{row} + 1;
    const std::int64_t j = std::int64_t{column} + 1;
    weight == nullptr ? out.line("{} {}", i, j) : out.line("{} {} {}", i, j, *weight);
  };
  const Adjacency& out_arcs = graph.out();
  for (std::int64_t u = 0; u < graph.num_nodes(); ++u) {
    for (EdgeId e = out_arcs.offsets[u]; e < out_arcs.offsets[u + 1]; ++e) {
      const NodeId v = out_arcs.neighbors[e];
      // Of a symmetric matrix, only the lower triangle is stored.
      if (!graph.directed() && v > u) break;
      write(static_cast<NodeId>(u), v, graph.weighted() ? &out_arcs.weights[e] : nullptr);
    }
  }
  for (std::size_t i = 0; i < graph.self_loops().size(); ++i) {
    const NodeId u = graph.self_loops()[i];
    write(u, u, graph.weighted() ? &graph.self_loop_weights()[i] : nullptr);
  }
}

void write_matrix_market(const std::filesystem::path& path, const AttributedGraph& attributed) {
  const Graph& graph = attributed.graph;
  TextFileWriter out(path);
  out.line("%%MatrixMarket matrix coordinate {} {}", graph.weighted() ? "real" : "pattern",
           graph.directed() ? "general" : "symmetric");
  write_matrix_market_ids(path, graph.names(), out);
  const EdgeId edges = graph.directed() ? graph.num_arcs() : graph.num_arcs() / 2;
  out.line("{} {} {}", graph.num_nodes(), graph.num_nodes(), edges + static_cast<EdgeId>(graph.self_loops().size()));
  write_entries(graph, out);
  out.commit();
}

const Registered<GraphFormat> matrix_market{{.name = "matrix-market",
                                             .summary = "MatrixMarket coordinate matrix, the graph without attributes",
                                             .endings = {".mtx", ".mtx.gz"},
                                             .read = read_matrix_market,
                                             .write = write_matrix_market}};

}  // namespace
}  // namespace gir
