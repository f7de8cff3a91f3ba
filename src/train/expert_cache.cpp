#include "gir/train/expert_cache.h"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include "gir/core/error.h"
#include "gir/train/tensor_file.h"

namespace gir {

namespace fs = std::filesystem;

fs::path ExpertCache::place(const RunConfig& config, const std::string& data) const {
  return folder_ / fmt::format("{}-{}", config.model, run_fingerprint(config, data).substr(0, 16));
}

std::mutex& ExpertCache::lock_of(const fs::path& place) {
  const std::lock_guard lock(mutex_);
  return locks_[place];
}

RunDirectory ExpertCache::train(Experiment& expert, const Dataset& dataset, const Trainer::Observer& observer) {
  const fs::path place = this->place(expert.config(), fingerprint(dataset.data));
  const std::lock_guard lock(lock_of(place));
  const bool begun = fs::exists(place / "config.json");
  const RunDirectory directory = begun ? RunDirectory::open(place) : RunDirectory::create(place, false);
  if (directory.finished() && !directory.interrupted()) {
    const at::NoGradGuard no_gradients;
    load_tensors(directory.model(), expert.tensors());
    return directory;
  }
  const RunResult result =
      train_in_directory(directory, expert, dataset, {.resume = begun, .vectors = false}, observer);
  if (result.interrupted) throw Interrupted();
  return directory;
}

}  // namespace gir
