#include "missing_labels.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/io/tables.h"
#include "whole_numbers.h"

namespace gir {
namespace {

/// Empties the cells that stand for a missing label, with a note on them.
void clear_missing(const std::filesystem::path& path, std::vector<std::string>& labels,
                   std::vector<std::string>& notes) {
  std::set<std::string> words;
  std::int64_t rows = 0;
  for (std::string& label : labels) {
    if (label.empty() || !is_missing(label)) continue;
    words.insert(quoted(std::as_const(label)));
    label.clear();
    ++rows;
  }
  if (rows == 0) return;
  notes.push_back(fmt::format("{}: {} in {} rows stands for a missing label", path.string(),
                              join({words.begin(), words.end()}, ", "), rows));
}

/// Empties the cells -1 where all other labels are whole numbers from 0 on: many programs write -1 for "unknown".
/// Beside a single other class it is a class, as in -1 and 1. A note says what was decided.
void clear_unknown(const std::filesystem::path& path, std::vector<std::string>& labels,
                   std::vector<std::string>& notes) {
  std::set<std::int64_t> others;
  std::int64_t rows = 0;
  const auto is_unknown = [](const std::string& label) { return parse_whole_number(label) == -1; };
  for (const std::string& label : labels) {
    const auto number = parse_whole_number(label);
    if (label.empty()) continue;
    if (!number || *number < -1) return;
    if (*number == -1) {
      ++rows;
    } else {
      others.insert(*number);
    }
  }
  if (rows == 0 || others.empty()) return;
  if (others.size() == 1) {
    notes.push_back(
        fmt::format("{}: the label -1 in {} rows is read as a class [leave it empty if it means that a label is "
                    "missing]",
                    path.string(), rows));
    return;
  }
  for (std::string& label : labels) {
    if (is_unknown(label)) label.clear();
  }
  notes.push_back(fmt::format(
      "{}: -1 in {} rows stands for a missing label, as the others are 0 or more [write a word if it is a class]",
      path.string(), rows));
}

}  // namespace

bool is_missing(std::string_view cell) {
  constexpr auto kWords = std::to_array<std::string_view>({"", "nan", "na", "n/a", "#n/a", "?", "null", "none", "\\n"});
  std::string lower(cell);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

void clear_missing_labels(const std::filesystem::path& path, std::vector<std::string>& labels,
                          std::vector<std::string>& notes) {
  clear_missing(path, labels, notes);
  clear_unknown(path, labels, notes);
}

void note_label_twins(const std::filesystem::path& path, const std::vector<std::string>& labels,
                      std::vector<std::string>& notes) {
  std::map<std::string, std::string_view> spellings;
  for (const std::string& label : labels) {
    std::string lower = label;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    const auto [known, is_new] = spellings.emplace(std::move(lower), label);
    if (is_new || known->second == label) continue;
    notes.push_back(fmt::format("{}: {} and {} are two classes [write them alike if they are the same]", path.string(),
                                quoted(known->second), quoted(label)));
    return;
  }
}

}  // namespace gir
