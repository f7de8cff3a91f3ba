#include "gir/io/tables.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fields.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/io/npy.h"
#include "gir/io/npz.h"
#include "missing_labels.h"
#include "node_arrays.h"
#include "node_rows.h"
#include "node_table.h"
#include "number_style.h"
#include "reads_header.h"

namespace gir {
namespace {

/// Parses the values of a row.
class RowParser {
 public:
  RowParser(const NodeTable& table, const NodeNames& names, const NumberStyle& style)
      : table_(table), names_(names), style_(style), ids_(table.ids ? 1 : 0) {}

  std::int64_t columns() const { return static_cast<std::int64_t>(table_.width) - ids_; }

  void parse(NodeId node, std::int64_t line_number, std::string_view line, float* values) const {
    std::optional<std::string_view> rest = line;
    std::string unquoted;
    if (ids_ == 1) take_cell(rest, table_.rows.separator(), unquoted);
    for (std::int64_t column = 0; column < columns(); ++column) {
      const auto cell = take_cell(rest, table_.rows.separator(), unquoted);
      if (!cell) check_length(line_number, line);
      const auto value = parse_number(*cell, style_);
      if (!value || !std::isfinite(*value)) refuse(node, line_number, column, *cell);
      values[column] = *value;
    }
    if (take_cell(rest, table_.rows.separator(), unquoted)) check_length(line_number, line);
  }

  /// UserError where the line has more or fewer cells than the first.
  void check_length(std::int64_t line_number, std::string_view line) const {
    std::int64_t cells = 0;
    std::string unquoted;
    for (std::optional<std::string_view> rest = line; take_cell(rest, table_.rows.separator(), unquoted);) ++cells;
    if (cells == columns() + ids_) return;
    throw UserError(table_.rows.path(), line_number,
                    "has {} cells, the first row has {} [all rows need the same number]", cells, columns() + ids_);
  }

 private:
  [[noreturn]] void refuse(NodeId node, std::int64_t line_number, std::int64_t column, std::string_view cell) const {
    const auto at = static_cast<std::size_t>(column + ids_);
    const std::string name = at < table_.header.size() ? fmt::format(" ({})", quoted(table_.header[at])) : "";
    throw UserError(
        table_.rows.path(), line_number, "column {}{} of node {} is {}, not a finite number [{}]", at + 1, name,
        quoted(names_.name(node)), quoted(cell),
        is_missing(cell) ? "fill in the missing value, or remove the column" : "fix the value, or remove the column");
  }

  const NodeTable& table_;
  const NodeNames& names_;
  NumberStyle style_;
  std::int64_t ids_;  ///< number of id columns: 0 or 1
};

/// UserError where a node has no row.
void check_all_nodes(const NodeTable& table, const std::vector<NodeId>& nodes, const NodeNames& names) {
  if (std::ssize(nodes) == names.size()) return;
  std::vector<bool> seen(static_cast<std::size_t>(names.size()), false);
  for (const NodeId node : nodes) seen[static_cast<std::size_t>(node)] = true;
  const auto first = static_cast<NodeId>(std::find(seen.begin(), seen.end(), false) - seen.begin());
  throw UserError(table.rows.path(), "has {} rows of features, but the graph has {} nodes [add a row for node {}]",
                  nodes.size(), names.size(), quoted(names.name(first)));
}

/// How the numbers of a table are written that is separated by something else than commas.
NumberStyle find_feature_style(NodeTable& table) {
  const TextTable& rows = table.rows;
  if (rows.separator() == ',' || rows.text().find(',') == std::string_view::npos) return {};
  NumberStyleVotes votes;
  rows.for_each_row([&](std::int64_t, std::int64_t line_number, std::string_view line) {
    std::string unquoted;
    std::optional<std::string_view> rest = line;
    for (std::size_t column = 0; const auto cell = take_cell(rest, rows.separator(), unquoted); ++column) {
      if (column != table.ids) votes.see(*cell, line_number);
    }
  });
  return votes.decide(rows.path(), rows.separator(), "features", table.notes);
}

/// Features from a text file. Every row is parsed directly into its place in the matrix, in parallel.
Features parse_features(NodeTable& table, const NodeNames& names) {
  const TextTable& rows = table.rows;
  const RowParser parser(table, names, find_feature_style(table));
  if (parser.columns() == 0) throw UserError(rows.path(), "has node ids but no features [add a column per feature]");
  const auto nodes = table.ids ? nodes_of(table, names) : std::vector<NodeId>();
  if (table.ids) {
    check_all_nodes(table, nodes, names);
  } else {
    check_row_count(rows.path().string(), rows.rows(), "rows of features", names);
  }

  // A value takes at least two bytes of text. A larger number of values means that some row is shorter than the first,
  // which must be found before memory for all values is allocated.
  if (rows.rows() > static_cast<std::int64_t>(rows.text().size() + 1) / 2 / parser.columns()) {
    rows.for_each_row(
        [&](std::int64_t, std::int64_t line_number, std::string_view line) { parser.check_length(line_number, line); });
  }
  DenseMatrix matrix{.rows = rows.rows(), .columns = parser.columns(), .values = {}};
  matrix.values = Array<float>(matrix.rows * matrix.columns);
  rows.for_each_row([&](std::int64_t row, std::int64_t line_number, std::string_view line) {
    const NodeId node = table.ids ? nodes[static_cast<std::size_t>(row)] : static_cast<NodeId>(row);
    parser.parse(node, line_number, line, matrix.values.data() + node * matrix.columns);
  });
  return matrix;
}

[[noreturn]] void refuse_label_row(const NodeTable& table, std::int64_t line_number, std::string_view line) {
  if (table.width > 2) {
    throw UserError(table.rows.path(), line_number, "expected {} cells as in the first row, got {}", table.width,
                    quoted(line));
  }
  throw UserError(table.rows.path(), line_number, "expected '{}', got {}", table.ids ? "node label" : "label",
                  quoted(line));
}

/// The label in every row.
std::vector<std::string> label_cells(const NodeTable& table) {
  const char separator = table.rows.separator();
  std::vector<std::string> labels(static_cast<std::size_t>(table.rows.rows()));
  table.rows.for_each_row([&](std::int64_t row, std::int64_t line_number, std::string_view line) {
    std::string unquoted;
    std::size_t cells = 0;
    for (std::optional<std::string_view> rest = line; const auto cell = take_cell(rest, separator, unquoted); ++cells) {
      if (cells == table.label) labels[static_cast<std::size_t>(row)] = *cell;
    }
    if (cells != table.width) refuse_label_row(table, line_number, line);
  });
  return labels;
}

/// Labels from a text file.
Labels parse_labels(NodeTable& table, const NodeNames& names) {
  if (!table.ids) check_row_count(table.rows.path().string(), table.rows.rows(), "labels", names);
  const auto nodes = table.ids ? nodes_of(table, names) : std::vector<NodeId>();
  std::vector<std::string> cells = label_cells(table);
  clear_missing_labels(table.rows.path(), cells, table.notes);
  note_label_twins(table.rows.path(), cells, table.notes);
  if (!table.ids) return labels_from_strings(cells);
  std::vector<std::string> labels(static_cast<std::size_t>(names.size()));
  for (std::size_t row = 0; row < cells.size(); ++row) labels[static_cast<std::size_t>(nodes[row])] = cells[row];
  return labels_from_strings(labels);
}

/// Those arrays of a .npz file that are in `used`, or the array of a .npy file under the name `wanted`.
ArraySource open_arrays(const std::filesystem::path& path, const std::string& wanted,
                        std::initializer_list<std::string> used) {
  ArraySource source{.where = path.string(), .names = {}, .read = {}};
  if (path.extension() == ".npy") {
    source.names = {wanted};
    source.read = [path](const std::string&) { return read_npy(path); };
    return source;
  }
  const auto file = std::make_shared<NpzFile>(path);
  for (const std::string& name : used) {
    if (file->has(name)) source.names.push_back(name);
  }
  source.read = [file](const std::string& name) { return file->read(name); };
  if (source.names.empty()) {
    throw UserError(path, "has no array {}, only {} [save one under that name]", wanted,
                    file->names().empty() ? "nothing" : join(file->names(), ", "));
  }
  return source;
}

bool holds_arrays(const std::filesystem::path& path) {
  return path.extension() == ".npy" || path.extension() == ".npz";
}

void add_notes(const std::vector<std::string>& from, std::vector<std::string>* notes) {
  if (notes != nullptr) notes->insert(notes->end(), from.begin(), from.end());
}

std::int64_t num_rows(const Features& features) {
  if (const auto* dense = std::get_if<DenseMatrix>(&features)) return dense->rows;
  return std::get<SparseMatrix>(features).rows;
}

}  // namespace

ReadOptions without_label_options(const std::filesystem::path& graph, const ReadOptions& options) {
  ReadOptions kept = options;
  std::vector<std::string> columns;
  for (const std::string& item : split_list(options.columns)) {
    const std::string word = canonical_name(item.substr(0, item.find('=')));
    if (word != "node" && word != "label") columns.push_back(item);
  }
  kept.columns = join(columns, ",");
  if (!graph.empty() && !reads_header(graph, options)) kept.header = HeaderLine::kAuto;
  return kept;
}

std::vector<std::string> ids_of_features(const std::filesystem::path& path, const NodeNames& names) {
  if (holds_arrays(path)) return {};
  const NodeTable table = open_feature_table(path, names);
  return table.ids ? ids_of(table, names) : std::vector<std::string>();
}

std::vector<std::string> ids_of_labels(const std::filesystem::path& path, const NodeNames& names,
                                       const LabelTableOptions& options) {
  if (holds_arrays(path)) return {};
  const NodeTable table = open_label_table(path, names, options);
  return table.ids ? ids_of(table, names) : std::vector<std::string>();
}

Features read_features(const std::filesystem::path& path, const NodeNames& names, std::vector<std::string>* notes) {
  if (!holds_arrays(path)) {
    NodeTable table = open_feature_table(path, names);
    Features features = parse_features(table, names);
    add_notes(table.notes, notes);
    return features;
  }
  const auto arrays = open_arrays(
      path, "features", {"features", "attr_matrix", "attr_indptr", "attr_indices", "attr_data", "attr_shape"});
  NodeCount count({});
  NodeArrays about = read_node_arrays(arrays, count);
  if (!count.known()) throw UserError(path, "has only parts of features [attr_indptr and attr_data are missing]");
  check_row_count(path.string(), num_rows(about.features), "rows of features", names);
  add_notes({note_on_order(path, names)}, notes);
  return std::move(about.features);
}

Labels read_labels(const std::filesystem::path& path, const NodeNames& names, const LabelTableOptions& options,
                   std::vector<std::string>* notes) {
  if (!holds_arrays(path)) {
    NodeTable table = open_label_table(path, names, options);
    Labels labels = parse_labels(table, names);
    add_notes(table.notes, notes);
    return labels;
  }
  const auto arrays = open_arrays(path, "labels", {"labels", "class_names"});
  NodeCount count({});
  NodeArrays about = read_node_arrays(arrays, count);
  if (!count.known()) throw UserError(path, "has class_names but no labels");
  check_row_count(path.string(), about.labels.classes.size(), "labels", names);
  add_notes({note_on_order(path, names)}, notes);
  return std::move(about.labels);
}

}  // namespace gir
