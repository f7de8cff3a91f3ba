#include "edge_table.h"

#include <string_view>

#include "columns.h"
#include "edge_list_parser.h"
#include "edge_rows.h"
#include "fields.h"
#include "first_line.h"
#include "gir/core/error.h"
#include "missing_ids.h"
#include "utf8.h"

namespace gir {
namespace {

constexpr std::string_view kNoBreakSpace = "\xC2\xA0";

std::string place_of_first_row(const TextTable& table) {
  return fmt::format("{}:{}: ", table.path().string(), table.line_number(0));
}

/// Whether the first row of a table with text ids names its columns; what was decided goes to the notes.
bool is_header_of_words(const TextTable& table, const EdgeTableLayout& layout, const EdgeInput& input,
                        std::vector<std::string>& notes) {
  const std::string where = place_of_first_row(table);
  const std::string words = list_columns(table.first_row(), {layout.source, layout.target});
  const FirstLine verdict = classify_first_line(input);
  const bool names_ends = find_end_columns(table.first_row()).has_value();
  if (verdict == FirstLine::kHeader || (verdict == FirstLine::kUnclear && names_ends)) {
    notes.push_back(where + "skipped as a header line, since " + words +
                    " occur on no other line [`header` no reads it as an edge]");
    return true;
  }
  if (verdict == FirstLine::kUnclear) {
    notes.push_back(where + words + " are read as an edge, although they may be a header [`header` yes skips it]");
  } else if (names_ends) {
    notes.push_back(where + words + " are read as an edge, since they occur again below [`header` yes skips it]");
  }
  return false;
}

/// The same for one of numbers.
bool is_header_of_numbers(const TextTable& table, const EdgeTableLayout& layout, const EdgeInput& input,
                          std::vector<std::string>& notes) {
  const bool is_table = table.separator() != ' ' && table.line_number(0) == 1;
  const Cells& first = table.first_row();
  const bool has_ends_first = layout.source == 0 && layout.target == 1;
  const NumbersLine line =
      classify_numbers(place_of_first_row(table), has_ends_first ? first : Cells(), is_table, input);
  if (!line.note.empty()) notes.push_back(line.note);
  return line.skip;
}

bool is_header(const TextTable& table, const EdgeTableLayout& layout, const EdgeInput& input,
               const ReadOptions& options, std::vector<std::string>& notes) {
  if (layout.may_be_header) return is_header_of_words(table, layout, input, notes);
  const bool may_be_numbers = options.header == HeaderLine::kAuto && !layout.header && !layout.text_ids;
  return may_be_numbers && is_header_of_numbers(table, layout, input, notes);
}

void note_encoding(const TextTable& table, const NodeNames& names, std::vector<std::string>& notes) {
  if (names.kind() != NodeNames::Kind::kStrings) return;
  for (NodeId node = 0; node < names.size(); ++node) {
    const std::string name = names.name(node);
    if (decode_utf8(name)) continue;
    notes.push_back(
        fmt::format("{}: node ids are not UTF-8, such as {}, and kept byte by byte [if the file is Latin-1: "
                    "iconv -f latin1 -t utf8]",
                    table.path().string(), quoted(name)));
    return;
  }
}

/// Ids that differ by blanks at their ends only are different nodes, which hardly anyone means.
void note_blank_twins(const TextTable& table, const NodeNames& names, std::vector<std::string>& notes) {
  if (names.kind() != NodeNames::Kind::kStrings) return;
  for (NodeId node = 0; node < names.size(); ++node) {
    const std::string name = names.name(node);
    std::string_view bare = name;
    for (bool changed = true; changed;) {
      const std::size_t before = bare.size();
      bare = trimmed(bare);
      if (bare.starts_with(kNoBreakSpace)) bare.remove_prefix(kNoBreakSpace.size());
      if (bare.ends_with(kNoBreakSpace)) bare.remove_suffix(kNoBreakSpace.size());
      changed = bare.size() < before;
    }
    if (bare.size() == name.size() || !names.find(bare)) continue;
    notes.push_back(fmt::format("{}: {} and {} are two nodes [remove the blanks at the ends if they are the same]",
                                table.path().string(), quoted(name), quoted(bare)));
    return;
  }
}

/// Spreadsheets and R write large whole numbers as 1.23457E+15 and 1e+05; such ids may be equal where others were not.
void note_rounded_ids(const TextTable& table, const NodeNames& names, std::vector<std::string>& notes) {
  if (names.kind() != NodeNames::Kind::kStrings) return;
  for (NodeId node = 0; node < names.size(); ++node) {
    const std::string name = names.name(node);
    const auto exponent = name.find_first_of("eE");
    if (exponent == std::string::npos || name.compare(exponent + 1, 1, "+") != 0 || !parse_float(name)) continue;
    notes.push_back(fmt::format(
        "{}: the id {} looks like a whole number that a program abbreviated [write ids in full: as text in a "
        "spreadsheet, with options(scipen = 999) in R]",
        table.path().string(), quoted(name)));
    return;
  }
}

}  // namespace

EdgeTable read_edge_table(const std::filesystem::path& path, std::unique_ptr<const TextFile> file,
                          const EdgeListComments& comments, const ReadOptions& options) {
  TextTable table(path, std::move(file), kEdgeListComments, true);
  EdgeTableLayout layout = detect_edge_table_layout(table, comments, options);
  if (options.num_nodes) {
    check_num_nodes(path, *options.num_nodes);
    if (layout.text_ids) throw UserError(path, "ids are text, but a number of nodes was given [omit `num-nodes`]");
  }
  EdgeTable result{.input = {}, .notes = std::move(layout.notes)};
  if (layout.header) {
    result.notes.push_back(place_of_first_row(table) + "skipped as a header line");
    table.skip_header();
  }
  layout.weight_style = find_weight_style(table, layout, result.notes);
  find_attributes(table, layout, result.notes);
  result.input = parse_edges(table, layout, options);
  if (is_header(table, layout, result.input, options, result.notes)) {
    table.skip_header();
    result.input = parse_edges(table, layout, options);
  }
  if (const std::string note = table.note_on_comments(kEdgeListOwnComments); !note.empty()) {
    result.notes.push_back(note);
  }
  note_encoding(table, result.input.names, result.notes);
  note_missing_ids(path, result.input.names, result.notes);
  note_rounded_ids(table, result.input.names, result.notes);
  note_blank_twins(table, result.input.names, result.notes);
  if (layout.bipartite) {
    result.notes.push_back(fmt::format(
        "{}: the graph is bipartite, with separate ids on its two sides: they are read as left:ID and right:ID",
        path.string()));
  }
  return result;
}

}  // namespace gir
