#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "../flag_text.h"
#include "../graph_input.h"
#include "../live_line.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/runs/expert_cache.h"
#include "gir/runs/run_directory.h"
#include "learn_commands.h"
#include "run_flags.h"

namespace gir::cli {
namespace {

/// The arguments of `gir train`.
struct TrainRequest {
  RunFlags run;
  std::string output;
  std::string resume;
  bool overwrite = false;
};

/// What the parameters and the test metrics are of, where that is not the best epoch.
std::string refit_text(const RunResult& result) {
  if (!result.refit) return "";
  return fmt::format(
      "then trained once more on training and validation data, for {} epochs: {}files are those of that training, the "
      "validation metric is that of the model before it\n",
      result.best_epoch, result.test.values.empty() ? "" : "test metrics and ");
}

/// "test accuracy 0.8100, macro_f1 0.7900"
std::string test_text(const RunResult& result) {
  if (result.test.values.empty()) return "no test set";
  std::vector<std::string> parts;
  for (const auto& [name, value] : result.test.values) parts.push_back(name + " " + metric_text(value));
  return "test " + join(parts, ", ");
}

/// "all 34 nodes reached, all vectors different"
std::string reach_text(const RunResult& result, std::int64_t nodes) {
  const Reach& reach = result.reach;
  const std::string what = std::string(result.anchors > 0 ? "within reach of the anchors" : "receive messages") +
                           (reach.edges == "all" ? "" : fmt::format(" along {} edges", reach.edges));
  const std::string reached = reach.nodes == nodes
                                  ? fmt::format("all {} nodes {}", with_thousands(nodes), what)
                                  : fmt::format("{} of {} nodes ({:.1f} %) {}", with_thousands(reach.nodes),
                                                with_thousands(nodes), 100 * reach.share, what);
  if (reach.identical == 0 && reach.own_labels) return reached + "; every node has its own one-hot label\n";
  if (reach.identical == 0) return reached + ", all vectors are different\n";
  return reached + fmt::format(", {} have the same vector as another node\n", with_thousands(reach.identical));
}

/// "the same test pairs by common neighbors: 0.5871, by distance: 0.6345"
std::string baselines_text(const RunResult& result) {
  if (result.baselines.empty() || result.test.values.empty()) return "";
  std::vector<std::string> parts;
  for (const Baseline& each : result.baselines) {
    std::string name = each.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    parts.push_back(fmt::format("{} {:.4f}", name, each.test));
  }
  return "heuristics on the same test pairs: " + join(parts, ", ") + "\n";
}

/// " after 12 s of preparation"; empty if that was short.
std::string preparation_text(const RunResult& result) {
  return result.prepare_seconds < 1 ? ""
                                    : fmt::format(" after {} of preparation", duration_text(result.prepare_seconds));
}

std::string summary(const RunResult& result, const RunDirectory& directory, std::int64_t nodes) {
  return fmt::format("{} on {} ({}): {}", result.model, result.dataset, task_name(result.task), test_text(result)) +
         fmt::format(
             "\nvalidation {:.4f} at epoch {}, the best of {} epochs in {}{}; {} parameters, {} anchors\n{}{}{}"
             "wrote {}: model.safetensors, embeddings.npy with nodes.txt, {}metrics.jsonl, result.json\n",
             result.valid.main(), result.best_epoch, result.epochs, duration_text(result.seconds),
             preparation_text(result), with_thousands(result.parameters), result.anchors, refit_text(result),
             reach_text(result, nodes), baselines_text(result), directory.path().string(),
             result.experts.empty() ? "" : "gate.npy, ");
}

void report(const Session& session, const RunResult& result, const RunDirectory& directory, const Dataset& dataset) {
  if (session.format() == OutputFormat::kJson) {
    session.print(record_text(make_record(result, dataset)));
  } else if (session.format() == OutputFormat::kText) {
    session.print(summary(result, directory, dataset.data.graph.num_nodes()));
  } else {
    session.print(render(metrics_table(result), session.format()));
  }
  for (const std::string& note : class_mean_notes(result, dataset.data.labels.num_classes())) {
    session.note("note: " + note);
  }
  for (const std::string& warning : result.warnings) session.note("warning: " + with_flags(warning));
}

/// The settings of the run to resume; `given` may say where its data is now.
SettingValues resumed_settings(const TrainRequest& request, const SettingValues& given) {
  if (!request.run.recipe.empty() || request.overwrite) {
    throw UserError("--resume uses the settings and the folder of the run [omit {}]",
                    request.overwrite ? "--overwrite" : "--recipe");
  }
  const RunDirectory directory = RunDirectory::open(request.resume);
  for (const auto& [name, value] : given) {
    if (find_setting(name).scope.data == DataRole::kFile) continue;
    throw UserError(
        "--resume uses the settings of the run [omit --{}; only --graph, --features and --labels may be "
        "given, for data at another path]",
        name);
  }
  if (directory.finished() && !directory.interrupted()) {
    throw UserError(directory.path(), "the run is already finished [there is nothing to resume]");
  }
  SettingValues settings = directory_settings(directory);
  for (const auto& [name, path] : given) settings[name] = path;
  return settings;
}

/// The settings of the flags, or those of the run to resume.
SettingValues settings_of(const TrainRequest& request) {
  if (request.resume.empty() == request.output.empty()) {
    throw UserError("expected either -o DIR, to start a training, or --resume DIR, to continue one [give one of them]");
  }
  SettingValues given = request.run.given({});
  if (request.resume.empty()) {
    RunDirectory::check_new(request.output, request.overwrite);
  } else {
    given = resumed_settings(request, given);
  }
  if (!given.contains("graph") && !given.contains("split-from"))
    throw UserError("no graph is given [use --dataset NAME or --graph FILE; gir data list shows the names]");
  return given;
}

/// What to know before the training begins.
void print_choices(const Session& session, const TrainRequest& request, const Experiment& experiment,
                   const Dataset& dataset, const std::string& recipe, const SettingValues& given) {
  print_notes(session, dataset);
  if (const std::string chosen = chosen_settings(experiment, given);
      recipe == kRecipeOfOtherGraphs && !chosen.empty()) {
    session.note("chosen for this graph: " + chosen);
  }
  for (const std::string& sentence : unused_settings(experiment.config(), request.run.flags)) {
    session.note("note: " + sentence);
  }
  if (const std::string note = recipe_note(recipe, dataset.data.graph, given); !note.empty()) {
    session.note("note: " + note);
  }
  for (const std::string& note : experiment.notes()) session.note("note: " + note);
  for (const std::string& note : experiment.anchors().notes) session.note("note: " + note);
}

void train(const Session& session, const TrainRequest& request) {
  const bool resume = !request.resume.empty();
  const SettingValues given = settings_of(request);
  const Dataset dataset = read_graph(session, data_request(given));
  const std::string recipe = request.run.recipe.empty() ? std::string(default_recipe(dataset)) : request.run.recipe;
  Experiment experiment(dataset, resolve(recipe, given, dataset), session.context,
                        {.progress = preparation_progress(session)});
  print_choices(session, request, experiment, dataset, recipe, given);
  make_cache_folder(experiment.config().fusion.cache);
  const RunDirectory directory =
      resume ? RunDirectory::open(request.resume) : RunDirectory::create(request.output, request.overwrite);
  const std::string how_to_continue =
      fmt::format("gir train --resume {}{} continues from here", shell_word(directory.path().string()),
                  device_flags(session.context.mark()));
  const RunResult result = [&] {
    try {
      return train_in_directory(directory, experiment, dataset, {.resume = resume}, training_progress(session));
    } catch (const Interrupted&) {  // during the training of experts: there is no result yet
      session.note(how_to_continue);
      throw;
    }
  }();
  report(session, result, directory, dataset);
  if (result.bad_epoch > 0) {
    throw UserError(
        directory.path(),
        "the loss became NaN or infinite in epoch {}; the best model before that, of epoch {}, is kept [lower "
        "--lr or set --clip]",
        result.bad_epoch, result.best_epoch);
  }
  if (result.interrupted) {
    session.note(how_to_continue);
    throw Interrupted();
  }
}

void add_train_command(CLI::App& command, Session& session) {
  const auto request = std::make_shared<TrainRequest>();
  set_action(command, session, [&session, request] { train(session, *request); });
  command.add_option("-o,--output", request->output, "Folder for the run; must be new or empty")->type_name("DIR");
  command.add_flag("--overwrite", request->overwrite, "Replace an existing run in the folder");
  command.add_option("--resume", request->resume, "Continue an interrupted run from its last checkpoint")
      ->type_name("DIR");
  add_run_flags(command, request->run, RunScope::kOneRun);
}

const Registered<CommandEntry> train_entry{{
    .name = "train",
    .summary = "Train a model on a graph",
    .add = add_train_command,
}};

}  // namespace
}  // namespace gir::cli
