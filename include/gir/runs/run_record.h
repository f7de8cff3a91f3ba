#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gir/core/export.h"
#include "gir/data/dataset.h"
#include "gir/runs/experiment.h"

namespace gir {

/// The contents of result.json: the result, and what it was obtained with.
struct GIR_API RunRecord {
  RunResult result = {};
  std::string version = {};  ///< of gir
  std::string graph_fingerprint = {};
  std::string data_fingerprint = {};
  std::int64_t nodes = 0;
  std::int64_t features = 0;              ///< per node
  std::vector<std::string> classes = {};  ///< of nc
};

GIR_API RunRecord make_record(RunResult result, const Dataset& dataset);

/// The record in the format of result.json.
GIR_API std::string record_text(const RunRecord& record);

/// Reads such a file; missing members keep their defaults. UserError if it is damaged.
GIR_API RunRecord read_record(const std::filesystem::path& path);

}  // namespace gir
