#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/context.h"
#include "gir/core/enum_names.h"
#include "gir/core/export.h"
#include "gir/core/registry.h"
#include "gir/data/dataset.h"
#include "gir/data/split.h"
#include "gir/data/task.h"
#include "gir/learn/trainer.h"
#include "gir/models/model.h"

namespace gir {

/// How the experts of a fused model are trained.
enum class ExpertTraining {
  kFrozen,  ///< trained separately first, then frozen
  kTuned,   ///< trained separately first, then fine-tuned with the gate
  kJoint,   ///< trained with the gate only
};

template <>
struct EnumNames<ExpertTraining> {
  static constexpr std::string_view kKind = "training of experts";
  static constexpr auto kAll = enum_names<ExpertTraining>(
      {{ExpertTraining::kFrozen, "frozen"}, {ExpertTraining::kTuned, "tuned"}, {ExpertTraining::kJoint, "joint"}});
};

/// The edges that carry messages when pairs are scored (link prediction). Pairs of the validation set are always scored
/// with the training edges alone.
enum class MessageEdges {
  kTrain,  ///< the training edges
  kKnown,  ///< when test pairs are scored, training and validation edges: as SEAL, WalkPool and OGB do
  kAll,    ///< all edges that the user gave, where nothing is evaluated (embeddings, predictions); otherwise as kKnown
};

template <>
struct EnumNames<MessageEdges> {
  static constexpr std::string_view kKind = "message edges";
  static constexpr auto kAll = enum_names<MessageEdges>(
      {{MessageEdges::kTrain, "train"}, {MessageEdges::kKnown, "known"}, {MessageEdges::kAll, "all"}});
};

/// Settings by name, as text.
using SettingValues = std::map<std::string, std::string>;

/// One expert of a fused model: "gir:layers=5:anchors=64" is a model with the settings that differ from those of the
/// fused model. An expert given as the folder of a finished run has no model until resolve() has read the run.
struct GIR_API ExpertSpec {
  std::string model = {};
  SettingValues settings = {};
  std::filesystem::path folder = {};  ///< of a finished run that resolve() has not read yet

  std::string text() const;
};

/// Settings of fused models: the experts, and how gate and experts are trained.
struct GIR_API FusionSettings {
  std::vector<ExpertSpec> experts;  ///< none: not fused
  std::vector<std::string> runs;    ///< folders of the finished runs that the experts come from, one per expert, "" for
                                    ///< experts trained in this run; empty: all are trained in this run
  std::string cache;                ///< folder of trained experts, shared with other runs; empty: `experts` in the run
                                    ///< directory
  ExpertTraining training = ExpertTraining::kFrozen;
  double weight_regularisation = 0.01;  ///< FWR: pulls the gate weights towards the experts with the smaller losses
  bool expert_losses = false;           ///< add the losses of the experts to the loss of the fused model
};

/// Everything that a training run depends on. Together with the files of the graph it makes a run reproducible,
/// bit-identically.
struct GIR_API RunConfig {
  DataRequest data;
  std::string task;  ///< "nc", "lp" or "npc"; empty: the default task of the data set
  std::string model = "gir-a";
  ModelOptions shape = {.hidden = 0, .anchor_sets = 0};  ///< 0: the default of the data set
  std::string strategy = "ga-mpca";
  std::string fill = "degree";  ///< second strategy, which fills up the anchors if the first one selects too few;
                                ///< empty: none
  std::int64_t anchors = 0;     ///< 0: the default of the data set
  std::string anchor_file;      ///< for the strategy `file`
  std::string objective;        ///< empty: default_objective() of the task
  std::string select_by;        ///< validation metric that selects the epoch, or "loss"; empty: that of the objective
  std::string decoder = "mlp";
  double decoder_dropout = 0;
  std::string pair_features;       ///< comma-separated names; empty: none
  std::int64_t hidden_parts = 0;   ///< lp: number of parts of the supervision edges, which are removed from the message
                                   ///< graph in turn; 0: not removed
  std::int64_t hidden_rounds = 1;  ///< lp: how often the supervision edges are divided into such parts
  std::int64_t hidden_views = 0;   ///< lp: that many parts of all rounds supervise; 0: all of them
  std::int64_t epoch_pairs = 0;    ///< lp, npc: positives sampled per epoch; 0: all
  FusionSettings fusion;
  bool class_weights = false;
  TrainerOptions training;
  std::int64_t checkpoint_every = 0;  ///< epochs between checkpoints; 0: none
  double memory_budget = 0;           ///< GiB; 0: most of the memory of the machine or the GPU
  std::uint64_t seed = 0;             ///< of the model and its training
  std::string seed_stream;            ///< models with the same seed and different values are initialised differently
  std::uint64_t split = 0;            ///< number of the split
  std::optional<SplitShares> split_shares;  ///< unset: default_shares() of the task
  MessageEdges messages = MessageEdges::kTrain;
  bool refit = false;  ///< after the best epoch is known, train once more on training and validation data together
  bool official_split = false;  ///< use the split that comes with the data
};

/// The range of a numeric setting.
struct GIR_API Bounds {
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool exclusive_minimum = false;  ///< values must be greater than `minimum`
  bool exclusive_maximum = false;  ///< values must be less than `maximum`

  bool contain(double value) const;

  /// "at least 0 and less than 1"
  std::string text() const;
};

/// Headings of settings in help texts.
enum class SettingGroup { kData, kModel, kAnchors, kFusion, kTraining };

template <>
struct EnumNames<SettingGroup> {
  static constexpr std::string_view kKind = "group of settings";
  static constexpr auto kAll = enum_names<SettingGroup>({{SettingGroup::kData, "Data"},
                                                         {SettingGroup::kModel, "Model"},
                                                         {SettingGroup::kAnchors, "Anchors"},
                                                         {SettingGroup::kFusion, "Fusion"},
                                                         {SettingGroup::kTraining, "Training"}});
};

/// What a setting says about the data to read.
enum class DataRole {
  kNone,
  kFile,     ///< where a file of the graph is
  kReading,  ///< how the files of the graph are read
  kSplit,    ///< where the split is
};

/// Where a setting may have values of its own, and what depends on it.
struct SettingScope {
  DataRole data = DataRole::kNone;
  bool of_expert = true;   ///< every expert of a fused model may have its own value
  bool of_model = true;    ///< every model of a comparison may have its own value; those of the group Fusion only where
                           ///< the model is a fused one
  bool searchable = true;  ///< different values can be compared by their validation metrics
  bool newer = false;      ///< added since the training rules were last changed: configurations of earlier runs lack it
                           ///< and were trained with its plain default, and so do fingerprints
};

/// One setting: a key of configuration files, and a flag of the program.
struct GIR_API Setting {
  std::string name;  ///< "weight-decay"
  SettingGroup group;
  std::string summary;      ///< for the help text; names other settings in `backticks`
  std::string type;         ///< "N", "REAL", "NAME", "FILE"; "" for a boolean setting
  Bounds bounds = {};       ///< of numeric settings
  std::string listed = {};  ///< registry whose names are the possible values, if there are many: "models", "strategies"
  SettingScope scope = {};
  void (*set)(RunConfig& config, const std::string& value) = nullptr;
  std::string (*get)(const RunConfig& config) = nullptr;
};

/// All settings.
GIR_API const std::vector<Setting>& settings();

/// The setting with this name. UserError that lists the known settings if there is none.
GIR_API const Setting& find_setting(std::string_view name);

/// Sets one setting. UserError for unknown names and invalid values.
GIR_API void set(RunConfig& config, std::string_view name, const std::string& value);

/// The settings that specify which data to read, and how.
GIR_API DataRequest data_request(const SettingValues& given);

/// A common set of settings for all models. Recipes register themselves; adding one takes one file.
struct GIR_API Recipe {
  static constexpr std::string_view kKind = "recipe";

  std::string name;
  std::string summary;
  SettingValues values;                                    ///< for all tasks
  std::map<std::string, SettingValues> task_values = {};   ///< by task; override `values`
  std::map<std::string, SettingValues> model_values = {};  ///< by model; override also the model's own settings
  std::int64_t max_hidden = 0;  ///< that the learning rate is for: wider models get a lower one, in inverse proportion
  void (*adapt)(RunConfig& config,
                const Graph& graph) = nullptr;  ///< sets what depends on the graph, such as the model
  std::string (*note)(const Graph& graph) =
      nullptr;  ///< what the user should know about that, where the model is not given; may be empty
};

constexpr std::string_view kRecipeOfNamedData = "paper";
constexpr std::string_view kRecipeOfOtherGraphs = "auto";

/// The recipe of a data set where none is given: one of the two above.
GIR_API std::string_view default_recipe(const Dataset& dataset);

/// The complete configuration of a run: the settings of the recipe (default_recipe() where the name is empty), then
/// those of the model, then `given`, those of the user (later ones take precedence); settings that are still unset take
/// the default of the data set. UserError for unknown settings and invalid values.
GIR_API RunConfig resolve(std::string_view recipe, const SettingValues& given, const Dataset& dataset);

/// The main metric of a run with these settings (RunResult::metric).
GIR_API std::string main_metric(const RunConfig& config);

/// Settings among `given` that a configuration does not use, such as those of anchors for a model without any: one
/// sentence each, which says why.
GIR_API std::vector<std::string> unused_settings(const RunConfig& config, const SettingValues& given);

/// Hash of everything that a run depends on: its settings (except the locations of data, anchor file and expert cache,
/// the checkpoint interval and the memory budget), the content of the data, given by its fingerprint `data`, the
/// version of gir and, unless it is the CPU, the device type and precision.
GIR_API std::string run_fingerprint(RunConfig config, std::string_view data, const Context& context);

/// Reads a configuration file, such as config.json of a run directory; that of an older run gets the plain defaults of
/// newer settings. Files of a moved run directory that no longer exist are looked for where they would be if moved with
/// it, then in it and beside it. UserError with the name of the file for unknown names and invalid values.
GIR_API SettingValues read_settings(const std::filesystem::path& path);

/// All settings of a configuration in the format of such a file. If some of them are paths, the file also contains
/// `run_folder`, so that read_settings() finds them after a move.
GIR_API std::string settings_text(const RunConfig& config, const std::filesystem::path& run_folder = {});

/// The same for some of the settings.
GIR_API std::string settings_text(const RunConfig& config, const std::set<std::string>& names);

}  // namespace gir
