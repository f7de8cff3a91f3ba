#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace gir {

/// The folders where data are looked up, in this order: `chosen` (setting `data-dir`; may be empty), $GIR_DATA, the
/// user's cache ($XDG_CACHE_HOME/gir, else ~/.cache/gir). Those that are not set are omitted; they need not exist.
/// UserError when none is set.
std::vector<std::filesystem::path> data_directories(const std::filesystem::path& chosen = {});

/// The file or folder `name` ("cora/ind.cora.x") in the first of these folders that has it.
std::optional<std::filesystem::path> find_data_file(const std::filesystem::path& chosen,
                                                    const std::filesystem::path& name);

/// The folder for downloads: the first of data_directories().
std::filesystem::path download_directory(const std::filesystem::path& chosen = {});

}  // namespace gir
