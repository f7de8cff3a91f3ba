#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/text.h"

namespace gir {

/// The names that settings and files have for the values of an enumeration. Specialised beside the enumeration, with
/// what it is called in messages and every value once:
///
///     template <>
///     struct EnumNames<Norm> {
///       static constexpr std::string_view kKind = "norm";
///       static constexpr auto kAll = enum_names<Norm>({{Norm::kNone, "none"}, {Norm::kBatch, "batch"}});
///     };
template <typename Enum>
struct EnumNames;

template <typename Enum, std::size_t count>
constexpr auto enum_names(const std::pair<Enum, std::string_view> (&all)[count]) {
  return std::to_array(all);
}

template <typename Enum>
concept NamedEnum = requires {
  EnumNames<Enum>::kKind;
  EnumNames<Enum>::kAll;
};

template <NamedEnum Enum>
std::string_view name_of(Enum wanted) {
  for (const auto& [value, name] : EnumNames<Enum>::kAll) {
    if (value == wanted) return name;
  }
  throw InternalError("an enumerator without a name");
}

/// All names, in the order of the list.
template <NamedEnum Enum>
std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for (const auto& [value, name] : EnumNames<Enum>::kAll) names.emplace_back(name);
  return names;
}

/// Underscores equal hyphens, case does not matter. UserError for unknown names: "unknown norm "x" [known: ...]".
template <NamedEnum Enum>
Enum parse_name(std::string_view name) {
  const std::string wanted = canonical_name(name);
  for (const auto& [value, known] : EnumNames<Enum>::kAll) {
    if (wanted == known) return value;
  }
  throw UserError("unknown {} {} [known: {}]", EnumNames<Enum>::kKind, quoted(name),
                  join(nearest_first(wanted, names_of<Enum>()), ", "));
}

}  // namespace gir
