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
  /// A new, empty one. UserError where there is a run already (unless `overwrite`: then its files go), something else
  /// of that name, or where it cannot be made.
  static RunDirectory create(const std::filesystem::path& path, bool overwrite);

  /// One that exists. UserError for folders that hold no run.
  static RunDirectory open(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config() const { return path_ / "config.json"; }
  std::filesystem::path model() const { return path_ / "model.safetensors"; }
  std::filesystem::path metrics() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path result() const { return path_ / "result.json"; }
  std::filesystem::path anchors() const { return path_ / "anchors.txt"; }
  std::filesystem::path expert_anchors(std::size_t expert) const;      ///< of a fused model's expert, from 0
  std::filesystem::path experts() const { return path_ / "experts"; }  ///< runs of a fused model's experts
  std::filesystem::path gate() const { return path_ / "gate.npy"; }    ///< of a fused model
  std::filesystem::path embeddings() const { return path_ / "embeddings.npy"; }
  std::filesystem::path nodes() const { return path_ / "nodes.txt"; }
  std::filesystem::path checkpoint() const { return path_ / "checkpoint.safetensors"; }

  bool finished() const { return std::filesystem::exists(result()); }

  /// Whether it ended because the user stopped it. Its best model can be used, and its training can go on.
  bool interrupted() const;

 private:
  explicit RunDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

struct GIR_API DirectoryOptions {
  bool resume = false;  ///< go on where the last checkpoint stands
  bool vectors = true;  ///< keep the nodes' vectors and ids, too
};

/// Trains in a run directory: writes the configuration first, a line of metrics for every look at the validation
/// data, checkpoints where the configuration asks for them, and the rest at the end, result.json last. Resumed, it
/// gives the same bits as an uninterrupted run; a checkpoint is written when the observer throws Interrupted, too. A
/// fused model's experts are trained in an ExpertCache.
GIR_API RunResult train_in_directory(const RunDirectory& directory, Experiment& experiment, const Dataset& dataset,
                                     const DirectoryOptions& options = {}, const Trainer::Observer& observer = {});

/// What result.json says about a run. UserError where the run has not ended or the file is damaged.
GIR_API RunRecord read_record(const RunDirectory& directory);

/// Puts what result.json says about the training itself into a result that was evaluated anew.
GIR_API void add_history(const RunDirectory& directory, RunResult& result);

/// A finished run, ready for use: its data read again and its parameters loaded.
struct GIR_API FinishedRun {
  std::unique_ptr<Dataset> data;
  std::unique_ptr<Experiment> experiment;
};

/// UserError where the run is not finished, or the graph is not the one that it was trained on.
GIR_API FinishedRun open_run(const RunDirectory& directory, const Context& context = {},
                             const std::filesystem::path& data_dir = {});

/// Loads a finished run's model into an experiment of its configuration. UserError where files are damaged, or the
/// experiment's anchors are not those that the model was trained with.
GIR_API void load_model(const RunDirectory& directory, Experiment& experiment);

/// The configuration that a directory holds, resolved.
GIR_API RunConfig directory_config(const RunDirectory& directory);

/// A finished run's model, which must be an inductive one, on another graph, which must outlive it. Anchors are
/// selected on that graph as they were for training. UserError for models that know their graph's nodes, and for
/// features of another width.
GIR_API std::unique_ptr<Experiment> open_on_other_graph(const RunDirectory& directory, const Dataset& other,
                                                        const Context& context = {});

}  // namespace gir
