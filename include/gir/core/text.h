#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gir {

/// `name` as registries spell it: lower case, hyphens for underscores.
std::string canonical_name(std::string_view name);

/// `names`, the ones most like `wanted` (edit distance) first.
std::vector<std::string> nearest_first(std::string_view wanted, std::vector<std::string> names);

/// Every item followed by `separator` but the last.
std::string join(const std::vector<std::string>& items, std::string_view separator);

/// The items of a list with commas between them, without blanks around them; empty ones are passed over.
std::vector<std::string> split_list(std::string_view text);

/// The parts of a text between separators, empty ones too; none for an empty text.
std::vector<std::string> split_at(std::string_view text, char separator);

/// The whole number that `text` is, from its first byte to its last: digits, maybe after a minus.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// 1234567 as "1,234,567".
std::string with_thousands(std::int64_t number);

/// 140000000 as "133.5 MiB".
std::string human_bytes(std::int64_t bytes);

/// A word as a shell takes it, in quotes where it needs them.
std::string shell_word(const std::string& text);

}  // namespace gir
