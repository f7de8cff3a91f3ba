#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gir/data/dataset.h"
#include "gir/graph/statistics.h"
#include "gir/report/table.h"

namespace gir::cli {

/// What `gir data info` says about a graph, in its three forms.
struct DatasetInfo {
  const Dataset& dataset;
  GraphStatistics statistics;
  std::string fingerprint;
};

DatasetInfo describe(const Dataset& dataset);
nlohmann::json to_json(const DatasetInfo& info);
std::string to_text(const DatasetInfo& info);
Table to_table(const std::vector<DatasetInfo>& infos);

}  // namespace gir::cli
