#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include "gir/core/export.h"
#include "gir/data/dataset.h"
#include "gir/runs/experiment.h"
#include "gir/runs/run_config.h"
#include "gir/runs/run_directory.h"

namespace gir {

/// Creates the folder of the setting `expert-cache`, if it is set. To be called before the folder of a run is created,
/// so that the UserError of a folder that cannot be created leaves nothing behind.
GIR_API void make_cache_folder(const std::filesystem::path& folder);

/// A folder of trained experts, each in a run directory whose name contains a hash of everything that its training
/// depends on. The same expert is trained only once, whatever models it becomes part of, across programs.
class GIR_API ExpertCache {
 public:
  explicit ExpertCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The run directory of an expert with this configuration, whether it exists or not. `data` is the fingerprint of its
  /// data.
  std::filesystem::path place(const RunConfig& config, const std::string& data, const Context& context) const;

  /// Trains an untrained expert and stores it, or loads it if it is stored. Threads and programs that need the same
  /// expert wait for each other. Throws Interrupted when the observer does; a later call continues from there. Returns
  /// the run directory of the expert.
  RunDirectory train(Experiment& expert, const Dataset& dataset, const Trainer::Observer& observer = {});

 private:
  std::mutex& lock_of(const std::filesystem::path& place);

  std::filesystem::path folder_;
  std::mutex mutex_;  ///< protects locks_
  std::map<std::filesystem::path, std::mutex> locks_;
};

}  // namespace gir
