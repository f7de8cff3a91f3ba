#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "edge_list_parser.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "line_blocks.h"

namespace gir {
namespace {

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

/// Whether no field begins like a number. Such a line before lines of numbers is a header, whatever its words.
bool is_words_only(const std::vector<std::string_view>& fields) {
  return std::none_of(fields.begin(), fields.end(), [](std::string_view field) {
    return std::string_view("0123456789+-.").find(field[0]) != std::string_view::npos;
  });
}

/// Whether the first two fields are common names of the two columns: "source,target", "from,to", ...
bool names_columns(const std::vector<std::string_view>& fields) {
  constexpr std::array<std::string_view, 6> kSources = {"source", "src", "from", "node1", "id1", "fromnodeid"};
  constexpr std::array<std::string_view, 6> kTargets = {"target", "dst", "to", "node2", "id2", "tonodeid"};
  const auto one_of = [](const auto& names, std::string_view field) {
    return std::find(names.begin(), names.end(), canonical_name(field)) != names.end();
  };
  return fields.size() >= 2 && one_of(kSources, fields[0]) && one_of(kTargets, fields[1]);
}

/// The first two lines that are neither blank nor comments, and what the comments before them declare.
struct Opening {
  std::string_view first;
  std::int64_t first_number = 0;
  std::string_view second;
  bool says_directed = false;
  bool says_text_ids = false;
};

Opening read_opening(std::string_view text) {
  Opening opening;
  for (std::int64_t number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (line[0] == '#' || line[0] == '%') {
      // Files of SNAP have a comment "# Directed graph (each unordered pair of nodes is saved once): ...".
      opening.says_directed |= line.starts_with("# Directed graph") || line.starts_with("# gir directed");
      opening.says_text_ids |= line == kEdgeListTextMark;
    } else if (opening.first.empty()) {
      opening.first = line;
      opening.first_number = number;
    } else {
      opening.second = line;
      break;
    }
  }
  return opening;
}

}  // namespace

// Decides from the first two data lines whether there is a header, whether ids are numbers or text, which separator is
// used, and whether there are weights.
EdgeListLayout detect_edge_list_layout(const std::filesystem::path& path, std::string_view text,
                                       const ReadOptions& options) {
  if (text.empty()) throw UserError(path, "is empty [an edge list has 'source target [weight]' on every line]");
  if (text.substr(0, 4096).find('\0') != std::string_view::npos) {
    throw UserError(path, "is binary, not an edge list [give it the ending of its format: .npz, .npy, .mat, .mtx]");
  }
  const Opening opening = read_opening(text);
  const auto first = split_at_any_separator(opening.first);
  const auto second = split_at_any_separator(opening.second);
  EdgeListLayout layout;
  layout.directed = options.directed.value_or(opening.says_directed);
  const bool wants_text = options.text_ids || opening.says_text_ids;
  const bool has_header =
      (!opening.says_text_ids && names_columns(first)) || (is_words_only(first) && starts_with_integers(second));
  if (has_header) layout.header_line = opening.first_number;
  const auto& sample = has_header ? second : first;
  // A first line that is neither a header nor numbers, followed by lines of numbers, is an error in the file, not a
  // sign that ids are text.
  const bool numbers = sample.empty() || starts_with_integers(sample) || starts_with_integers(second);
  layout.text_ids = wants_text || !numbers;
  const std::string_view sample_line = has_header ? opening.second : opening.first;
  for (const char separator : {',', '\t'}) {
    if (sample_line.find(separator) != std::string_view::npos) layout.separator = separator;
  }
  const std::size_t columns =
      layout.text_ids && layout.separator != ' '
          ? static_cast<std::size_t>(std::count(sample_line.begin(), sample_line.end(), layout.separator)) + 1
          : sample.size();
  // networkx writes an empty dict at the end of every line of an unweighted graph.
  layout.weighted = columns >= 3 && !sample.empty() && sample.back() != "{}";
  return layout;
}

}  // namespace gir
