#include "run_flags.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "../flag_text.h"
#include "../live_line.h"
#include "flag_defaults.h"
#include "gir/core/error.h"
#include "gir/runs/experiment.h"
#include "gir/runs/model_spec.h"

namespace gir::cli {
namespace {

std::string help_text(const Setting& setting) {
  const std::string summary = with_flags(setting.summary);
  return setting.listed.empty() ? summary : fmt::format("{} (gir info {})", summary, setting.listed);
}

/// The error message for an invalid value of a boolean flag (`--flag=TEXT`); empty for valid ones.
std::string check_boolean(const std::string& text) {
  static const std::set<std::string> known = {"true", "false", "on", "off", "yes", "no", "1", "0"};
  return known.contains(text) ? "" : fmt::format("{} [true or false]", quoted(text));
}

void add_boolean(CLI::App& command, RunFlags& flags, const Setting& setting) {
  const std::string value = default_text(setting);
  const std::string summary = help_text(setting) + (value.empty() ? "" : fmt::format(" [{}]", value));
  command
      .add_flag_function(
          "--" + setting.name,
          [&flags, name = setting.name](std::int64_t given) { flags.flags[name] = given > 0 ? "true" : "false"; },
          summary)
      ->check(check_boolean, "")
      ->group(std::string(name_of(setting.group)));
  if (setting.name != "directed") return;
  command
      .add_flag_callback(
          "--undirected", [&flags] { flags.flags["directed"] = "false"; },
          "Treat edges as undirected, even if the file has directed edges")
      ->group(std::string(name_of(setting.group)));
}

void add_option(CLI::App& command, RunFlags& flags, const Setting& setting) {
  const std::string words = setting.name == "graph" ? "--graph,--dataset" : "--" + setting.name;
  command
      .add_option_function<std::string>(
          words, [&flags, name = setting.name](const std::string& text) { flags.flags[name] = text; },
          help_text(setting))
      ->default_str(default_text(setting))
      ->type_name(setting.type)
      ->group(std::string(name_of(setting.group)));
}

/// Removes settings that belong to the model of the configuration or to one of the `wanted` models, which replace it.
void remove_model_settings(SettingValues& values, const std::vector<std::string>& wanted) {
  const std::string before = Registry<ModelEntry>::get(values.at("model")).name;
  const auto remove = [&](const ModelEntry& entry) {
    for (const auto& [name, value] : entry.settings) values.erase(name);
  };
  for (const std::string& name : wanted) {
    const ModelEntry& entry = Registry<ModelEntry>::get(name);
    if (entry.name == before) continue;
    remove(Registry<ModelEntry>::get(before));
    remove(entry);
    for (const Setting& setting : settings()) {
      if (setting.group == SettingGroup::kFusion) values.erase(setting.name);
    }
  }
}

/// The settings of the flags, with those of --model gir-a:layers=5 as if they had flags of their own.
SettingValues with_model_settings(SettingValues flags) {
  const auto flag = flags.find("model");
  if (flag == flags.end() || flag->second.find(':') == std::string::npos) return flags;
  const ModelSpec spec = parse_model_spec(flag->second, SpecUse::kRun);
  flag->second = spec.model;
  for (const auto& [name, value] : spec.settings) {
    if (!flags.emplace(name, value).second) {
      throw UserError("`{}` is given twice, for the model {} and for the run [omit one of them]", name, spec.text());
    }
  }
  return flags;
}

}  // namespace

SettingValues RunFlags::given(std::vector<std::string> models) const {
  SettingValues values = config_file.empty() ? SettingValues() : read_settings(config_file);
  const SettingValues chosen = with_model_settings(flags);
  if (const auto flag = chosen.find("model"); flag != chosen.end()) models = {flag->second};
  if (chosen.contains("experts")) {
    values.erase("expert-runs");  // those of the experts in the file
    if (models.empty()) models = {plain_fused_model()};
  }
  if (values.contains("model")) remove_model_settings(values, models);
  for (const auto& [name, value] : chosen) values[name] = value;
  return values;
}

void add_run_flags(CLI::App& command, RunFlags& flags, RunScope scope) {
  static const std::map<RunScope, std::set<std::string>> omitted = {
      {RunScope::kOneRun, {}},
      {RunScope::kManyRuns, {"graph", "model", "seed", "split", "checkpoint-every"}},
      {RunScope::kSearch, {"checkpoint-every"}}};
  command
      .add_option("--recipe", flags.recipe,
                  "Recipe: common settings to start from (gir info recipes); default: paper for data sets known by "
                  "name, auto for other graphs (its defaults are marked \"auto\" below; on large graphs it "
                  "chooses cheaper ones and prints them)")
      ->type_name("NAME");
  command
      .add_option("--config", flags.config_file,
                  "Configuration file, such as config.json of a run; flags take precedence")
      ->type_name("FILE");
  for (const Setting& setting : settings()) {
    if (omitted.at(scope).contains(setting.name)) continue;
    setting.type.empty() ? add_boolean(command, flags, setting) : add_option(command, flags, setting);
  }
}

std::string chosen_settings(const Experiment& experiment, const SettingValues& given) {
  std::vector<std::string> flags;
  for (const char* name : {"model", "layers", "hidden", "anchors", "strategy", "positions", "messages", "epoch-pairs",
                           "epochs", "patience"}) {
    const std::string_view text = name;
    const bool of_anchors = text == "anchors" || text == "strategy";
    if (given.contains(name) || (of_anchors && !uses_anchors(experiment.config()))) continue;
    if (text == "epochs" && experiment.config().training.epochs == TrainerOptions().epochs) continue;
    if (text == "messages" && experiment.task() != Task::kLinkPrediction) continue;
    const std::string value = text == "anchors" ? std::to_string(experiment.anchors().anchors.size())
                                                : find_setting(name).get(experiment.config());
    if (value != "0" && value != "none") flags.push_back(fmt::format("--{} {}", name, value));
  }
  return join(flags, " ");
}

std::string recipe_note(std::string_view recipe, const Graph& graph, const SettingValues& given) {
  const Recipe& entry = Registry<Recipe>::get(recipe);
  return entry.note == nullptr || given.contains("model") ? "" : entry.note(graph);
}

std::string device_flags(std::string_view mark) {
  if (mark == "cpu") return "";
  const std::string kind(mark.substr(0, mark.find(' ')));
  const std::string precision(mark.substr(std::min(mark.size(), mark.find_last_of(' ') + 1)));
  return fmt::format(" --device {} --precision {}", kind, precision);
}

std::vector<std::string> in_words(const SettingValues& values) {
  std::vector<std::string> words;
  for (const auto& [name, value] : values) words.push_back(name + " " + value);
  return words;
}

std::string metric_text(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4f}", value); }

Table metrics_table(const RunResult& result) {
  const char* valid = result.refit ? "validation before the refit" : "validation";
  Table table{.columns = {{"metric"}, {valid, true}, {"test", true}}, .rows = {}};
  const auto& test = result.test.values;  // none without a test set
  for (std::size_t i = 0; i < result.valid.values.size(); ++i) {
    const auto& [name, value] = result.valid.values[i];
    table.rows.push_back({name, metric_text(value), i < test.size() ? metric_text(test[i].second) : "-"});
  }
  return table;
}

std::vector<std::string> class_mean_notes(const RunResult& result, std::int64_t classes) {
  std::vector<std::string> notes;
  const auto add = [&](const char* set, const Metrics& metrics) {
    const auto found = std::find_if(metrics.values.begin(), metrics.values.end(),
                                    [](const auto& each) { return each.first == "macro_auc"; });
    if (found == metrics.values.end() || metrics.ranked_classes == classes) return;
    const bool undefined = std::isnan(found->second);
    if (!undefined && metrics.ranked_classes == 0) return;  // a run of an earlier version
    notes.push_back(
        undefined
            ? fmt::format("{} macro_auc and macro_ap are undefined (-): all nodes have the same class", set)
            : fmt::format("{} macro_auc and macro_ap are means over {} of {} classes: the others have no node there",
                          set, metrics.ranked_classes, classes));
  };
  add("validation", result.valid);
  add("test", result.test);
  return notes;
}

ProgressCallback preparation_progress(const Session& session) {
  using Clock = std::chrono::steady_clock;
  struct State {
    LiveLine line;
    Clock::time_point start = Clock::now();
    std::string step = {};
  };
  const auto state = session.quiet ? nullptr : std::make_shared<State>();
  return [&session, state](const Progress& progress) {
    session.stop_if_interrupted();
    if (!state) return;
    if (progress.total > 0) return state->line.erase();
    const double seconds = std::chrono::duration<double>(Clock::now() - state->start).count();
    const bool is_new = std::exchange(state->step, std::string(progress.what)) != progress.what;
    if (!state->line.due() && !(is_new && seconds >= 1)) return;
    state->line.show(fmt::format("preparation, {} so far: {}", duration_text(seconds), progress.what));
  };
}

Trainer::Observer training_progress(const Session& session) {
  using Clock = std::chrono::steady_clock;
  struct State {
    LiveLine line;
    Clock::time_point start = Clock::now();
    std::int64_t first_epoch = 0;
    std::string evaluation = {};
    std::string stage = {};
  };
  const auto state = session.quiet ? nullptr : std::make_shared<State>();
  session.stop_if_asked();
  return [&session, state](const EpochReport& report) {
    if (state) {
      if (state->stage != report.stage) {
        state->stage = report.stage;
        state->start = Clock::now();
        state->first_epoch = 0;
        state->evaluation.clear();
      }
      if (state->first_epoch == 0) state->first_epoch = report.epoch;
      if (report.valid != nullptr) {
        state->evaluation =
            fmt::format(", validation {} {:.4f} (best {:.4f} at {})", report.valid->values.front().first,
                        report.valid->main(), report.best_valid, report.best_epoch);
      }
      if (state->line.due()) {
        const double seconds = std::chrono::duration<double>(Clock::now() - state->start).count();
        const double rate = static_cast<double>(report.epoch - state->first_epoch + 1) / std::max(seconds, 1e-9);
        const std::string stage = state->stage.empty() ? "" : state->stage + ": ";
        state->line.show(fmt::format("{}epoch {} of {}, loss {:.4f}{}, {:.3g} epochs/s, {} left", stage, report.epoch,
                                     report.epochs, report.loss, state->evaluation, rate,
                                     duration_text(static_cast<double>(report.epochs - report.epoch) / rate)));
      }
      if (report.epoch == report.epochs) state->line.erase();
    }
    session.stop_if_asked();
  };
}

}  // namespace gir::cli
