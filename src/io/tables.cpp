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
#include "node_arrays.h"
#include "text_table.h"

namespace gir {
namespace {

bool is_one_of(std::string_view cell, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), canonical_name(cell)) != words.end();
}

/// Parses the values of a row.
class RowParser {
 public:
  RowParser(const TextTable& table, const NodeNames& names, bool has_ids)
      : table_(table), names_(names), ids_(has_ids ? 1 : 0) {}

  std::int64_t columns() const { return static_cast<std::int64_t>(table_.first_row().size()) - ids_; }

  void parse(NodeId node, std::int64_t line_number, std::string_view line, float* values) const {
    std::optional<std::string_view> rest = line;
    if (ids_ == 1) take_field(rest, table_.separator());
    for (std::int64_t column = 0; column < columns(); ++column) {
      const auto cell = take_field(rest, table_.separator());
      if (!cell) check_length(line_number, line);
      const auto value = parse_float(*cell);
      if (!value || !std::isfinite(*value)) {
        throw UserError(table_.path(), line_number, "column {} of node {} is {}, not a finite number [fix the value]",
                        column + 1 + ids_, quoted(names_.name(node)), quoted(*cell));
      }
      values[column] = *value;
    }
    if (take_field(rest, table_.separator())) check_length(line_number, line);
  }

  /// UserError where the line has more or fewer cells than the first.
  void check_length(std::int64_t line_number, std::string_view line) const {
    std::int64_t cells = 0;
    for (std::optional<std::string_view> rest = line; take_field(rest, table_.separator());) ++cells;
    if (cells == columns() + ids_) return;
    throw UserError(table_.path(), line_number, "has {} cells, the first row has {} [all rows need the same number]",
                    cells, columns() + ids_);
  }

 private:
  const TextTable& table_;
  const NodeNames& names_;
  std::int64_t ids_;  ///< number of id columns: 0 or 1
};

/// Features from a text file. Every row is parsed directly into its place in the matrix, in parallel.
Features parse_features(const std::filesystem::path& path, const NodeNames& names) {
  TextTable table(path);
  const auto& first = table.first_row();
  const bool has_header =
      std::none_of(first.begin(), first.end(), [](const auto& cell) { return parse_float(cell).has_value(); });
  const bool has_ids = has_header && is_one_of(first[0], {"node", "id", "node-id"});
  if (has_header) table.skip_header();
  const RowParser parser(table, names, has_ids);
  if (parser.columns() == 0) throw UserError(path, "has node ids but no features [add a column per feature]");
  check_row_count(path.string(), table.rows(), "rows of features", names);
  const auto nodes = has_ids ? table.nodes_by_id(names) : std::vector<NodeId>();

  // A value takes at least two bytes of text. A larger number of values means that some row is shorter than the first,
  // which must be found before memory for all values is allocated.
  if (table.rows() > static_cast<std::int64_t>(table.text().size() + 1) / 2 / parser.columns()) {
    table.for_each_row(
        [&](std::int64_t, std::int64_t line_number, std::string_view line) { parser.check_length(line_number, line); });
  }
  DenseMatrix matrix{.rows = table.rows(), .columns = parser.columns(), .values = {}};
  matrix.values = Array<float>(matrix.rows * matrix.columns);
  table.for_each_row([&](std::int64_t row, std::int64_t line_number, std::string_view line) {
    const NodeId node = has_ids ? nodes[static_cast<std::size_t>(row)] : static_cast<NodeId>(row);
    parser.parse(node, line_number, line, matrix.values.data() + node * matrix.columns);
  });
  return matrix;
}

/// Whether the first line is a header, see read_labels().
bool has_label_header(const TextTable& table, const NodeNames& names) {
  const auto& first = table.first_row();
  if (first.size() == 1) {
    return table.rows() == names.size() + 1 && is_one_of(first[0], {"label", "labels", "class"});
  }
  if (names.find(first[0])) return false;
  if (is_one_of(first[0], {"node", "id", "node-id", "name", "vertex"})) return true;
  return names.kind() != NodeNames::Kind::kStrings && !parse_float(first[0]);
}

/// Labels from a text file of one or two columns.
Labels parse_labels(const std::filesystem::path& path, const NodeNames& names) {
  TextTable table(path);
  const std::size_t columns = table.first_row().size();
  if (columns > 2) {
    throw UserError(path, table.line_number(0), "has {} columns [labels are 'node label', or one label per line]",
                    columns);
  }
  if (has_label_header(table, names)) table.skip_header();
  if (columns == 1) check_row_count(path.string(), table.rows(), "labels", names);
  const auto nodes = columns == 2 ? table.nodes_by_id(names) : std::vector<NodeId>();
  std::vector<std::string> labels(static_cast<std::size_t>(names.size()));
  table.for_each_row([&](std::int64_t row, std::int64_t line_number, std::string_view line) {
    std::optional<std::string_view> rest = line;
    if (columns == 2) take_field(rest, table.separator());
    const auto label = take_field(rest, table.separator());
    if (!label || take_field(rest, table.separator())) {
      throw UserError(path, line_number, "expected '{}', got {}", columns == 2 ? "node label" : "label", quoted(line));
    }
    const auto at = static_cast<std::size_t>(row);
    labels[columns == 2 ? static_cast<std::size_t>(nodes[at]) : at] = *label;
  });
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

std::int64_t num_rows(const Features& features) {
  if (const auto* dense = std::get_if<DenseMatrix>(&features)) return dense->rows;
  return std::get<SparseMatrix>(features).rows;
}

}  // namespace

Features read_features(const std::filesystem::path& path, const NodeNames& names) {
  if (!holds_arrays(path)) return parse_features(path, names);
  const auto arrays = open_arrays(
      path, "features", {"features", "attr_matrix", "attr_indptr", "attr_indices", "attr_data", "attr_shape"});
  NodeCount count({});
  NodeArrays about = read_node_arrays(arrays, count);
  if (!count.known()) throw UserError(path, "has only parts of features [attr_indptr and attr_data are missing]");
  check_row_count(path.string(), num_rows(about.features), "rows of features", names);
  return std::move(about.features);
}

Labels read_labels(const std::filesystem::path& path, const NodeNames& names) {
  if (!holds_arrays(path)) return parse_labels(path, names);
  const auto arrays = open_arrays(path, "labels", {"labels", "class_names"});
  NodeCount count({});
  NodeArrays about = read_node_arrays(arrays, count);
  if (!count.known()) throw UserError(path, "has class_names but no labels");
  check_row_count(path.string(), about.labels.classes.size(), "labels", names);
  return std::move(about.labels);
}

}  // namespace gir
