#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gir/core/file.h"
#include "gir/report/table.h"

namespace gir::cli {

/// Runs a command and parses the JSON it prints; UserError when that has no `field`.
nlohmann::json run_for_json(const std::string& command, const std::string& field);

/// Time that `work()` takes.
template <typename Work>
double milliseconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// The median of at least one value.
double median(std::vector<double> values);

/// The fields of a JSON object as rows of a table.
Table fields_table(const nlohmann::json& fields);

/// A temporary file that is removed at the end of the scope, and when the program is interrupted.
struct ScratchFile {
  explicit ScratchFile(std::filesystem::path where) : path(std::move(where)), registered(path) {}
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }

  std::filesystem::path path;
  TemporaryFile registered;
};

}  // namespace gir::cli
