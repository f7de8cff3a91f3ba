#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "gir/core/export.h"
#include "gir/data/task.h"

namespace gir {

/// One setting of a search, with the values that are tried.
struct GIR_API SearchDimension {
  std::string setting;
  std::vector<std::string> values;  ///< as text, as in SettingValues
  bool may_keep = false;            ///< half of the candidates keep the value of the default
};

/// The settings that a search varies, in the order in which they are shown.
using SearchSpace = std::vector<SearchDimension>;

/// The space that is searched unless another one is given. Values of `anchors` above the number of nodes are omitted.
GIR_API SearchSpace default_search_space(Task task, std::int64_t nodes = std::numeric_limits<std::int64_t>::max());

/// Reads a space from a JSON file: {"layers": [2, 3], "lr": [0.003, 0.01]}. UserError with the name of the file for
/// unknown settings, invalid values, and settings that say what is evaluated (data, split, task) instead of how it is
/// learnt.
GIR_API SearchSpace read_search_space(const std::filesystem::path& path);

/// The space in the format of such a file.
GIR_API std::string search_space_text(const SearchSpace& space);

}  // namespace gir
