#pragma once

#include <filesystem>
#include <vector>

#include "append_file.h"
#include "gir/runs/grid.h"

namespace gir {

/// results.jsonl of a grid: what is there, and a place to add to. A last line that was cut off by a kill is dropped;
/// anything else that is no result is a UserError with its line.
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

/// Writes what read_grid_request() reads.
void keep_request(const std::filesystem::path& folder, const GridRequest& request);

}  // namespace gir
