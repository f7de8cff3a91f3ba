#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gir {

/// A line of metrics.jsonl: an evaluation on the validation set.
struct MetricsLine {
  std::int64_t epoch = 0;
  double loss = 0;                                    ///< of training
  std::vector<std::pair<std::string, double>> valid;  ///< metrics by name, and "loss" where it matters

  /// NaN where there is no such metric.
  double metric(std::string_view name) const;
};

/// The line as text, without its end.
std::string metrics_text(const MetricsLine& line);

/// Nothing for text that is no such line.
std::optional<MetricsLine> parse_metrics(std::string_view text);

}  // namespace gir
