#include "gir/runs/expert_cache.h"

#include <fmt/format.h>

#include "gir/core/error.h"
#include "gir/core/file.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

/// The run directory at `place`, created if there is none. Leftovers of a program that was killed before it wrote the
/// configuration are deleted.
RunDirectory open_or_create(const fs::path& place) {
  if (fs::exists(place / "config.json")) return RunDirectory::open(place);
  fs::remove_all(place);
  return RunDirectory::create(place, false);
}

}  // namespace

void make_cache_folder(const fs::path& folder) {
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) {
    throw UserError("`expert-cache`: {}: {} [give a folder that exists or can be created]", folder.string(),
                    error ? error.message() : "not a folder");
  }
}

fs::path ExpertCache::place(const RunConfig& config, const std::string& data, const Context& context) const {
  return folder_ / fmt::format("{}-{}", config.model, run_fingerprint(config, data, context).substr(0, 16));
}

std::mutex& ExpertCache::lock_of(const fs::path& place) {
  const std::lock_guard lock(mutex_);
  return locks_[place];
}

RunDirectory ExpertCache::train(Experiment& expert, const Dataset& dataset, const Trainer::Observer& observer) {
  const fs::path place = this->place(expert.config(), fingerprint(dataset.data), expert.context());
  const std::lock_guard lock(lock_of(place));
  make_cache_folder(folder_);
  const FileLock against_other_programs(place.string() + ".lock");
  const bool started = fs::exists(place / "config.json");
  RunDirectory directory = open_or_create(place);
  if (directory.finished() && !directory.interrupted()) {
    load_model(directory, expert);
    return directory;
  }
  const RunResult result = train_in_directory(directory, expert, dataset,
                                              {.resume = started, .vectors = false, .graph_copy = false}, observer);
  if (result.interrupted) throw Interrupted();
  return directory;
}

}  // namespace gir
