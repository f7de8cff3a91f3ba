#include "gir/core/registry.h"

#include <optional>
#include <utility>

namespace gir {
namespace {

/// The first one since the last check.
std::optional<std::pair<std::string, std::string>>& duplicate() {
  static std::optional<std::pair<std::string, std::string>> kind_and_name;
  return kind_and_name;
}

}  // namespace

void report_duplicate(std::string_view kind, std::string_view name) {
  if (!duplicate()) duplicate().emplace(kind, name);
}

void check_registrations(const std::filesystem::path& library) {
  const auto found = std::exchange(duplicate(), std::nullopt);
  if (!found) return;
  throw UserError(library, "registers the {} {}, but there is one of that name already [rename it]", found->first,
                  quoted(found->second));
}

}  // namespace gir
