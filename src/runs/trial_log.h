#pragma once

#include <filesystem>
#include <vector>

#include "append_file.h"
#include "gir/runs/tune.h"

namespace gir {

/// trials.jsonl of a search: reads the trainings of earlier calls, and appends to them. An incomplete last line, left
/// by a program that was killed, is removed; any other invalid line is a UserError with its number.
class TrialLog {
 public:
  explicit TrialLog(const std::filesystem::path& folder);

  /// Trainings of earlier calls.
  const std::vector<TrialTraining>& found() const { return found_; }

  void add(const TrialTraining& training);

 private:
  std::vector<TrialTraining> found_;
  AppendFile file_;
};

}  // namespace gir
