#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/context.h"
#include "gir/core/enum_names.h"
#include "gir/core/export.h"
#include "gir/core/registry.h"
#include "gir/data/dataset.h"
#include "gir/data/task.h"
#include "gir/learn/trainer.h"
#include "gir/models/model.h"

namespace gir {

/// What becomes of a fused model's experts.
enum class ExpertTraining {
  kFrozen,  ///< trained by themselves first, then left as they are
  kTuned,   ///< trained by themselves first, then on together with the gate
  kJoint,   ///< trained together with the gate from the beginning
};

template <>
struct EnumNames<ExpertTraining> {
  static constexpr std::string_view kKind = "training of experts";
  static constexpr auto kAll = enum_names<ExpertTraining>(
      {{ExpertTraining::kFrozen, "frozen"}, {ExpertTraining::kTuned, "tuned"}, {ExpertTraining::kJoint, "joint"}});
};

/// Settings by name, as text.
using SettingValues = std::map<std::string, std::string>;

/// One expert of a fused model: "gir:layers=5:anchors=64" is a model and the settings in which it differs from the
/// fused one. Until resolve() has looked into it, an expert that is given as the folder of a finished run has no model.
struct GIR_API ExpertSpec {
  std::string model = {};
  SettingValues settings = {};
  std::filesystem::path folder = {};  ///< of a finished run that resolve() has not looked into yet

  std::string text() const;
};

/// What only fused models have: which experts, and how gate and experts are trained.
struct GIR_API FusionSettings {
  std::vector<ExpertSpec> experts;  ///< none: not fused
  std::vector<std::string> runs;    ///< folders of finished runs that they come from, one for each, "" for those that
                                    ///< are trained here; empty: all are
  std::string cache;                ///< folder that keeps trained experts for other runs; empty: the run's own
  ExpertTraining training = ExpertTraining::kFrozen;
  double weight_regularisation = 0.01;  ///< FWR
  bool expert_losses = false;           ///< add the experts' own losses to the fused one
};

/// Everything that one training run depends on. Together with the graph's files it gives the same bits again.
struct GIR_API RunConfig {
  DataRequest data;
  std::string task;  ///< "nc", "lp" or "npc"; empty: what the data set is for
  std::string model = "gir-a";
  ModelOptions shape = {.hidden = 0, .anchor_sets = 0};  ///< 0: what the data set comes with
  std::string strategy = "ga-mpca";
  std::string fill = "degree";  ///< strategy that tops the anchors up; empty: none
  std::int64_t anchors = 0;     ///< 0: what the data set comes with
  std::string anchor_file;      ///< strategy `file`
  std::string objective;        ///< what is learnt; empty: default_objective() of the task
  std::string decoder = "mlp";
  double decoder_dropout = 0;
  std::string pair_features;      ///< names with commas between them; empty: none
  std::int64_t hidden_parts = 0;  ///< lp: parts in which training edges are hidden from messages; 0: none
  std::int64_t epoch_pairs = 0;   ///< lp, npc: positives that an epoch draws; 0: all of them
  FusionSettings fusion;
  bool class_weights = false;
  TrainerOptions training;
  std::int64_t checkpoint_every = 0;  ///< epochs; 0: none
  double memory_budget = 0;           ///< GiB; 0: most of what the machine or the GPU has
  std::uint64_t seed = 0;             ///< of the model and its training
  std::string seed_stream;            ///< models of one seed begin differently where this differs
  std::uint64_t split = 0;            ///< number of the split
  bool official_split = false;        ///< use the one that the data comes with
};

/// The numbers that a setting can have.
struct GIR_API Bounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool without_least = false;  ///< more than `least`
  bool without_most = false;   ///< less than `most`

  bool contain(double value) const;

  /// "at least 0 and less than 1"
  std::string text() const;
};

/// One thing that can be set: a key of configuration files and, with dashes before it, a flag of the program.
struct GIR_API Setting {
  std::string name;         ///< "weight-decay"
  std::string group;        ///< under which help lists it
  std::string summary;      ///< names other settings in `backticks`
  std::string type;         ///< "N", "REAL", "NAME", "FILE"; "" for a switch
  Bounds bounds = {};       ///< of numbers
  std::string listed = {};  ///< what lists the names it can have, where they are many: "models", "strategies"
  void (*set)(RunConfig& config, const std::string& value) = nullptr;
  std::string (*get)(const RunConfig& config) = nullptr;
};

/// All settings.
GIR_API const std::vector<Setting>& settings();

/// The one of this name. UserError that lists the known ones where there is none.
GIR_API const Setting& find_setting(std::string_view name);

/// Sets one by its name. UserError for unknown names and values that cannot be.
GIR_API void set(RunConfig& config, std::string_view name, const std::string& value);

/// The part of settings that says which data to read, and how.
GIR_API DataRequest data_request(const SettingValues& given);

/// A common set of settings for all models. Recipes register themselves; adding one is one file.
struct GIR_API Recipe {
  static constexpr std::string_view kKind = "recipe";

  std::string name;
  std::string summary;
  SettingValues values;                                   ///< for all tasks
  std::map<std::string, SettingValues> task_values = {};  ///< by task, over the former
};

/// The recipe's settings, the model's own, then `given`, what the user set (later ones win); what is still open after
/// that is what the data set comes with. UserError for settings that are unknown or cannot be.
GIR_API RunConfig resolve(std::string_view recipe, const SettingValues& given, const Dataset& dataset);

/// Hash of everything that a run depends on: its settings (but not where its data or its cache of experts lie, how
/// often it is saved and how much memory it may take), the data's content, which `data` is the fingerprint of, the
/// program's version and, where it is not the CPU, the kind of device and its precision.
GIR_API std::string run_fingerprint(RunConfig config, std::string_view data, const Context& context);

/// The settings in a configuration file: a JSON object of names and values, such as config.json of a run directory.
/// UserError with the file's name for unknown names and values that cannot be.
GIR_API SettingValues read_settings(const std::filesystem::path& path);

/// All settings of a configuration as such a file.
GIR_API std::string settings_text(const RunConfig& config);

}  // namespace gir
