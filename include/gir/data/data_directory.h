#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace gir {

/// The folders where data is looked up, in this order: `chosen` (--data-dir; empty for none), $GIR_DATA, the
/// user's cache ($XDG_CACHE_HOME/gir, else ~/.cache/gir). Those that are not set are left out; they need not
/// exist. UserError when nothing is set at all.
std::vector<std::filesystem::path> data_directories(const std::filesystem::path& chosen = {});

/// The file or folder `name` ("cora/ind.cora.x") in the first of these that has it.
std::optional<std::filesystem::path> find_data_file(const std::filesystem::path& chosen,
                                                    const std::filesystem::path& name);

/// Where downloads go: the first of data_directories().
std::filesystem::path download_directory(const std::filesystem::path& chosen = {});

}  // namespace gir
