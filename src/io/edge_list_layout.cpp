#include <algorithm>
#include <string>
#include <vector>

#include "columns.h"
#include "dictionaries.h"
#include "edge_list_parser.h"
#include "fields.h"
#include "first_line.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "separators.h"

namespace gir {
namespace {

constexpr std::size_t kSampleLines = 20;

bool is_separator(char c) { return c == ' ' || c == '\t' || c == ','; }

std::vector<std::string_view> split_at_any_separator(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t i = 0; i < line.size();) {
    while (i < line.size() && is_separator(line[i])) ++i;
    const std::size_t begin = i;
    while (i < line.size() && !is_separator(line[i])) ++i;
    if (i > begin) fields.push_back(line.substr(begin, i - begin));
  }
  return fields;
}

bool looks_like_integer(std::string_view field) {
  if (!field.empty() && field[0] == '-') field.remove_prefix(1);
  return !field.empty() && std::all_of(field.begin(), field.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool starts_with_integers(const std::vector<std::string_view>& fields) {
  return fields.size() >= 2 && looks_like_integer(fields[0]) && looks_like_integer(fields[1]);
}

/// Whether no field is a number. Such a line before lines of numbers is a header, whatever its words.
bool is_words_only(const std::vector<std::string_view>& fields) {
  return std::none_of(fields.begin(), fields.end(), [](std::string_view field) { return parse_float(field); });
}

/// Whether the columns under a header are source, target and perhaps weight, in this order, or the line is a title.
bool is_plain_header(std::string_view line, std::size_t columns) {
  const char separator = line.find('\t') != std::string_view::npos  ? '\t'
                         : line.find(',') != std::string_view::npos ? ','
                                                                    : ' ';
  const Cells header = split_cells(line, separator);
  if (names_labels_of_nodes(header)) return false;
  const bool lacks_index = header.size() + 1 == columns && columns > 2;
  const bool is_title = separator == ' ' && header.size() != columns && !lacks_index;
  if (is_title) return true;
  if (header.size() != columns) return false;
  const auto ends = find_end_columns(header);
  if (columns == 2) return !ends || ends->source == 0;
  return ends && ends->source == 0 && ends->target == 1 && names_weight(header[2]);
}

/// Whether the first line may name the columns by numbers: it has a cell less than the others (as pandas writes it) or
/// the others have no whole numbers in all columns.
bool may_be_numbers_over_text(const std::vector<DataLines::Line>& lines) {
  constexpr std::size_t kEnoughLines = 4;
  if (lines[0].text.starts_with(',')) return true;
  const char separator = detect_separator(lines);
  std::vector<Cells> rows;
  for (const auto& line : lines) rows.push_back(split_cells(line.text, separator));
  if (separator != ' ' && numbers_columns(rows)) return true;
  return lines.size() >= kEnoughLines && std::all_of(lines.begin() + 1, lines.end(), [](const DataLines::Line& line) {
           const auto fields = split_at_any_separator(line.text);
           return fields.size() >= 2 && !looks_like_integer(fields[0]) && !looks_like_integer(fields[1]);
         });
}

/// Whether three lines of three numbers may be a matrix: that is for the reader of tables to say.
bool may_be_matrix(const std::vector<DataLines::Line>& lines) {
  return lines.size() == 3 && std::all_of(lines.begin(), lines.end(), [](const DataLines::Line& line) {
           return split_at_any_separator(line.text).size() == 3;
         });
}

bool is_number_or_dictionary(std::string_view field) { return field == "{}" || parse_float(field).has_value(); }

void note_zeros(const std::filesystem::path& path, const std::vector<DataLines::Line>& lines, std::size_t from,
                std::vector<std::string>& notes) {
  for (std::size_t i = from; i < lines.size(); ++i) {
    const auto fields = split_at_any_separator(lines[i].text);
    for (std::size_t end = 0; end < std::min<std::size_t>(2, fields.size()); ++end) {
      const std::string note = note_on_zeros(path, fields[end]);
      if (note.empty()) continue;
      notes.push_back(note);
      return;
    }
  }
}

/// Notes on what three columns of numbers may be instead of two ends and a weight.
void note_three_columns(const std::filesystem::path& path, const std::vector<DataLines::Line>& lines,
                        std::vector<std::string>& notes) {
  constexpr std::size_t kEnoughLines = 5;
  std::vector<std::string_view> values;
  bool counts_lines = lines.size() >= kEnoughLines;
  std::optional<std::int64_t> first;
  for (const DataLines::Line& line : lines) {
    const auto fields = split_at_any_separator(line.text);
    if (fields.size() != 3) return;
    const auto number = parse_integer(fields[0]);
    if (!first) first = number.value_or(-1);
    const std::int64_t expected = *first + std::ssize(values);
    counts_lines &= (*first == 0 || *first == 1) && number == expected && parse_integer(fields[2]).has_value();
    values.push_back(fields[2]);
  }
  if (const std::string note = note_on_times(path, values); !note.empty()) notes.push_back(note);
  if (!counts_lines) return;
  notes.push_back(path.string() +
                  ": the first column counts the lines, but is read as an end of the edges [if it has row numbers: "
                  "`columns` source=2,target=3]");
}

}  // namespace

std::optional<PlainLayout> detect_plain_layout(const std::filesystem::path& path, std::string_view text,
                                               const EdgeListComments& comments, const ReadOptions& options) {
  const auto lines = first_lines(text, {.comments = kEdgeListComments}, kSampleLines);
  if (lines.empty()) return PlainLayout{};  // only nodes without edges, in comments
  if (chooses_edge_columns(options) || options.text_ids || comments.text_ids) return std::nullopt;
  if (comments.konect && comments.konect->bipartite) return std::nullopt;
  for (const auto& line : lines) {
    // A comma at the end begins an empty column.
    const bool has_empty_column = trimmed(line.text).ends_with(',');
    const std::size_t attributes = find_dictionary(line.text);
    if (attributes != std::string_view::npos && trimmed(line.text.substr(attributes)) != "{}") return std::nullopt;
    if (has_empty_column || line.text.find_first_of("\";|") != std::string_view::npos) return std::nullopt;
  }
  const auto first = split_at_any_separator(lines[0].text);
  const auto second = lines.size() > 1 ? split_at_any_separator(lines[1].text) : std::vector<std::string_view>();
  const bool has_header = options.header == HeaderLine::kAuto ? is_words_only(first) && starts_with_integers(second)
                                                              : options.header == HeaderLine::kYes;
  if (!has_header && (may_be_numbers_over_text(lines) || may_be_matrix(lines))) return std::nullopt;
  const auto& sample = has_header ? second : first;
  // A first line that is neither a header nor numbers, followed by lines of numbers, is an error in the file, not a
  // sign that ids are text.
  if (!starts_with_integers(sample) && !starts_with_integers(second)) return std::nullopt;
  if (sample.size() > 3 || (sample.size() == 3 && !is_number_or_dictionary(sample[2]))) return std::nullopt;
  if (has_header && !is_plain_header(lines[0].text, sample.size())) return std::nullopt;
  if (comments.konect && (sample.size() == 3) != comments.konect->weighted) return std::nullopt;
  // networkx writes an empty dict at the end of every line of an unweighted graph.
  PlainLayout layout{.weighted = sample.size() == 3 && sample[2] != "{}",
                     .header_line = has_header ? lines[0].number : 0,
                     .first_line = has_header && lines.size() > 1 ? lines[1].number : lines[0].number};
  if (!options.num_nodes) note_zeros(path, lines, has_header ? 1 : 0, layout.notes);
  if (layout.weighted && !has_header && !comments.konect) note_three_columns(path, lines, layout.notes);
  return layout;
}

std::string note_on_zeros(const std::filesystem::path& path, std::string_view id) {
  if (id.size() < 2 || id[0] != '0' || !looks_like_integer(id)) return {};
  const auto number = id.find_first_not_of('0');
  return fmt::format("{}: ids are read as numbers, {} as {} [`text-ids` keeps leading zeros]", path.string(), id,
                     number == std::string_view::npos ? "0" : id.substr(number));
}

std::string note_on_times(const std::filesystem::path& path, const std::vector<std::string_view>& values) {
  if (values.empty() || !std::all_of(values.begin(), values.end(), is_unix_time)) return {};
  return path.string() +
         ": the third column looks like times, but is read as weights [`columns` source=1,target=2 leaves it out]";
}

}  // namespace gir
