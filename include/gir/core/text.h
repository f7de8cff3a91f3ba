#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/export.h"

namespace gir {

/// `name` as registries spell it: lower case, hyphens for underscores.
GIR_API std::string canonical_name(std::string_view name);

/// `names` sorted by their edit distance from `wanted` as registries spell them, the smallest first; equal distances
/// keep their order.
GIR_API std::vector<std::string> nearest_first(std::string_view wanted, std::vector<std::string> names);

/// The names that `wanted` may be a typing error of, nearest first and at most `count`: those within an edit distance
/// of a third of its length (at most 3), and those that begin with it. Empty where nothing is near.
GIR_API std::vector<std::string> similar_names(std::string_view wanted, std::vector<std::string> names,
                                               std::size_t count = 3);

/// The items with `separator` between them.
GIR_API std::string join(const std::vector<std::string>& items, std::string_view separator);

/// The items of a comma-separated list, without the spaces and tabs around them; empty items are skipped.
GIR_API std::vector<std::string> split_list(std::string_view text);

/// The parts of a text between separators, empty ones too; none for an empty text.
GIR_API std::vector<std::string> split_at(std::string_view text, char separator);

/// `text` as an integer: an optional minus sign and digits, and nothing else. Nothing where it is not one or does not
/// fit.
GIR_API std::optional<std::int64_t> parse_integer(std::string_view text);

/// 1234567 as "1,234,567".
GIR_API std::string with_thousands(std::int64_t number);

/// 140000000 as "133.5 MiB".
GIR_API std::string human_bytes(std::int64_t bytes);

/// `text` as one word of a POSIX shell command, in quotes where it needs them.
GIR_API std::string shell_word(const std::string& text);

}  // namespace gir
