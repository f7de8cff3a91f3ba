#include <algorithm>
#include <utility>

#include "columns.h"
#include "dictionaries.h"
#include "edge_list_parser.h"
#include "edge_table.h"
#include "edge_table_header.h"
#include "first_line.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "whole_numbers.h"

namespace gir {
namespace {

using Rows = std::vector<Cells>;

bool is_integer(const std::string& cell) { return parse_whole_number(cell).has_value(); }

/// Finds out what the columns of a table are.
class LayoutDetector {
 public:
  LayoutDetector(const TextTable& table, const EdgeListComments& comments, const ReadOptions& options)
      : table_(table),
        comments_(comments),
        options_(options),
        choice_(parse_columns(options.columns)),
        rows_(table.first_rows()) {}

  EdgeTableLayout detect() {
    layout_.directed = comments_.directed;
    layout_.bipartite = comments_.konect && comments_.konect->bipartite;
    find_dictionaries();
    decide_header();
    layout_.width = data_row().size();
    if (layout_.width < 2) refuse_width();
    if (layout_.header && rows_[0].size() != layout_.width) {
      throw UserError("{}names {} columns, but the next row has {} cells [give every column a name]", where(0),
                      rows_[0].size(), layout_.width);
    }
    refuse_matrices();
    choose_ends();
    refuse_second_header();
    choose_weight();
    choose_direction();
    layout_.text_ids = options_.text_ids || comments_.text_ids || has_text_ids();
    // Names of columns are words, under which no numbers are.
    if (layout_.weight || !layout_.text_ids) layout_.may_be_header = false;
    note_columns();
    if (!layout_.text_ids) note_ids();
    return std::move(layout_);
  }

 private:
  std::string where(std::int64_t row) const {
    return fmt::format("{}:{}: ", table_.path().string(), table_.line_number(row));
  }

  std::size_t first_data_row() const { return layout_.header && rows_.size() > 1 ? 1 : 0; }
  const Cells& data_row() const { return rows_[first_data_row()]; }
  const std::string& cell(std::size_t column) const { return data_row()[column]; }

  bool is_empty(std::size_t column) const {
    return std::all_of(rows_.begin() + static_cast<std::ptrdiff_t>(first_data_row()), rows_.end(),
                       [&](const Cells& row) { return column >= row.size() || row[column].empty(); });
  }

  /// Whether the ids of the first row are text, or those of all other rows where the first may be a header.
  bool has_text_ids() const {
    const auto is_text = [&](const Cells& row) {
      return std::max(layout_.source, layout_.target) < row.size() &&
             (!is_integer(row[layout_.source]) || !is_integer(row[layout_.target]));
    };
    return is_text(data_row()) || (layout_.may_be_header && std::all_of(rows_.begin() + 1, rows_.end(), is_text));
  }

  /// networkx writes the attributes of an edge as a dictionary at the end of the line; `columns` may choose one of them
  /// as weights.
  void find_dictionaries() {
    for (std::int64_t row = 0; row < std::ssize(rows_); ++row) {
      layout_.dictionaries |= find_dictionary(table_.row(row)) != std::string_view::npos;
    }
    const bool names_attribute = !choice_.weight.empty() && !parse_integer(choice_.weight);
    if (layout_.dictionaries && names_attribute) layout_.weight_key = std::exchange(choice_.weight, {});
  }

  void decide_header() {
    if (options_.header == HeaderLine::kNo || comments_.text_ids) return;
    const auto ends = find_end_columns(rows_[0]);
    const bool is_wide = rows_[0].size() > 3 || (rows_[0].size() == 3 && !is_numeric(rows_, 2, 1));
    if (has_unnamed_index(rows_)) {
      layout_.header = true;
      if (rows_[0].size() < rows_[1].size()) rows_[0].insert(rows_[0].begin(), "");
      index_column_ = 0;
    } else if (options_.header == HeaderLine::kYes || chooses_by_name() || has_words_over_numbers(rows_) ||
               numbers_columns(rows_)) {
      layout_.header = true;
    } else if (names_labels_of_nodes(rows_[0]) || (ends && (ends->certain || (is_wide && ends->telling)))) {
      layout_.header = true;
    } else {
      layout_.may_be_header = rows_.size() > 1;
    }
    if (layout_.header && rows_.size() < 2) {
      throw UserError(table_.path(), table_.line_number(0), "names columns, but no edges follow");
    }
  }

  bool chooses_by_name() const {
    return std::any_of(std::begin(kEdgeChoices), std::end(kEdgeChoices), [&](auto member) {
      const std::string& wanted = choice_.*member;
      return !wanted.empty() && !parse_integer(wanted);
    });
  }

  Cells header() const { return layout_.header ? rows_[0] : Cells(); }

  std::size_t chosen(const std::string& wanted) const { return find_column(where(0), wanted, header(), layout_.width); }

  [[noreturn]] void refuse_width() const {
    throw UserError(
        "{}expected 'source target [weight]', got {} [separate the two ids by a blank, tab, comma or semicolon]",
        where(static_cast<std::int64_t>(first_data_row())), quoted(join(data_row(), " ")));
  }

  [[noreturn]] void refuse_to_guess() const {
    const std::string columns =
        layout_.header ? "columns " + list_columns(rows_[0]) : fmt::format("{} columns and no header", layout_.width);
    throw UserError(
        "{}has {}: which are the two ends of an edge? [say it: `columns` source=NAME,target=NAME, by name or "
        "by number from 1]",
        where(0), columns);
  }

  /// Adjacency matrices with names, and of numbers only, perhaps with names of columns and row numbers as R writes
  /// them.
  void refuse_matrices() const {
    if (!choice_.source.empty()) return;
    if (layout_.header) refuse_named_matrix(where(0), rows_);
    const auto ends = layout_.header ? find_end_columns(rows_[0]) : std::nullopt;
    if (ends && ends->certain) return;
    refuse_matrix(where(0), rows_, first_data_row(), index_column_ ? 1 : 0, table_.rows());
  }

  void choose_ends() {
    if (!choice_.source.empty() != !choice_.target.empty()) {
      throw UserError("`columns`: names only one end of an edge [such as source=from,target=to]");
    }
    if (!choice_.source.empty()) {
      layout_.source = chosen(choice_.source);
      layout_.target = chosen(choice_.target);
      if (layout_.source == layout_.target) {
        throw UserError("`columns`: source and target are the same column [an edge has two ends, in two columns]");
      }
      return;
    }
    if (layout_.header && names_labels_of_nodes(rows_[0])) {
      throw UserError(
          "{}has columns {}, as a file of labels has them [give it as `labels`; if these are edges: `columns` "
          "source=1,target=2]",
          where(0), list_columns(rows_[0]));
    }
    if (layout_.header) {
      if (const auto ends = find_end_columns(rows_[0])) {
        layout_.source = ends->source;
        layout_.target = ends->target;
        layout_.bipartite |= has_two_id_spaces();
        return;
      }
    }
    choose_first_columns();
  }

  /// The first two columns, where nothing speaks against them.
  void choose_first_columns() {
    if (index_column_ == 0) {
      layout_.source = 1;
      layout_.target = 2;
      if (layout_.width == 3) return;
    }
    const std::size_t width = layout_.width - (index_column_ ? 1 : 0);
    const bool are_alike =
        is_numeric(rows_, layout_.source, first_data_row()) == is_numeric(rows_, layout_.target, first_data_row());
    const bool was_written_by_gir = comments_.text_ids;
    if (width == 2 || (width == 3 && (was_written_by_gir || (are_alike && !names_row_number())))) return;
    if (!layout_.header && width == 4 && counts_rows()) {
      throw UserError(
          "{}has 4 columns and no header, and the first counts the rows: which are the two ends of an edge? "
          "[`columns` source=2,target=3,weight=4, or `columns` source=1,target=2]",
          where(0));
    }
    const bool has_weight_and_time =
        !layout_.header && width == 4 && are_alike && is_numeric(rows_, 2, 0) && is_numeric(rows_, 3, 0);
    if (!has_weight_and_time) refuse_to_guess();
  }

  /// Whether the ends of an import file of Neo4j have separate ids: ":START_ID(Person)" and ":END_ID(Movie)".
  bool has_two_id_spaces() const {
    const auto space = [&](std::size_t column) -> std::string_view {
      const std::string_view name = rows_[0][column];
      const bool has_space = name.starts_with(':') && name.ends_with(')') && name.find('(') != std::string_view::npos;
      return has_space ? name.substr(name.find('(')) : std::string_view();
    };
    return space(layout_.source) != space(layout_.target);
  }

  /// pandas writes a MultiIndex of columns as several lines of names.
  void refuse_second_header() const {
    if (!layout_.header || rows_.size() < 4 || options_.text_ids) return;
    const auto is_name = [&](std::size_t column) {
      return column < rows_[1].size() && !rows_[1][column].empty() && !is_integer(rows_[1][column]) &&
             is_numeric(rows_, column, 2);
    };
    if (!is_name(layout_.source) || !is_name(layout_.target)) return;
    throw UserError("{}is a second line of names, {}, over numbers [remove one of the two header lines]", where(1),
                    list_columns(rows_[1], {layout_.source, layout_.target}));
  }

  /// Whether the first column counts the rows from 0 or 1, as pandas writes them, perhaps without a header.
  bool counts_rows() const {
    if (rows_.size() < 3) return false;
    const auto first = parse_integer(rows_[0][0]);
    if (!first || (*first != 0 && *first != 1)) return false;
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      if (parse_integer(rows_[i][0]) != *first + static_cast<std::int64_t>(i)) return false;
    }
    return true;
  }

  /// Whether the first column is called "id" or the like in a table of three columns: a number of the row or a node?
  bool names_row_number() const {
    return layout_.header && has_word(rows_[0][layout_.source], {"id", "index", "row", "nr", "no", "number", "key"}) &&
           words_of(rows_[0][layout_.source]).size() == 1;
  }

  bool is_end(std::size_t column) const { return column == layout_.source || column == layout_.target; }

  void choose_weight() {
    if (!choice_.weight.empty()) {
      layout_.weight = chosen(choice_.weight);
      return;
    }
    if (layout_.dictionaries || (comments_.konect && !comments_.konect->weighted)) return;
    const std::size_t from = first_data_row();
    std::vector<std::size_t> others;
    for (std::size_t column = 0; column < layout_.width; ++column) {
      if (is_end(column) || index_column_ == column) continue;
      if (layout_.header && names_weight(rows_[0][column]) && holds_weights(rows_, column, from)) {
        layout_.weight = column;
        return;
      }
      others.push_back(column);
    }
    // A column of numbers without a descriptive name after the two ends, or the third of 'source target weight time'.
    const std::size_t third = std::max(layout_.source, layout_.target) + 1;
    if (others.empty() || others[0] != third || others.size() > (layout_.header ? 1U : 2U)) return;
    if (!choice_.source.empty()) return;
    if (is_numeric(rows_, third, from)) {
      const bool repeats_end = layout_.header && (rows_[0][third] == rows_[0][layout_.source] ||
                                                  rows_[0][third] == rows_[0][layout_.target]);
      if (!layout_.header || !(repeats_end || has_other_meaning(rows_, third))) layout_.weight = third;
      if (!layout_.header) note_third_column(third);
    } else if (!layout_.header && !is_empty(third)) {
      throw UserError(
          "{}expected 'source target weight', but {} is not a number [`columns` says which of the {} "
          "columns are read: source=1,target={}]",
          where(static_cast<std::int64_t>(from)), quoted(cell(third)), layout_.width,
          has_marks(rows_, 1) ? "3" : "2 or source=1,target=3");
    }
  }

  /// A note on a third column that is read as weights, but may be something else.
  void note_third_column(std::size_t third) {
    std::vector<std::string_view> values;
    for (const Cells& row : rows_) values.push_back(third < row.size() ? std::string_view(row[third]) : "");
    if (std::string note = note_on_times(table_.path(), values); !note.empty()) layout_.notes.push_back(note);
  }

  /// Gephi's tables of edges have a column Type: Directed or Undirected.
  void choose_direction() {
    if (!layout_.header) return;
    const auto type =
        std::find_if(rows_[0].begin(), rows_[0].end(), [](const auto& name) { return canonical_name(name) == "type"; });
    if (type == rows_[0].end()) return;
    const auto column = static_cast<std::size_t>(type - rows_[0].begin());
    std::int64_t directed = 0;
    std::int64_t undirected = 0;
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      if (column >= rows_[i].size()) return;
      const std::string value = canonical_name(rows_[i][column]);
      directed += value == "directed" ? 1 : 0;
      undirected += value == "undirected" ? 1 : 0;
    }
    const auto rows = static_cast<std::int64_t>(rows_.size()) - 1;
    if (directed + undirected < rows) return;
    if (directed > 0 && undirected > 0 && !options_.directed) {
      throw UserError("{}has directed and undirected edges in column {} [choose with `directed` or `undirected`]",
                      where(0), quoted(std::string_view(*type)));
    }
    layout_.directed = directed > 0;
    layout_.direction = column;
  }

  void note_ids() {
    for (std::size_t i = first_data_row(); i < rows_.size(); ++i) {
      for (const std::size_t column : {layout_.source, layout_.target}) {
        if (column >= rows_[i].size()) continue;
        const std::string& id = rows_[i][column];
        const auto number = parse_whole_number(id);
        std::string note = note_on_zeros(table_.path(), id);
        if (number && id.find('.') != std::string::npos) {
          note = fmt::format("{}: ids are read as whole numbers, {} as {} [`text-ids` keeps them as they are]",
                             table_.path().string(), id, *number);
        }
        if (note.empty()) continue;
        layout_.notes.push_back(note);
        return;
      }
    }
  }

  /// A note on the columns that are read, where that is not obvious.
  void note_columns() {
    std::vector<std::size_t> unused;
    for (std::size_t column = 0; column < layout_.width; ++column) {
      const bool is_used = is_end(column) || layout_.weight == column || layout_.direction == column;
      if (!is_used && !(is_empty(column) && (!layout_.header || rows_[0][column].empty()))) unused.push_back(column);
    }
    if (layout_.dictionaries) return;
    const bool is_obvious = unused.empty() && layout_.source < layout_.target &&
                            (!layout_.weight || !layout_.header || names_weight(rows_[0][*layout_.weight]));
    const Cells names = header();
    const bool is_unique = !layout_.header || (std::count(names.begin(), names.end(), names[layout_.source]) == 1 &&
                                               std::count(names.begin(), names.end(), names[layout_.target]) == 1);
    if (is_obvious || (!choice_.source.empty() && is_unique)) return;
    std::string note = fmt::format("{}: edges join {} and {}", table_.path().string(),
                                   list_columns(names, {layout_.source}), list_columns(names, {layout_.target}));
    if (layout_.weight) note += fmt::format(", weights are {}", list_columns(names, {*layout_.weight}));
    if (!unused.empty()) note += fmt::format("; columns not used: {}", list_columns(names, unused));
    layout_.notes.push_back(note + " [`columns` chooses others]");
  }

  static constexpr std::string ColumnChoice::*kEdgeChoices[] = {&ColumnChoice::source, &ColumnChoice::target,
                                                                &ColumnChoice::weight};

  const TextTable& table_;
  const EdgeListComments& comments_;
  const ReadOptions& options_;
  ColumnChoice choice_;
  Rows rows_;
  std::optional<std::size_t> index_column_;
  EdgeTableLayout layout_;
};

}  // namespace

EdgeTableLayout detect_edge_table_layout(const TextTable& table, const EdgeListComments& comments,
                                         const ReadOptions& options) {
  return LayoutDetector(table, comments, options).detect();
}

}  // namespace gir
