#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gir/core/export.h"
#include "gir/data/dataset.h"
#include "gir/runs/experiment.h"
#include "gir/runs/run_record.h"

namespace gir {

/// The folder of one run and the files in it (docs/training.md).
class GIR_API RunDirectory {
 public:
  /// Creates an empty run directory. UserError if there is already a run (unless `overwrite`, which deletes its files),
  /// if the path is something else, or if it cannot be created.
  static RunDirectory create(const std::filesystem::path& path, bool overwrite);

  /// The same errors, as far as they can be detected without changing anything: before data is read and prepared.
  static void check_new(const std::filesystem::path& path, bool overwrite);

  /// Opens an existing run directory. UserError for folders without a run.
  static RunDirectory open(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config() const { return path_ / "config.json"; }
  std::filesystem::path model() const { return path_ / "model.safetensors"; }
  std::filesystem::path metrics() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path result() const { return path_ / "result.json"; }
  std::filesystem::path anchors() const { return path_ / "anchors.txt"; }
  std::filesystem::path expert_anchors(std::size_t expert) const;      ///< of an expert of a fused model, from 0
  std::filesystem::path experts() const { return path_ / "experts"; }  ///< of a fused model: their run directories
  std::filesystem::path gate() const { return path_ / "gate.npy"; }    ///< gate weights of a fused model
  std::filesystem::path embeddings() const { return path_ / "embeddings.npy"; }
  std::filesystem::path nodes() const { return path_ / "nodes.txt"; }
  std::filesystem::path graph() const { return path_ / "graph.npz"; }  ///< copy of a graph that has no file of its own
  std::filesystem::path checkpoint() const { return path_ / "checkpoint.safetensors"; }
  std::filesystem::path refit_checkpoint() const { return path_ / "refit.safetensors"; }  ///< of the last training

  bool finished() const { return std::filesystem::exists(result()); }

  /// Whether the training was interrupted by the user. Its best model can be used, and its training can be continued.
  bool interrupted() const;

 private:
  explicit RunDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

struct GIR_API DirectoryOptions {
  bool resume = false;     ///< continue from the last checkpoint
  bool vectors = true;     ///< also write the node embeddings and ids
  bool graph_copy = true;  ///< also write the graph, with features and labels, if the configuration names none that can
                           ///< be opened: a graph from memory
};

/// Trains in a run directory: writes the configuration first, one line of metrics per evaluation on the validation set,
/// checkpoints if the configuration requests them, and the rest at the end, result.json last. A resumed training gives
/// bit-identical results to an uninterrupted one; a checkpoint is also written when the observer throws Interrupted.
/// The experts of a fused model are trained in an ExpertCache.
GIR_API RunResult train_in_directory(const RunDirectory& directory, Experiment& experiment, const Dataset& dataset,
                                     const DirectoryOptions& options = {}, const Trainer::Observer& observer = {});

/// Reads result.json of a run. UserError if the run is not finished or the file is damaged.
GIR_API RunRecord read_record(const RunDirectory& directory);

/// Copies what result.json records about the training (epochs, time, interruption) into a result that was evaluated
/// again.
GIR_API void add_history(const RunDirectory& directory, RunResult& result);

/// Loads the model of a finished run into an experiment with the same configuration. UserError if files are damaged, or
/// if the anchors of the experiment are not those that the model was trained with.
GIR_API void load_model(const RunDirectory& directory, Experiment& experiment);

/// The settings of a run directory; `graph` is its copy of the graph if there is one.
GIR_API SettingValues directory_settings(const RunDirectory& directory);

/// The resolved configuration of a run directory, the same.
GIR_API RunConfig directory_config(const RunDirectory& directory);

}  // namespace gir
