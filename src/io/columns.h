#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gir {

/// The setting `columns`: names of columns, or numbers from 1; empty where nothing was chosen.
struct ColumnChoice {
  std::string source;
  std::string target;
  std::string weight;
  std::string node;  ///< ids in a file of labels
  std::string label;
};

/// Parses "source=from,target=to,weight=w". UserError for unknown words on the left.
ColumnChoice parse_columns(std::string_view text);

/// UserError for a choice of labels where the file at `path` has none.
[[noreturn]] void refuse_label_columns(const std::filesystem::path& path);

using Cells = std::vector<std::string>;

/// The position of a chosen column in a table of `width` columns; `header` is empty where the table has none.
/// UserError, beginning with `where`, where there is no such column.
std::size_t find_column(const std::string& where, std::string_view wanted, const Cells& header, std::size_t width);

/// The words of a column name, in lower case: "FromNodeId" is from, node, id; "person_1" is person, 1.
std::vector<std::string> words_of(std::string_view name);

/// Whether one of the words of `name` is in `known`.
bool has_word(std::string_view name, const std::vector<std::string_view>& known);

/// Two columns whose names are those of the two ends of an edge: source and target, name_a and name_b, ...
struct EndColumns {
  std::size_t source = 0;
  std::size_t target = 0;
  bool certain = false;  ///< names that hardly occur as node ids
  bool telling = false;  ///< names of several words or of a long one: they hardly occur side by side in another row
};
std::optional<EndColumns> find_end_columns(const Cells& header);

/// Whether the two columns are those of a file of labels: id and label.
bool names_labels_of_nodes(const Cells& header);

bool names_weight(std::string_view name);
bool names_time(std::string_view name);

/// Whether a cell looks like a time in seconds since 1970: one of the years 1980 to 2100.
bool is_unix_time(std::string_view cell);

/// The names in quotes, unnamed columns by number, for messages.
std::string list_columns(const Cells& header, const std::vector<std::size_t>& columns);
std::string list_columns(const Cells& header);

}  // namespace gir
