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

/// `text` as one word of a shell command.
std::string in_shell_quotes(const std::string& text);

/// How long `work()` takes.
template <typename Work>
double milliseconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// The middle value; at least one is needed.
double median(std::vector<double> values);

/// Names and values of a JSON object as rows.
Table figures_table(const nlohmann::json& figures);

/// A file that is gone at the end, however that comes.
struct ScratchFile {
  explicit ScratchFile(std::filesystem::path where) : path(std::move(where)), listed(path) {}
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }

  std::filesystem::path path;
  TemporaryFile listed;
};

}  // namespace gir::cli
