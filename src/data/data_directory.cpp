#include "gir/data/data_directory.h"

#include <cstdlib>
#include <system_error>

#include "gir/core/error.h"

namespace gir {
namespace {

/// Empty where the variable is not set.
std::filesystem::path environment_path(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::filesystem::path() : std::filesystem::path(value);
}

/// Empty where neither variable is set.
std::filesystem::path cache_directory() {
  // The XDG Base Directory Specification says that relative paths are to be ignored.
  if (const auto cache = environment_path("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "gir";
  const auto home = environment_path("HOME");
  return home.empty() ? home : home / ".cache" / "gir";
}

}  // namespace

std::vector<std::filesystem::path> data_directories(const std::filesystem::path& chosen) {
  std::vector<std::filesystem::path> directories;
  for (const auto& directory : {chosen, environment_path("GIR_DATA"), cache_directory()}) {
    if (!directory.empty()) directories.push_back(directory);
  }
  if (directories.empty()) {
    throw UserError("no data directory: HOME is not set [set `data-dir` or the environment variable GIR_DATA]");
  }
  return directories;
}

std::optional<std::filesystem::path> find_data_file(const std::filesystem::path& chosen,
                                                    const std::filesystem::path& name) {
  ensure(name.is_relative() && !name.empty(), "data files are named relative to the data directory");
  for (const auto& directory : data_directories(chosen)) {
    std::error_code unreadable;
    if (std::filesystem::exists(directory / name, unreadable)) return directory / name;
  }
  return std::nullopt;
}

std::filesystem::path download_directory(const std::filesystem::path& chosen) {
  return data_directories(chosen).front();
}

}  // namespace gir
