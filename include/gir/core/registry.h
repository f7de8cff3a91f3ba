#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/export.h"
#include "gir/core/text.h"

namespace gir {

/// Notes that a second entry of a kind has the name of another one; check_registrations() raises the error. Entries
/// register themselves while a library is loaded, where nothing can catch an error.
GIR_API void report_duplicate(std::string_view kind, std::string_view name);

/// UserError if the library that was just loaded registered a name that was taken. Such entries are not registered.
GIR_API void check_registrations(const std::filesystem::path& library);

/// All entries of one kind, by name. An entry type has `name`, `summary` and a static `kKind` ("dataset", "format",
/// ...) for messages. Entries register themselves at the end of the file that implements them:
///
///     const Registered<GraphFormat> edge_list{{.name = "edge-list", .summary = "...", .read = read}};
template <typename Entry>
class GIR_API Registry {
 public:
  /// A name that is taken is noted: check_registrations().
  static void add(Entry entry) {
    auto& entries = storage();
    const auto place = std::lower_bound(entries.begin(), entries.end(), entry,
                                        [](const Entry& a, const Entry& b) { return a.name < b.name; });
    if (place != entries.end() && place->name == entry.name) return report_duplicate(Entry::kKind, entry.name);
    entries.insert(place, std::move(entry));
  }

  /// Sorted by name.
  static const std::vector<Entry>& all() { return storage(); }

  /// Null when there is none. Underscores count as hyphens, upper case as lower case.
  static const Entry* find(std::string_view name) {
    const std::string wanted = canonical_name(name);
    for (const Entry& entry : storage()) {
      if (canonical_name(entry.name) == wanted) return &entry;
    }
    return nullptr;
  }

  /// UnknownNameError, which lists the known names, when there is none.
  static const Entry& get(std::string_view name) {
    if (const Entry* entry = find(name)) return *entry;
    std::vector<std::string> names;
    for (const Entry& entry : storage()) names.push_back(entry.name);
    throw UnknownNameError(Entry::kKind, name, std::move(names));
  }

 private:
  static std::vector<Entry>& storage() {
    static std::vector<Entry> entries;
    return entries;
  }
};

/// Registers an entry when the library is loaded.
template <typename Entry>
struct Registered {
  explicit Registered(Entry entry) { Registry<Entry>::add(std::move(entry)); }
};

}  // namespace gir
