#include "missing_ids.h"

#include <string_view>

#include "gir/core/error.h"

namespace gir {

void note_missing_ids(const std::filesystem::path& path, const NodeNames& names, std::vector<std::string>& notes) {
  if (names.kind() != NodeNames::Kind::kStrings) return;
  for (const std::string_view word : {"NULL", "null", "NaN", "nan", "None", "NA", "N/A", "?", "\\N"}) {
    if (!names.find(word)) continue;
    notes.push_back(
        fmt::format("{}: {} is read as a node like any other [remove its edges if it means a missing value]",
                    path.string(), quoted(word)));
  }
}

}  // namespace gir
