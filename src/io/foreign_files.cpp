#include "foreign_files.h"

#include <algorithm>
#include <array>
#include <string>

#include "adjacency_list.h"
#include "edge_list_comments.h"
#include "fields.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "line_blocks.h"

namespace gir {
namespace {

constexpr std::size_t kHead = 4096;  // bytes that are examined

/// Files that are not text, by their first bytes.
struct BinaryKind {
  std::string_view begin;
  std::string_view what;
};
constexpr auto kBinaryKinds = std::to_array<BinaryKind>({
    {"PK\x03\x04", "a zip archive or a spreadsheet [unpack it, or export the sheet as CSV]"},
    {"BZh", "compressed with bzip2 [unpack it first: tar xf for .tar.bz2, else bunzip2]"},
    {"\xFD\x37zXZ", "compressed with xz [unpack it first: tar xf for .tar.xz, else unxz]"},
    {"\x28\xB5\x2F\xFD", "compressed with zstd [unpack it first: unzstd]"},
    {"7z\xBC\xAF", "a 7z archive [unpack it first]"},
    {"SQLite format 3", "an SQLite database [export the table of edges as CSV]"},
    {"PAR1", "a Parquet file [export it as CSV]"},
});

void refuse_binary_kinds(const std::filesystem::path& path, std::string_view head) {
  for (const BinaryKind& kind : kBinaryKinds) {
    if (head.starts_with(kind.begin)) throw UserError(path, "is {}", kind.what);
  }
}

void refuse_binary(const std::filesystem::path& path, std::string_view head) {
  refuse_binary_kinds(path, head);
  if (head.find('\0') == std::string_view::npos) return;
  if (head.substr(0, 512).find("ustar") != std::string_view::npos) {
    throw UserError(path, "is a tar archive [unpack it first: tar xf]");
  }
  throw UserError(path,
                  "is binary, not an edge list [give it the ending of its format: .npz, .npy, .mat, .mtx; a table must "
                  "be UTF-8 text]");
}

constexpr std::string_view kExport = "[export it as GraphML, GML or CSV]";

/// Files that look like edge lists, but are none, by the endings of their names.
struct ForeignEnding {
  std::string_view ending;
  std::string_view what;
};
constexpr auto kForeignEndings = std::to_array<ForeignEnding>({
    {".lgl", "an LGL file"},
    {".sql", "an SQL dump"},
    {".g6", "in graph6"},
    {".s6", "in sparse6"},
    {".d6", "in digraph6"},
});

/// Files that are recognised by how they begin.
struct ForeignBeginning {
  std::string_view begin;
  std::string_view what;  ///< with what to do
};
constexpr auto kForeignBeginnings = std::to_array<ForeignBeginning>({
    {">>graph6<<", "is in graph6 [write it with networkx.write_edgelist]"},
    {">>sparse6<<", "is in sparse6 [write it with networkx.write_edgelist]"},
    {">>digraph6<<", "is in digraph6 [write it with networkx.write_edgelist]"},
    {"LEDA.GRAPH", "is a LEDA file [read it with networkx.read_leda and write it with networkx.write_graphml]"},
    {"nodedef>", "is a GDF file [open it in Gephi and export it as GEXF, GraphML or CSV]"},
    {"(tlp ", "is a Tulip file [export it as GML or CSV]"},
    {"version https://git-lfs", "is a pointer of Git LFS, not the file itself [git lfs pull downloads it]"},
    {"404: Not Found", "is the error message of a web server, not the file [download it again]"},
    {"@prefix", "is RDF (Turtle) [write subject and object of every triple as CSV]"},
    {"@base", "is RDF (Turtle) [write subject and object of every triple as CSV]"},
});

std::string_view first_line(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = trimmed(take_line(text));
    if (!line.empty() && line[0] != '#') return line;
  }
  return {};
}

bool is_gml(std::string_view head) {
  std::string_view line = first_line(head);
  const std::string word = canonical_name(take_field(line));
  if (word == "creator")
    return head.find("graph") != std::string_view::npos && head.find('[') != std::string_view::npos;
  if (word != "graph") return word == "graph[";
  std::string_view rest = head.substr(static_cast<std::size_t>(line.data() - head.data()));
  const auto next = rest.find_first_not_of(" \t\r\n");
  return next != std::string_view::npos && rest[next] == '[';
}

/// Whether a text has a line of minus signs and crossings only, as database clients and Markdown draw tables.
bool has_drawn_line(std::string_view head) {
  constexpr std::size_t kLines = 3;
  for (std::size_t i = 0; i < kLines && !head.empty(); ++i) {
    const std::string_view line = trimmed(take_line(head));
    const bool has_crossings = line.find_first_of("+|") != std::string_view::npos;
    if (has_crossings && line.find("--") != std::string_view::npos &&
        line.find_first_not_of("-+|: ") == std::string_view::npos) {
      return true;
    }
  }
  return false;
}

/// Whether a line is a pair in brackets, as Python prints tuples and lists.
bool is_pair_in_brackets(std::string_view line) {
  line = trimmed(line);
  if (line.ends_with(',')) line.remove_suffix(1);
  const bool has_brackets =
      (line.starts_with('(') && line.ends_with(')')) || (line.starts_with('[') && line.ends_with(']'));
  return has_brackets && line.find(',') != std::string_view::npos;
}

/// What a text of another program is; empty for everything else. `line` is the first that is no comment.
std::string_view foreign_kind(std::string_view line, std::string_view head) {
  const auto has = [&](char c) { return head.find(c) != std::string_view::npos; };
  const bool is_list = line.size() < 2 || std::string_view(" {[\"").find(line[1]) != std::string_view::npos;
  if (line.starts_with("<?xml") || line.starts_with("<!") || line.starts_with("<g")) {
    return "XML, but neither GraphML nor GEXF";
  }
  if ((line.starts_with('{') || line.starts_with('[')) && is_list) return "JSON, but no node-link graph";
  if (has_drawn_line(head)) return "a table drawn with lines";
  if (is_pair_in_brackets(line)) return "a list of pairs in brackets";
  const std::string word = canonical_name(take_field(line));
  if ((word == "graph" || word == "digraph" || word == "strict") && has('{')) return "a DOT file";
  const bool is_statement = trimmed(line).ends_with(';') && std::count(line.begin(), line.end(), ';') == 1;
  if (((word == "create" || word == "insert" || word == "copy" || word == "begin;" || word == "--") && has(';')) ||
      ((word == "pragma" || word == "set" || word == "drop") && is_statement))
    return "an SQL dump";
  const std::string lower = canonical_name(head);
  if (word == "dl" && (lower.find("n=") != std::string::npos || lower.find("data:") != std::string::npos))
    return "a UCINET file";
  if (word == "*node" && lower.find("*tie") != std::string::npos) return "a VNA file";
  return {};
}

/// Whether a line is a triple of N-Triples: <subject> <predicate> <object> and a dot.
bool is_triple(std::string_view line) {
  line = trimmed(line);
  return line.ends_with('.') && (line.starts_with("<") || line.starts_with("_:")) &&
         line.find("> <") != std::string_view::npos;
}

bool is_web_page(std::string_view head) {
  const std::string lower = canonical_name(trimmed(head).substr(0, 64));
  return lower.starts_with("<!doctype html") || lower.starts_with("<html");
}

/// UserError for a file of another program that shows at its beginning what it is.
void refuse_beginning(const std::filesystem::path& path, std::string_view head) {
  const std::string_view line = first_line(head);
  for (const auto& [begin, what] : kForeignBeginnings) {
    if (line.starts_with(begin)) throw UserError(path, "{}", what);
  }
  if (is_triple(line)) {
    throw UserError(path, "is RDF (N-Triples) [write subject and object of every triple as CSV]");
  }
  if (is_web_page(head)) throw UserError(path, "is a web page, not a file of edges [download the file itself]");
  if (line.starts_with("name:") && path.filename().string().starts_with("meta.")) {
    throw UserError(path, "describes a network of KONECT [the edges are in the file out.{}]",
                    path.filename().string().substr(5));
  }
}

/// Whether a text begins with "p KIND nodes edges", after comments "c ...".
bool is_dimacs(std::string_view head) {
  while (!head.empty()) {
    std::string_view line = trimmed(take_line(head));
    const std::string_view word = take_field(line);
    if (word.empty() || word == "c") continue;
    take_field(line);
    return word == "p" && parse_integer(take_field(line)) && parse_integer(take_field(line));
  }
  return false;
}

/// Whether a text begins with a line of Pajek's sections, after comments "% ...".
bool is_pajek(std::string_view head) {
  while (!head.empty()) {
    std::string_view line = trimmed(take_line(head));
    if (line.empty() || line[0] == '%') continue;
    const std::string word = canonical_name(take_field(line));
    return word == "*vertices" || word == "*network";
  }
  return false;
}

/// Whether a text is a JSON object with a list of nodes and one of links.
bool is_json_graph(std::string_view text) {
  if (!trimmed(text.substr(0, kHead)).starts_with('{')) return false;
  const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
  return has("\"nodes\"") && (has("\"links\"") || has("\"edges\"") || has("\"adjacency\""));
}

}  // namespace

void check_is_text(const std::filesystem::path& path, std::string_view text) {
  if (text.empty()) throw UserError(path, "is empty [an edge list has 'source target [weight]' on every line]");
  refuse_binary(path, text.substr(0, kHead));
}

void check_is_table(const std::filesystem::path& path, std::string_view text) {
  const std::string_view head = text.substr(0, kHead);
  refuse_binary_kinds(path, head);
  const std::string_view kind = foreign_kind(first_line(head), head);
  if (kind.starts_with("JSON")) throw UserError(path, "is JSON [write it as a table: CSV with a row per node]");
  if (kind.starts_with("XML")) throw UserError(path, "is XML [write it as a table: CSV with a row per node]");
}

std::string_view format_of_text(const std::filesystem::path& path, std::string_view text) {
  const std::string_view head = text.substr(0, kHead);
  if (head.starts_with(kEdgeListOwnComments)) return {};  // whatever its ids look like
  if (head.starts_with("%%MatrixMarket")) return "matrix-market";
  if (is_gml(head)) return "gml";
  if (trimmed(head).starts_with('<') && head.find("<graphml") != std::string_view::npos) return "graphml";
  if (trimmed(head).starts_with('<') && head.find("<gexf") != std::string_view::npos) return "gexf";
  if (is_pajek(head)) return "pajek";
  if (is_dimacs(head)) return "dimacs";
  if (is_json_graph(text)) return "json";
  refuse_beginning(path, head);
  const std::string_view kind = foreign_kind(first_line(head), head);
  if (!kind.empty()) throw UserError(path, "is {} {}", kind, kExport);
  const std::string name = canonical_name(path.filename().string());
  for (const auto& [ending, what] : kForeignEndings) {
    if (name.ends_with(ending)) throw UserError(path, "is {} {}", what, kExport);
  }
  refuse_multiline_adjacency_list(path, text);
  if (is_adjacency_list(text)) return "adjacency-list";
  return {};
}

}  // namespace gir
