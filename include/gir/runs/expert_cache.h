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

/// Makes the folder of the setting `expert-cache`; none where that is empty. Whoever makes a run's folder asks for this
/// one before: the UserError of a folder that cannot be made leaves nothing behind.
GIR_API void make_cache_folder(const std::filesystem::path& folder);

/// Trained experts in a folder, each in a run directory that is named after all that its training depends on: the same
/// expert is trained once, whatever it becomes part of and however often a program is started.
class GIR_API ExpertCache {
 public:
  explicit ExpertCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Where an expert with this configuration is or will be. `data` is the fingerprint of its data.
  std::filesystem::path place(const RunConfig& config, const std::string& data, const Context& context) const;

  /// Brings an untrained expert to the end of its training: loads it, or trains it and keeps it. Threads and programs
  /// that want the same one wait for each other. Throws Interrupted when the observer does; a later call goes on from
  /// there. Returns its run directory.
  RunDirectory train(Experiment& expert, const Dataset& dataset, const Trainer::Observer& observer = {});

 private:
  std::mutex& lock_of(const std::filesystem::path& place);

  std::filesystem::path folder_;
  std::mutex mutex_;  ///< of the following
  std::map<std::filesystem::path, std::mutex> locks_;
};

}  // namespace gir
