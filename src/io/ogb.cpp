#include "gir/io/ogb.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "data_lines.h"
#include "fields.h"
#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/text.h"
#include "gir/io/gzip.h"
#include "gir/io/tables.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

constexpr RecordSyntax kNoComments{.comments = ""};

/// The only number in a file.
std::int64_t read_count(const fs::path& path) {
  const TextFile file(path);
  const DataLines lines(file.text(), kNoComments);
  if (lines.size() != 1) {
    throw UserError(path, "holds {} numbers, expected one [gir reads data sets of a single graph]", lines.size());
  }
  const auto [number, text] = lines.line(0);
  const auto count = parse_integer(trimmed(text));
  if (!count || *count < 0) throw UserError(path, number, "expected a count, got {}", quoted(text));
  return *count;
}

std::int64_t read_node_count(const fs::path& path) {
  constexpr std::int64_t kBytesPerNode = 2 * sizeof(EdgeId);
  const std::int64_t nodes = read_count(path);
  if (nodes > std::min(kMaxNodes, memory_limit() / kBytesPerNode)) {
    throw UserError(path, "declares {} nodes, more than fit in memory [is the number right?]", with_thousands(nodes));
  }
  return nodes;
}

NodeId parse_node(const fs::path& path, std::int64_t line_number, std::string_view cell, std::int64_t nodes) {
  const auto node = parse_integer(trimmed(cell));
  if (!node) throw UserError(path, line_number, "expected a node number, got {}", quoted(cell));
  if (*node < 0 || *node >= nodes) {
    throw UserError(path, line_number, "node {} is out of range [nodes are 0 .. {}]", *node, nodes - 1);
  }
  return static_cast<NodeId>(*node);
}

/// Reads the edges; their number must be the one that num-edge-list.csv.gz declares.
Array<Arc> read_edges(const fs::path& raw, std::int64_t nodes) {
  const fs::path path = raw / "edge.csv.gz";
  const fs::path count_path = raw / "num-edge-list.csv.gz";
  const TextFile file(path);
  const DataLines lines(file.text(), kNoComments);
  const std::int64_t declared = read_count(count_path);
  if (lines.size() != declared) {
    throw UserError(path, "holds {} edges, {} declares {} [get both files again]", lines.size(),
                    count_path.filename().string(), declared);
  }
  Array<Arc> arcs(lines.size());
  lines.for_each([&](std::int64_t row, std::int64_t line_number, std::string_view line) {
    const auto comma = line.find(',');
    if (comma == std::string_view::npos) {
      throw UserError(path, line_number, "expected 'source,target', got {}", quoted(line));
    }
    arcs[row] = {parse_node(path, line_number, line.substr(0, comma), nodes),
                 parse_node(path, line_number, line.substr(comma + 1), nodes)};
  });
  return arcs;
}

Labels read_label_column(const fs::path& path, std::int64_t nodes) {
  if (!fs::exists(path)) return {};
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
  const TextFile file(path);
  const DataLines lines(file.text(), kNoComments);
  if (lines.size() != nodes) {
    throw UserError(path, "holds {} labels, num-node-list.csv.gz declares {} nodes [get both files again]",
                    lines.size(), nodes);
  }
  std::vector<std::int64_t> labels(static_cast<std::size_t>(nodes));
  lines.for_each([&](std::int64_t row, std::int64_t line_number, std::string_view line) {
    const std::string_view cell = trimmed(line);
    const auto label = cell == "nan" ? kNone : parse_integer(cell);
    if (!label) throw UserError(path, line_number, "expected a label (one whole number), got {}", quoted(line));
    labels[static_cast<std::size_t>(row)] = *label;
  });
  return labels_from_integers(labels, kNone);
}

/// Reads the parts of a split and checks that no node occurs twice.
class SplitReader {
 public:
  explicit SplitReader(std::int64_t nodes) : taken_(static_cast<std::size_t>(nodes), false) {}

  std::vector<NodeId> read(const fs::path& path) {
    const TextFile file(path);
    const DataLines lines(file.text(), kNoComments);
    std::vector<NodeId> part(static_cast<std::size_t>(lines.size()));
    lines.for_each([&](std::int64_t row, std::int64_t line_number, std::string_view line) {
      part[static_cast<std::size_t>(row)] =
          parse_node(path, line_number, line, static_cast<std::int64_t>(taken_.size()));
    });
    for (std::size_t row = 0; row < part.size(); ++row) {
      const auto node = static_cast<std::size_t>(part[row]);
      if (taken_[node]) {
        throw UserError(path, lines.line(static_cast<std::int64_t>(row)).number,
                        "node {} is in the split already [keep it once]", node);
      }
      taken_[node] = true;
    }
    return part;
  }

 private:
  std::vector<bool> taken_;
};

/// Folders with a split, sorted by name.
std::vector<fs::path> split_folders(const fs::path& folder) {
  std::vector<fs::path> found;
  if (!fs::is_directory(folder / "split")) return found;
  for (const auto& entry : fs::directory_iterator(folder / "split")) {
    if (fs::exists(entry.path() / "train.csv.gz")) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

void add_split(const fs::path& folder, AttributedGraph& result) {
  const auto folders = split_folders(folder);
  if (folders.empty()) return;
  SplitReader reader(result.graph.num_nodes());
  // Braces guarantee the order of evaluation: which error is reported does not depend on the compiler.
  result.split = NodeSplit{.train = reader.read(folders[0] / "train.csv.gz"),
                           .valid = reader.read(folders[0] / "valid.csv.gz"),
                           .test = reader.read(folders[0] / "test.csv.gz")};
  if (folders.size() > 1) {
    result.notes.push_back(fmt::format("{}: the first of {} splits was read", folders[0].string(), folders.size()));
  }
}

void add_features(const fs::path& path, AttributedGraph& result) {
  if (fs::exists(path)) {
    result.features = read_features(path, result.graph.names());
    return;
  }
  result.notes.push_back(fmt::format(
      "{}: missing, the graph is read without node features [fetching the data set downloads them]", path.string()));
}

}  // namespace

bool is_ogb_folder(const fs::path& folder) { return fs::exists(folder / "raw" / "edge.csv.gz"); }

AttributedGraph read_ogb(const fs::path& folder, const ReadOptions& options) {
  const fs::path raw = folder / "raw";
  AttributedGraph result;
  const std::int64_t nodes = read_node_count(raw / "num-node-list.csv.gz");
  result.labels = read_label_column(raw / "node-label.csv.gz", nodes);
  result.graph = build_graph({.arcs = read_edges(raw, nodes),
                              .weights = {},
                              .directed = options.directed.value_or(true),
                              .names = NodeNames::positions(nodes)});
  add_split(folder, result);
  add_features(raw / "node-feat.csv.gz", result);
  return result;
}

namespace {

const Registered<GraphFormat> ogb{{
    .name = "ogb",
    .summary = "folder of a node property prediction data set of OGB: raw/edge.csv.gz, ... (read only)",
    .endings = {},
    .recognises = is_ogb_folder,
    .read = read_ogb,
}};

}  // namespace
}  // namespace gir
