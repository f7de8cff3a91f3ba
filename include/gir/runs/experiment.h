#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gir/anchors/anchors.h"
#include "gir/core/export.h"
#include "gir/core/progress.h"
#include "gir/data/dataset.h"
#include "gir/data/split.h"
#include "gir/learn/decoder.h"
#include "gir/learn/objective.h"
#include "gir/learn/trainer.h"
#include "gir/models/model.h"
#include "gir/runs/baselines.h"
#include "gir/runs/reach.h"
#include "gir/runs/run_config.h"

namespace gir {

/// The result of a run.
struct GIR_API RunResult {
  std::string dataset;
  Task task = Task::kNodeClassification;
  std::string model;
  std::string metric;  ///< name of the main metric: that which selects the epoch, or the objective's if the loss does
  Metrics valid;       ///< of the best epoch
  Metrics test;        ///< of the best epoch; evaluated once, after training; empty without a test set and
                       ///< with ExperimentOptions::validation_only
  std::int64_t best_epoch = 0;
  std::int64_t epochs = 0;  ///< completed
  std::uint64_t seed = 0;
  std::uint64_t split = 0;
  std::string split_fingerprint = {};  ///< of the files of `split-from`, or of a published split
  std::string messages = {};           ///< of link prediction: name of MessageEdges
  bool refit = false;                  ///< test metrics are those of a last training on training and validation data
  double seconds = 0;
  double prepare_seconds = 0;   ///< before the first epoch, not part of `seconds`: splits, anchors, features, trees
  std::int64_t parameters = 0;  ///< number of trained values
  std::int64_t anchors = 0;
  bool interrupted = false;
  std::int64_t bad_epoch = 0;  ///< first epoch with a NaN or infinite loss, which ended the training; 0: none
  std::string device = "cpu";  ///< device and precision: Context::mark()
  std::vector<std::string> experts = {};  ///< of a fused model
  std::string select_by = {};             ///< RunConfig::select_by
  Reach reach = {};
  std::vector<Baseline> baselines = {};    ///< of lp
  std::vector<std::string> warnings = {};  ///< what a user should know: one sentence each, with a remedy in brackets
};

/// What an experiment is constructed for.
enum class Purpose {
  kTraining,
  kUse,         ///< evaluation and prediction of a finished run; nothing is prepared that only training needs
  kRefit,       ///< the last training of a run with `refit`, on training and validation data together
  kOtherGraph,  ///< inference of an inductive model on another graph; no split, no training, no evaluation
};

/// Given anchors: one list for a model, or one list per expert of a fused model (empty for experts without anchors).
using AnchorLists = std::vector<std::vector<NodeId>>;

struct GIR_API ExperimentOptions {
  Purpose purpose = Purpose::kTraining;
  std::optional<AnchorLists> anchors = {};   ///< use these, such as those of a finished run, instead of selecting
                                             ///< anchors
  std::optional<std::int64_t> classes = {};  ///< number of output classes; default: that of the labels of the data set
  std::int64_t epochs = 0;                   ///< of Purpose::kRefit
  const Graph* message_graph = nullptr;  ///< for Purpose::kUse: messages travel along the edges of this graph, which
                                         ///< must outlive the experiment; then no split and no evaluation
  bool validation_only = false;          ///< to select settings: only the validation metrics are computed, and the
                                         ///< test set is never evaluated
  ProgressCallback progress = {};  ///< called before every step of the preparation and, with `done` == `total`, after
                                   ///< the last; also of experts and of the last training with `refit`
};

/// One run: everything from a data set to its metrics. The data is split first, and everything after that (anchor
/// selection, distances, features, messages) sees only the message graph of the split, so that there is no leakage.
class GIR_API Experiment {
 public:
  /// `dataset` must outlive the experiment, and `config` must be resolved. All work is done under `context`; a memory
  /// budget in the configuration takes precedence over that of the context. UserError for data that the task cannot
  /// use.
  Experiment(const Dataset& dataset, RunConfig config, const Context& context = {},
             const ExperimentOptions& options = {});

  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;

  const RunConfig& config() const { return config_; }
  const Context& context() const { return context_; }
  Task task() const { return task_; }

  // Once the last training of a run with `refit` has begun, the following are those of that training.

  const Graph& message_graph() const { return *last().message_graph_; }
  const std::vector<std::unique_ptr<Experiment>>& experts() const { return experts_; }  ///< of a fused model
  const AnchorSelection& anchors() const { return last().anchors_; }  ///< of a fused model: those of all its experts
  AnchorLists anchor_lists() const;
  const NodeSplit& node_split() const { return last().nodes_; }                              ///< of nc
  const PairSplit* pair_split() const { return last().pairs_ ? &*last().pairs_ : nullptr; }  ///< of a pair task
  Model& model() { return *last().model_; }
  const Model& model() const { return *last().model_; }
  Trainer& trainer() { return *last().trainer_; }
  const PairDecoder* decoder() const { return last().decoder_.get(); }              ///< of a pair task
  const PairDescription& pair_description() const { return *last().description_; }  ///< of a pair task

  /// All parameters and buffers of model and decoder, as saved with a finished run.
  std::vector<NamedTensor> tensors() const;

  /// Trains an expert of a fused model to completion, or loads it.
  using ExpertTrainer = std::function<void(Experiment& expert, const Trainer::Observer& observer)>;

  /// Called before the last training of a run with `refit`, for instance to load a checkpoint.
  using RefitObserver = std::function<void(Experiment& refit)>;

  /// Trains the remaining epochs and evaluates the best one. The experts of a fused model are trained first, with
  /// `train_expert` if given, unless its own training has already started or its settings train them jointly. UserError
  /// if the loss becomes NaN or infinite before the first evaluation. Throws Interrupted if the observer does so while
  /// experts are trained, since there is no fused model yet; later interruptions are reported in the result.
  ///
  /// With `refit`, the model is then trained once more from the start on training and validation data, for as many
  /// epochs as the best one and with the same schedule. Its epochs are reported with the stage kRefitStage, test data
  /// is evaluated once, after that, and an interruption throws.
  RunResult run(const Trainer::Observer& observer = {}, const ExpertTrainer& train_expert = {},
                const RefitObserver& before_refit = {});

  static constexpr std::string_view kRefitStage = "refit";

  /// Evaluates the model with its current parameters. Where the configuration says so, messages travel along more edges
  /// when test pairs are scored than when validation pairs are (MessageEdges).
  RunResult evaluate();

  /// The model with its current parameters and anchors, with messages along the edges of another graph on the same
  /// nodes, which must outlive the result: for embeddings and predictions. Everything that is computed on the graph is
  /// computed again: distances, frontiers, structural features, pair features; and with `settle-norms` the statistics
  /// of batch norms.
  std::unique_ptr<Experiment> with_messages(const Graph& graph) const;

  /// The same with some of the edges of the data; of link prediction.
  std::unique_ptr<Experiment> with_messages(MessageEdges edges) const;

  /// The model with the message edges of the test set; null where those are the message graph of the experiment itself.
  std::unique_ptr<Experiment> with_test_messages() const;

  /// Embeddings and outputs of all nodes with the current parameters, without gradients, on the device of the context.
  ModelOutput forward();

  /// What the user should know about the split.
  const std::vector<std::string>& notes() const { return notes_; }

  /// The largest number of threads that speeds up an epoch: on small graphs a single thread is fastest.
  int useful_threads() const { return threads_; }

 private:
  void prepare(const ExperimentOptions& options);
  void report_step(std::string_view step) const;
  void split();
  void join_training_and_validation();
  bool has_validation() const { return pairs_ ? !pairs_->valid().positives.empty() : !nodes_.valid.empty(); }
  void hide_edges();
  void gather_pairs();
  std::span<const Graph> training_graphs() const {
    return hidden_ ? std::span<const Graph>(hidden_->graphs) : std::span<const Graph>();
  }
  void choose_anchors(const std::optional<AnchorLists>& anchors);
  void make_experts(const ExperimentOptions& options);
  void make_model(std::int64_t classes);
  void train_experts(const Trainer::Observer& observer, const ExpertTrainer& train_expert);
  void fit_to_classes();
  void describe_pairs();
  std::unique_ptr<Objective> make_objective(const PairDescription* description) const;
  Metrics evaluate_test(const ModelOutput& output);
  RunResult evaluate(bool with_test);
  RunResult fit(const Trainer::Observer& observer, const ExpertTrainer& train_expert);
  RunResult refit(RunResult chosen, const Trainer::Observer& observer, const RefitObserver& before_refit);
  const Experiment& last() const { return refit_ ? *refit_ : *this; }
  Experiment& last() { return refit_ ? *refit_ : *this; }

  const Dataset& dataset_;
  RunConfig config_;
  Context context_;
  Task task_;
  NodeSplit nodes_;
  std::optional<PairSplit> pairs_;
  std::string split_fingerprint_;  ///< of the files of the split, read when it was made
  std::vector<std::string> notes_;
  std::optional<HiddenEdges> hidden_;
  const Graph* message_graph_ = nullptr;
  AnchorSelection anchors_;
  std::vector<std::unique_ptr<Experiment>> experts_;
  std::unique_ptr<Model> model_;
  std::optional<PairDescription> description_;
  std::optional<PairPool> pool_;  ///< training pairs, where pairs have features
  std::unique_ptr<PairDecoder> decoder_;
  std::unique_ptr<Objective> objective_;
  std::unique_ptr<Trainer> trainer_;
  int threads_ = 1;                                 ///< useful_threads()
  std::unique_ptr<const Graph> own_message_graph_;  ///< of with_messages(), where it is a graph made for it
  std::unique_ptr<Experiment> refit_;
  bool infers_only_ = false;  ///< there is no split, no objective and no trainer
  bool validation_only_;      ///< see ExperimentOptions
  ProgressCallback progress_;
  double prepare_seconds_ = 0;
};

/// Whether the model or the pair features of a run use anchors.
GIR_API bool uses_anchors(const RunConfig& config);

/// InternalError if the graph whose edges carry messages when the pairs of `evaluated` are scored has an edge that
/// would give answers away: a test edge in any case; a validation edge when validation pairs are scored, and with
/// MessageEdges::kTrain also when test pairs are. Checked in every link prediction run, for every such graph.
GIR_API void check_for_leaks(const PairSplit& split, const Graph& message_graph,
                             EvaluationSet evaluated = EvaluationSet::kValid,
                             MessageEdges edges = MessageEdges::kTrain);

}  // namespace gir
