#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gir/anchors/anchors.h"
#include "gir/core/export.h"
#include "gir/data/dataset.h"
#include "gir/data/split.h"
#include "gir/learn/decoder.h"
#include "gir/learn/objective.h"
#include "gir/learn/trainer.h"
#include "gir/models/model.h"
#include "gir/runs/run_config.h"

namespace gir {

/// What a run found.
struct GIR_API RunResult {
  std::string dataset;
  Task task = Task::kNodeClassification;
  std::string model;
  std::string metric;  ///< name of the figure that decides
  Metrics valid;       ///< at the best epoch
  Metrics test;        ///< the same, looked at once
  std::int64_t best_epoch = 0;
  std::int64_t epochs = 0;  ///< that were run
  std::uint64_t seed = 0;
  std::uint64_t split = 0;
  double seconds = 0;
  std::int64_t parameters = 0;  ///< trained values
  std::int64_t anchors = 0;
  bool interrupted = false;
  std::int64_t bad_epoch = 0;  ///< the first whose loss was not a number, where the best one before was taken; 0: none
  std::string device = "cpu";  ///< and its precision: Context::mark()
  std::vector<std::string> experts = {};  ///< of a fused model: what was fused
};

/// What an experiment is made for.
enum class Purpose {
  kTraining,
  kUse,         ///< a finished run: nothing is prepared that only training needs
  kOtherGraph,  ///< a finished run's model on another graph: nothing is split, learnt or evaluated there
};

/// Anchors that are known already: a list for the model, or for a fused one a list for each expert (empty for those
/// that have none).
using AnchorLists = std::vector<std::vector<NodeId>>;

struct GIR_API ExperimentOptions {
  Purpose purpose = Purpose::kTraining;
  std::optional<AnchorLists> anchors = {};   ///< known already (those of a finished run): none are selected
  std::optional<std::int64_t> classes = {};  ///< of the model; default: as many as the data set's labels have
};

/// One run: everything between a data set and a figure. The split comes first, and whatever comes after it sees the
/// split's message graph and no other.
class GIR_API Experiment {
 public:
  /// `dataset` must outlive it, and `config` must be resolved. All of its work is done under `context`; a memory budget
  /// in the configuration has precedence over the context's. UserError for data that the task cannot use.
  Experiment(const Dataset& dataset, RunConfig config, const Context& context = {},
             const ExperimentOptions& options = {});

  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;

  const RunConfig& config() const { return config_; }
  const Context& context() const { return context_; }
  Task task() const { return task_; }
  const Graph& message_graph() const { return *message_graph_; }
  const AnchorSelection& anchors() const { return anchors_; }  ///< of a fused model: those of all its experts
  AnchorLists anchor_lists() const;
  const NodeSplit& node_split() const { return nodes_; }                       ///< of nc
  const PairSplit* pair_split() const { return pairs_ ? &*pairs_ : nullptr; }  ///< of a pair task
  Model& model() { return *model_; }
  Trainer& trainer() { return *trainer_; }
  const PairDecoder* decoder() const { return decoder_.get(); }              ///< of a pair task
  const PairDescription& pair_description() const { return *description_; }  ///< of a pair task

  /// Tensors of model and decoder: what a finished run keeps.
  std::vector<NamedTensor> tensors() const;

  /// Brings an expert of a fused model to the end of its own training.
  using ExpertTrainer = std::function<void(Experiment& expert, const Trainer::Observer& observer)>;

  /// Trains to the end and judges the best epoch. A fused model's experts are trained first where its settings say so
  /// and its own training has not begun, by `train_expert` where there is one. UserError when the loss is not a number
  /// before any epoch was judged. Interrupted when the observer throws it before the experts are ready: there is no
  /// model yet.
  RunResult run(const Trainer::Observer& observer = {}, const ExpertTrainer& train_expert = {});

  /// Judges the model as it is.
  RunResult evaluate();

  /// Vectors and outputs of all nodes by the model as it is, without gradients, on the device that computes.
  ModelOutput forward();

  /// Threads that an epoch makes use of, where there are as many: small graphs are done faster by one.
  int useful_threads() const { return threads_; }

 private:
  void split();
  void hide_edges();
  void learn_feature_scale();
  std::span<const Graph> training_graphs() const {
    return hidden_ ? std::span<const Graph>(hidden_->graphs) : std::span<const Graph>();
  }
  void choose_anchors(const std::optional<AnchorLists>& anchors);
  void make_experts(const ExperimentOptions& options);
  void make_model(std::int64_t classes);
  void train_experts(const Trainer::Observer& observer, const ExpertTrainer& train_expert);
  void make_objective();

  const Dataset& dataset_;
  RunConfig config_;
  Context context_;
  Task task_;
  NodeSplit nodes_;
  std::optional<PairSplit> pairs_;
  std::optional<HiddenEdges> hidden_;
  const Graph* message_graph_ = nullptr;
  AnchorSelection anchors_;
  std::vector<std::unique_ptr<Experiment>> experts_;
  std::unique_ptr<Model> model_;
  std::optional<PairDescription> description_;
  std::unique_ptr<PairDecoder> decoder_;
  std::unique_ptr<Objective> objective_;
  std::unique_ptr<Trainer> trainer_;
  int threads_ = 1;  ///< that are of use
};

/// Whether a run with these settings looks at anchors.
GIR_API bool uses_anchors(const RunConfig& config);

/// InternalError where an edge that is judged is among the edges that messages travel along. Every link prediction
/// run asks.
GIR_API void check_for_leaks(const PairSplit& split, const Graph& message_graph);

}  // namespace gir
