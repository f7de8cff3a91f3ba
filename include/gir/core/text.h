#pragma once

#include <cstdint>
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

/// 1234567 as "1,234,567".
std::string with_thousands(std::int64_t number);

/// 140000000 as "133.5 MiB".
std::string human_bytes(std::int64_t bytes);

}  // namespace gir
