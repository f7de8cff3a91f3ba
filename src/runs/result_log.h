#pragma once

#include <filesystem>
#include <vector>

#include "append_file.h"
#include "gir/runs/grid.h"

namespace gir {

/// results.jsonl of a grid: reads the existing results, and appends to them. An incomplete last line, left by a program
/// that was killed, is removed; any other invalid line is a UserError with its number.
class ResultLog {
 public:
  explicit ResultLog(const std::filesystem::path& folder);

  /// Results of earlier calls.
  const std::vector<GridResult>& found() const { return found_; }

  void add(const GridResult& result);

 private:
  std::vector<GridResult> found_;
  AppendFile file_;
};

}  // namespace gir
