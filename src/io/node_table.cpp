#include "node_table.h"

#include <algorithm>

#include "columns.h"
#include "fields.h"
#include "first_line.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "node_rows.h"
#include "number_style.h"
#include "whole_numbers.h"

namespace gir {
namespace {

const std::vector<std::string_view>& id_words() {
  static const std::vector<std::string_view> words = {"node", "id", "name", "vertex", "key", "nodeid"};
  return words;
}

const std::vector<std::string_view>& label_words() {
  static const std::vector<std::string_view> words = {"label", "labels", "class", "classes", "category", "y"};
  return words;
}

bool names_ids(std::string_view name) { return has_word(name, id_words()); }
bool names_labels(std::string_view name) { return has_word(name, label_words()); }

/// "l.csv:1: ", the place of the first row.
std::string place(const NodeTable& table) {
  return fmt::format("{}:{}: ", table.rows.path().string(), table.first_line);
}

bool is_number(const std::string& cell) { return is_number_of_any_style(cell); }

/// The first rows of a table, and the width of those after the first.
struct Sample {
  explicit Sample(const TextTable& table) : rows(table.first_rows()) {}

  /// Whether the first row has no name for the first column: pandas ("") and R (no cell) write row names like this.
  bool has_unnamed_column() const {
    if (rows.size() < 2) return false;
    if (lacks_first_cell()) return true;
    return rows[0].size() == rows[1].size() && rows[0].size() >= 2 &&
           (rows[0][0].empty() || rows[0][0].starts_with("Unnamed:"));
  }

  /// Whether the first row has words, and all others a cell more than it.
  bool lacks_first_cell() const {
    return rows.size() > 1 && std::none_of(rows[0].begin(), rows[0].end(), is_number) &&
           std::all_of(rows.begin() + 1, rows.end(),
                       [&](const Cells& row) { return row.size() == rows[0].size() + 1; });
  }

  Cells header() const {
    Cells names = rows[0];
    if (lacks_first_cell()) names.insert(names.begin(), "");
    return names;
  }

  /// Whether `column` holds known ids in all rows from `from` on.
  bool has_ids(std::size_t column, std::size_t from, const NodeNames& names) const {
    return std::all_of(rows.begin() + static_cast<std::ptrdiff_t>(from), rows.end(),
                       [&](const Cells& row) { return column < row.size() && find_node_of_cell(names, row[column]); });
  }

  bool has_words(std::size_t column, std::size_t from) const {
    return std::any_of(rows.begin() + static_cast<std::ptrdiff_t>(from), rows.end(), [&](const Cells& row) {
      return column < row.size() && !row[column].empty() && !is_number(row[column]);
    });
  }

  std::vector<Cells> rows;
};

void take_header(NodeTable& table, const Sample& sample) {
  table.header = sample.header();
  table.width = table.header.size();
  table.rows.skip_header();
}

/// Whether the first column names every node of the graph once.
bool lists_all_nodes(const NodeTable& table, const NodeNames& names) {
  if (table.rows.rows() != names.size()) return false;
  std::vector<bool> seen(static_cast<std::size_t>(names.size()), false);
  for (const std::string& id : ids_of(table, names)) {
    const auto node = names.find(id);
    if (!node || seen[static_cast<std::size_t>(*node)]) return false;
    seen[static_cast<std::size_t>(*node)] = true;
  }
  return true;
}

/// Finds the column of ids in a table of features with a header.
void find_feature_ids(NodeTable& table, const Sample& sample, const NodeNames& names) {
  const bool is_unnamed = sample.has_unnamed_column();
  const bool may_be_ids = names_ids(table.header[0]) || sample.has_words(0, 1) || lists_all_nodes(table, names);
  if (!is_unnamed && !may_be_ids) return;
  table.ids = 0;
  if (!is_unnamed || sample.has_ids(0, 1, names)) return;
  throw UserError("{}the first column has no name and does not hold node ids [name it node, or remove it]",
                  place(table));
}

/// Skips a first row that numbers the columns from 0, as pandas does, where there is a row more than nodes.
bool skip_column_numbers(NodeTable& table, const Sample& sample, const NodeNames& names) {
  if (table.rows.rows() != names.size() + 1 || !count_up(sample.rows[0], 0)) return false;
  table.notes.push_back(place(table) +
                        "skipped as a header line, since it numbers the columns and there is a row more "
                        "than nodes");
  take_header(table, sample);
  return true;
}

/// Whether the first row numbers the columns, 0 and 1, over a node 0 further below.
bool numbers_label_columns(const NodeTable& table, const Sample& sample, const NodeNames& names) {
  if (!count_up(sample.rows[0], 0)) return false;
  const std::vector<std::string> ids = ids_of(table, names);
  return std::find(ids.begin() + 1, ids.end(), ids[0]) != ids.end();
}

/// What is known about a first row of labels that may be a header.
bool is_label_header(NodeTable& table, const Sample& sample, const NodeNames& names) {
  const std::size_t ids = *table.ids;
  const std::size_t label = table.label;
  const Cells& first = sample.rows[0];
  if (find_node_of_cell(names, first[ids])) {
    if (!numbers_label_columns(table, sample, names)) return false;
    table.notes.push_back(
        fmt::format("{}skipped as a header line, since it numbers the columns and node {} has a line of its own",
                    place(table), quoted(first[ids])));
    return true;
  }
  if (first[ids].empty() || names_ids(first[ids])) return true;
  if (names_labels(first[label]) && !is_number(first[ids])) return true;
  const auto skip = [&] {
    table.notes.push_back(
        fmt::format("{}skipped as a header line, since {} is no node", place(table), quoted(first[ids])));
    return true;
  };
  if (numbers_columns(sample.rows) || (count_up(first, 0) && sample.has_ids(ids, 1, names))) return skip();
  if (names.kind() != NodeNames::Kind::kStrings) return !is_number(first[ids]) && skip();
  constexpr std::size_t kEnoughRows = 3;
  const bool stands_alone = std::none_of(sample.rows.begin() + 1, sample.rows.end(), [&](const Cells& row) {
    return label < row.size() && row[label] == first[label];
  });
  if (sample.rows.size() < kEnoughRows || !stands_alone || !sample.has_ids(ids, 1, names)) return false;
  return skip();
}

[[noreturn]] void refuse_to_guess(const NodeTable& table, const Sample& sample) {
  const std::string columns = table.header.empty() ? fmt::format("{} columns and no header", sample.rows[0].size())
                                                   : "columns " + list_columns(table.header);
  throw UserError("{}has {}: which holds the labels? [say it by name or number: `columns` node={},label={}]",
                  place(table), columns, table.header.empty() || table.header[0].empty() ? "1" : table.header[0],
                  table.header.empty() ? "2" : table.header.back());
}

/// The only column whose name says that it holds ids, or labels.
std::optional<std::size_t> only_column(const Cells& header, bool (*fits)(std::string_view)) {
  const auto found = std::find_if(header.begin(), header.end(), fits);
  if (found == header.end() || std::find_if(found + 1, header.end(), fits) != header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.begin());
}

/// Columns of a table with three or more, by their names.
void choose_by_names(NodeTable& table, const Sample& sample) {
  const auto label = only_column(table.header, names_labels);
  const auto ids = sample.has_unnamed_column() && !only_column(table.header, names_ids)
                       ? std::optional<std::size_t>(0)
                       : only_column(table.header, names_ids);
  if (!label || !ids || label == ids) refuse_to_guess(table, sample);
  table.ids = ids;
  table.label = *label;
  table.notes.push_back(fmt::format("{}: labels are {}, nodes are {} [`columns` chooses others]",
                                    table.rows.path().string(), list_columns(table.header, {*label}),
                                    list_columns(table.header, {*ids})));
}

void choose_columns(NodeTable& table, const ColumnChoice& choice, const Sample& sample) {
  const Cells header = sample.header();
  const auto is_named = [](const std::string& wanted) { return !wanted.empty() && !parse_integer(wanted); };
  if (is_named(choice.node) || is_named(choice.label) || sample.has_unnamed_column()) take_header(table, sample);
  const std::string where = place(table);
  const std::size_t width = header.size();
  table.width = width;
  table.ids = choice.node.empty() ? 0 : find_column(where, choice.node, table.header, width);
  table.label = choice.label.empty() ? 1 : find_column(where, choice.label, table.header, width);
}

void note_comments(NodeTable& table) {
  if (const std::string note = table.rows.note_on_comments(); !note.empty()) table.notes.push_back(note);
}

/// What open_label_table() finds out, without what it tells about the whole file.
NodeTable find_label_columns(const std::filesystem::path& path, const NodeNames& names,
                             const LabelTableOptions& options) {
  NodeTable table{.rows = TextTable(path)};
  table.first_line = table.rows.line_number(0);
  const Sample sample(table.rows);
  const ColumnChoice choice = parse_columns(options.columns);
  table.width = sample.header().size();
  const bool is_auto = options.header == HeaderLine::kAuto;
  if (!choice.node.empty() || !choice.label.empty()) {
    choose_columns(table, choice, sample);
  } else if (table.width == 1) {
    const bool has_one_more = table.rows.rows() == names.size() + 1;
    if (options.header == HeaderLine::kYes || (is_auto && has_one_more && names_labels(sample.rows[0][0]))) {
      take_header(table, sample);
    } else if (is_auto) {
      skip_column_numbers(table, sample, names);
    }
    table.notes.push_back(note_on_order(path, names));
    return table;
  } else {
    table.ids = 0;
    table.label = 1;
  }
  const std::size_t furthest = std::max(*table.ids, table.label);
  const auto has_header = [&] {
    return sample.has_unnamed_column() || (furthest < sample.rows[0].size() && is_label_header(table, sample, names));
  };
  if (table.header.empty() && (options.header == HeaderLine::kYes || (is_auto && has_header()))) {
    take_header(table, sample);
  }
  const bool chosen = !choice.label.empty();
  if (table.width > 2 && !chosen) {
    if (table.header.empty()) refuse_to_guess(table, sample);
    choose_by_names(table, sample);
  } else if (!chosen && !table.header.empty() && names_labels(table.header[0]) && names_ids(table.header[1]) &&
             !names_ids(table.header[0])) {
    table.ids = 1;
    table.label = 0;
  }
  return table;
}

}  // namespace

NodeTable open_feature_table(const std::filesystem::path& path, const NodeNames& names) {
  NodeTable table{.rows = TextTable(path)};
  table.first_line = table.rows.line_number(0);
  const Sample sample(table.rows);
  table.width = sample.rows[0].size();
  const bool has_header = (sample.has_unnamed_column() && sample.rows[0].size() > 1) ||
                          std::none_of(sample.rows[0].begin(), sample.rows[0].end(), is_number);
  if (has_header) {
    take_header(table, sample);
    find_feature_ids(table, sample, names);
  } else if (skip_column_numbers(table, sample, names)) {
    find_feature_ids(table, sample, names);
  } else if (table.width > 1 && sample.has_ids(0, 0, names)) {
    table.ids = 0;
    if (!sample.has_words(0, 0) && !lists_all_nodes(table, names)) table.ids.reset();
  }
  if (table.ids) {
    table.notes.push_back(fmt::format("{}: rows are matched to nodes by the ids in the first column", path.string()));
  } else {
    table.notes.push_back(note_on_order(path, names));
  }
  note_comments(table);
  return table;
}

NodeTable open_label_table(const std::filesystem::path& path, const NodeNames& names,
                           const LabelTableOptions& options) {
  NodeTable table = find_label_columns(path, names, options);
  if (options.header == HeaderLine::kYes) table.notes.push_back(place(table) + "skipped as a header line");
  note_comments(table);
  return table;
}

}  // namespace gir
