#include "gir/io/node_lists.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "columns.h"
#include "data_lines.h"
#include "fields.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/io/gzip.h"

namespace gir {
namespace {

/// find_node() for an id of a file: the error names file and line.
NodeId find_node(const NodeNames& names, std::string_view id, const std::filesystem::path& path, std::int64_t line) {
  try {
    return gir::find_node(names, id);
  } catch (const UserError& error) {
    throw UserError(path, line, "{}", error.what());
  }
}

/// The two ids of a line, without quotes around them; nothing where the line does not have exactly two fields.
std::optional<std::pair<std::string, std::string>> two_ids(std::string_view line) {
  for (const char separator : {'\t', ',', ';', ' '}) {
    if (separator != ' ' && line.find(separator) == std::string_view::npos) continue;
    std::optional<std::string_view> rest = trimmed(line);
    std::string unquoted;
    std::vector<std::string> ids;
    while (const auto id = take_cell(rest, separator, unquoted)) ids.emplace_back(*id);
    if (ids.size() == 2) return std::pair(std::move(ids[0]), std::move(ids[1]));
    if (separator != ';') return std::nullopt;
  }
  return std::nullopt;
}

using IdPair = std::pair<std::string, std::string>;
using IdPairs = std::vector<IdPair>;

/// The pairs of all lines, perhaps with a header first.
IdPairs read_id_pairs(const std::filesystem::path& path) {
  const TextFile file(path);
  const DataLines lines(file.text(), RecordSyntax{});
  IdPairs pairs(static_cast<std::size_t>(lines.size()));
  lines.for_each([&](std::int64_t row, std::int64_t number, std::string_view line) {
    auto ids = two_ids(line);
    if (!ids) throw UserError(path, number, "expected two ids, got {}", quoted(line));
    pairs[static_cast<std::size_t>(row)] = *std::move(ids);
  });
  return pairs;
}

bool has_number(const IdPair& pair) { return parse_integer(pair.first) || parse_integer(pair.second); }

/// Whether two words are names of columns for the ends of an edge; numbers may be nodes.
bool names_ends(const IdPair& words) {
  return !has_number(words) && find_end_columns({words.first, words.second}).has_value();
}

/// Whether the first line of a file is a header. Unknown numbers, and unknown words where nodes have such names, are
/// errors in the file.
bool is_header(const NodeNames& names, const IdPair& first) {
  if (names.find(first.first) || names.find(first.second) || has_number(first)) return false;
  return names.kind() != NodeNames::Kind::kStrings || names_ends(first);
}

bool is_words_over_numbers(const IdPairs& pairs) {
  return pairs.size() > 1 && !has_number(pairs.front()) &&
         std::all_of(pairs.begin() + 1, pairs.end(),
                     [](const IdPair& pair) { return parse_integer(pair.first) && parse_integer(pair.second); });
}

/// The id that a line consists of, without quotes around it.
std::string only_id(std::string_view line) {
  std::optional<std::string_view> rest = trimmed(line);
  std::string unquoted;
  const auto cell = take_cell(rest, '\t', unquoted);
  return cell && !rest ? std::string(*cell) : std::string(trimmed(line));
}

}  // namespace

NodeId find_node(const NodeNames& names, std::string_view id) {
  const auto node = names.find(id);
  if (!node) throw UserError("the graph has no node {} [use the graph's own ids]", quoted(id));
  return *node;
}

std::vector<NodeId> read_node_list(const std::filesystem::path& path, const NodeNames& names) {
  return read_node_lines(path, names).items;
}

FileLines<NodeId> read_node_lines(const std::filesystem::path& path, const NodeNames& names) {
  return parse_node_lines(TextFile(path).text(), path, names);
}

FileLines<NodeId> parse_node_lines(std::string_view text, const std::filesystem::path& path, const NodeNames& names) {
  const DataLines lines(text, RecordSyntax{});
  if (lines.size() == 0) throw UserError(path, "names no nodes [write one node id per line]");
  std::vector<NodeId> nodes(static_cast<std::size_t>(lines.size()));
  std::vector<std::int64_t> line_numbers(nodes.size());
  lines.for_each([&](std::int64_t row, std::int64_t number, std::string_view line) {
    nodes[static_cast<std::size_t>(row)] = find_node(names, only_id(line), path, number);
    line_numbers[static_cast<std::size_t>(row)] = number;
  });
  std::unordered_map<NodeId, std::int64_t> line_of;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto [known, is_new] = line_of.emplace(nodes[i], line_numbers[i]);
    if (is_new) continue;
    throw UserError(path, line_numbers[i], "{} is on line {} already [name it once]", quoted(names.name(nodes[i])),
                    known->second);
  }
  return {std::move(nodes), std::move(line_numbers)};
}

std::vector<std::pair<NodeId, NodeId>> read_node_pairs(const std::filesystem::path& path, const NodeNames& names) {
  return read_node_pair_lines(path, names).items;
}

FileLines<std::pair<NodeId, NodeId>> read_node_pair_lines(const std::filesystem::path& path, const NodeNames& names) {
  return parse_node_pair_lines(TextFile(path).text(), path, names);
}

FileLines<std::pair<NodeId, NodeId>> parse_node_pair_lines(std::string_view text, const std::filesystem::path& path,
                                                           const NodeNames& names) {
  const DataLines lines(text, RecordSyntax{});
  std::int64_t first_row = 0;
  if (lines.size() > 0) {
    const auto first = two_ids(lines.line(0).text);
    if (first && is_header(names, *first)) first_row = 1;
  }
  if (lines.size() == first_row) throw UserError(path, "has no pairs [write two node ids per line]");
  std::vector<std::pair<NodeId, NodeId>> pairs(static_cast<std::size_t>(lines.size() - first_row));
  std::vector<std::int64_t> line_numbers(pairs.size());
  lines.for_each([&](std::int64_t row, std::int64_t number, std::string_view line) {
    if (row < first_row) return;
    const auto ids = two_ids(line);
    if (!ids) throw UserError(path, number, "expected two ids, got {}", quoted(line));
    pairs[static_cast<std::size_t>(row - first_row)] = {find_node(names, ids->first, path, number),
                                                        find_node(names, ids->second, path, number)};
    line_numbers[static_cast<std::size_t>(row - first_row)] = number;
  });
  return {std::move(pairs), std::move(line_numbers)};
}

std::vector<std::string> read_pair_ids(const std::vector<std::filesystem::path>& paths) {
  std::vector<IdPairs> files;
  for (const std::filesystem::path& path : paths) files.push_back(read_id_pairs(path));
  const auto may_be_header = [](const IdPairs& file) { return !file.empty() && names_ends(file.front()); };
  std::unordered_set<std::string_view> occurring;
  for (const IdPairs& file : files) {
    for (std::size_t i = may_be_header(file) ? 1 : 0; i < file.size(); ++i) {
      occurring.insert({file[i].first, file[i].second});
    }
  }
  std::vector<std::string> ids;
  std::unordered_set<std::string_view> seen;
  for (const IdPairs& file : files) {
    const bool stands_alone =
        may_be_header(file) && !occurring.contains(file.front().first) && !occurring.contains(file.front().second);
    for (std::size_t i = stands_alone || is_words_over_numbers(file) ? 1 : 0; i < file.size(); ++i) {
      for (const std::string* id : {&file[i].first, &file[i].second}) {
        if (seen.insert(*id).second) ids.push_back(*id);
      }
    }
  }
  return ids;
}

}  // namespace gir
