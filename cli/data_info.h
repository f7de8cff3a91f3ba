#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gir/data/dataset.h"
#include "gir/graph/statistics.h"
#include "gir/report/table.h"

namespace gir::cli {

/// What `gir data info` shows about a graph. `dataset` must outlive it.
struct DatasetInfo {
  const Dataset& dataset;
  GraphStatistics statistics;
  std::string fingerprint;
};

DatasetInfo describe(const Dataset& dataset);
nlohmann::json to_json(const DatasetInfo& info);
std::string to_text(const DatasetInfo& info);

/// An empty table for several graphs, and the row of one of them.
Table info_table();
std::vector<std::string> to_row(const DatasetInfo& info);

}  // namespace gir::cli
