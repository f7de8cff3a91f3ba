#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

#include "../flag_text.h"
#include "../graph_input.h"
#include "../live_line.h"
#include "../number_range.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/report/tune_report.h"
#include "gir/runs/model_spec.h"
#include "gir/runs/tune.h"
#include "learn_commands.h"
#include "run_flags.h"

namespace gir::cli {
namespace {

constexpr double kDefaultBudget = 600;
constexpr std::int64_t kRowsShown = 10;

/// The arguments of `gir tune`.
struct TuneRequest {
  RunFlags run;
  std::vector<std::string> models;
  double budget = 0;
  std::int64_t trials = 0;
  std::int64_t splits = 3;
  std::string space_file;
  bool show_space = false;
  std::string output;
};

/// Seconds of "90s", "10m", "2h" or "1h30m".
double parse_duration(const std::string& text) {
  double seconds = 0;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t digits = rest.find_first_not_of("0123456789");
    const auto number = parse_integer(rest.substr(0, digits));
    constexpr std::int64_t kMaxDigits = 1'000'000'000;
    const double unit = digits == std::string_view::npos ? 0
                        : rest[digits] == 's'            ? 1
                        : rest[digits] == 'm'            ? 60
                        : rest[digits] == 'h'            ? 3600
                                                         : 0;
    if (!number || *number > kMaxDigits || unit == 0) {
      seconds = 0;
      break;
    }
    seconds += static_cast<double>(*number) * unit;
    rest.remove_prefix(digits + 1);
  }
  if (seconds == 0) throw UserError("--budget: {} is not a duration [such as 90s, 10m or 2h]", quoted(text));
  return seconds;
}

/// The models of --models take the place of those of the space. The default's own model is only tried again if it is
/// one of them.
void search_models(SearchSpace& space, const std::vector<std::string>& models, const std::string& default_model) {
  SearchDimension dimension{.setting = "model", .values = {}};
  for (const std::string& text : models) {
    const ModelSpec spec = parse_model_spec(text, SpecUse::kRun);
    if (!spec.settings.empty()) {
      throw UserError(
          "`models`: {} has settings of its own, but a search tries its settings with all models [use {} and a "
          "`space`]",
          spec.text(), spec.model);
    }
    dimension.values.push_back(spec.model);
  }
  dimension.may_keep =
      std::find(dimension.values.begin(), dimension.values.end(), default_model) != dimension.values.end();
  std::erase_if(space, [](const SearchDimension& each) { return each.setting == "model"; });
  space.insert(space.begin(), std::move(dimension));
}

/// Settings that are given are fixed, so they leave the default space. In a space of the user they contradict it,
/// unless they come from a configuration file, which then says what the default is.
SearchSpace space_of(const TuneRequest& request, const SettingValues& given, const RunConfig& config,
                     const Dataset& dataset) {
  SearchSpace space;
  if (request.space_file.empty()) {
    space = default_search_space(parse_task(config.task), dataset.data.graph.num_nodes());
    std::erase_if(space, [&](const SearchDimension& each) { return given.contains(each.setting); });
  } else {
    space = read_search_space(request.space_file);
  }
  const bool has_models =
      std::any_of(space.begin(), space.end(), [](const auto& each) { return each.setting == "model"; });
  if (!request.models.empty()) {
    if (request.run.flags.contains("model")) {
      throw UserError("`model` fixes the model, `models` lists several [omit one of them]");
    }
    if (!request.space_file.empty() && has_models) {
      throw UserError("`models` and {} both list models [omit one of them]", request.space_file);
    }
    search_models(space, request.models, config.model);
  }
  for (const SearchDimension& each : space) {
    if (!request.run.flags.contains(each.setting)) continue;
    throw UserError("`{}` is fixed by its flag and listed in {} [omit one of them]", each.setting, request.space_file);
  }
  return space;
}

Table space_table(const SearchSpace& space) {
  Table table{.columns = {{"setting"}, {"values"}, {"meaning"}}, .rows = {}};
  for (const SearchDimension& each : space) {
    table.rows.push_back({each.setting, join(each.values, ", "), with_flags(find_setting(each.setting).summary)});
  }
  return table;
}

/// The space of a request with data, else the default spaces: of the task that is given, or of nodes and of pairs.
void show_space(const Session& session, const TuneRequest& request, const SettingValues& given) {
  std::vector<std::pair<std::string, SearchSpace>> spaces;
  if (given.contains("graph") || given.contains("split-from")) {
    const Dataset dataset = read_graph(session, data_request(given));
    const RunConfig config = resolve(request.run.recipe, given, dataset);
    spaces.emplace_back(config.task, space_of(request, given, config, dataset));
  } else if (!request.space_file.empty()) {
    spaces.emplace_back("", read_search_space(request.space_file));
  } else if (const auto task = given.find("task"); task != given.end()) {
    spaces.emplace_back(task->second, default_search_space(parse_task(task->second)));
  } else {
    spaces.emplace_back("lp", default_search_space(Task::kLinkPrediction));
    spaces.emplace_back("nc", default_search_space(Task::kNodeClassification));
  }
  if (session.format() == OutputFormat::kJson) {
    if (spaces.size() == 1) return session.print(search_space_text(spaces.front().second));
    nlohmann::ordered_json document;
    for (const auto& [task, space] : spaces) document[task] = nlohmann::ordered_json::parse(search_space_text(space));
    return session.print(document.dump(2) + "\n");
  }
  for (const auto& [task, space] : spaces) {
    if (spaces.size() > 1) session.print(fmt::format("{}task {}:\n", task == "lp" ? "" : "\n", task));
    session.print(render(space_table(space), session.format()));
  }
}

TuneObserver tune_progress(const Session& session, double budget) {
  using Clock = std::chrono::steady_clock;
  struct State {
    LiveLine line;
    std::int64_t round = 0;
    std::int64_t first = 0;  ///< trainings that earlier calls have finished
    Clock::time_point start = Clock::now();
  };
  const auto state = session.quiet ? nullptr : std::make_shared<State>();
  session.stop_if_asked();
  return [&session, state, budget](const TuneProgress& progress) {
    session.stop_if_asked();
    if (!state) return;
    if (state->round != progress.round) {
      state->round = progress.round;
      state->first = progress.done;
      state->start = Clock::now();
    }
    if (!state->line.due()) return;
    std::string text = fmt::format("round {}: {}{} trainings", progress.round, progress.done,
                                   progress.total > 0 ? fmt::format(" of {}", progress.total) : "");
    if (progress.best >= 0) {
      const std::vector<std::string> words = in_words(progress.best_changes);
      text += fmt::format(", best {:.4f} ({})", progress.best, words.empty() ? "default" : join(words, ", "));
    }
    const std::int64_t done = progress.done - state->first;
    if (budget > 0) {
      text += fmt::format(", {} left", duration_text(std::max(0.0, budget - progress.seconds)));
    } else if (done > 0 && progress.total > 0) {
      const double passed = std::chrono::duration<double>(Clock::now() - state->start).count();
      const auto left = static_cast<double>(progress.total - progress.done);
      text += fmt::format(", about {} left in this round", duration_text(passed / static_cast<double>(done) * left));
    }
    state->line.show(text);
  };
}

/// The command that trains with the settings that were found.
std::string next_command(const Session& session, const TuneRequest& request) {
  const std::string best = (std::filesystem::path(request.output) / "best.json").string();
  std::string command = "gir train --config " + shell_word(best);
  if (request.run.recipe != RunFlags().recipe) command += " --recipe " + shell_word(request.run.recipe);
  if (!session.data_dir.empty()) command += " --data-dir " + shell_word(session.data_dir.string());
  return command + device_flags(session.context.mark()) + " -o RUN";
}

void report_tune(const Session& session, const TuneRequest& request, const TuneOutcome& outcome) {
  if (session.format() == OutputFormat::kJson) {
    session.print(tune_json(outcome));
  } else if (session.format() == OutputFormat::kText) {
    session.print(render(tune_table(outcome, kRowsShown), OutputFormat::kText));
    session.print("\n" + with_flags(tune_verdict(outcome)) + "\n");
  } else {
    session.print(render(tune_table(outcome), session.format()));
  }
  for (const std::string& note : tune_notes(outcome)) session.note("note: " + note);
  session.note(fmt::format("{} of search; wrote best.json, table.md, tune.json and trials.jsonl in {}",
                           duration_text(outcome.seconds), request.output));
}

/// What there is to say about the data, the split and the default is said once, not by every trial. Data that the
/// default cannot use ends the command here.
void print_default(const Session& session, const Dataset& dataset, const RunConfig& config,
                   const TuneOptions& options) {
  const Experiment experiment(dataset, config, session.context, {.validation_only = true});
  if (const std::string chosen = chosen_settings(experiment, options.given); !chosen.empty()) {
    session.note("the default for this graph: " + chosen);
  }
  const std::string_view recipe = options.recipe.empty() ? default_recipe(dataset) : options.recipe;
  if (const std::string note = recipe_note(recipe, dataset.data.graph, options.given); !note.empty()) {
    session.note("note: " + with_flags(note));
  }
  for (const std::string& note : experiment.notes()) session.note("note: " + note);
  for (const std::string& note : experiment.anchors().notes) session.note("note: " + note);
}

void run_tune(const Session& session, const TuneRequest& request) {
  const SettingValues given = request.run.given({});
  if (request.show_space) return show_space(session, request, given);
  if (request.output.empty()) throw UserError("no folder is given for the results [use -o DIR]");
  if (!given.contains("graph") && !given.contains("split-from"))
    throw UserError("no graph is given [use --dataset NAME or --graph FILE; gir data list shows the names]");
  const Dataset dataset = read_graph(session, data_request(given));
  print_notes(session, dataset);
  const RunConfig config = resolve(request.run.recipe, given, dataset);
  TuneOptions options{.recipe = request.run.recipe,
                      .given = given,
                      .space = space_of(request, given, config, dataset),
                      .trials = request.trials,
                      .budget = request.budget,
                      .splits = request.splits,
                      .context = session.context};
  print_default(session, dataset, config, options);
  if (options.trials == 0 && options.budget == 0) options.budget = kDefaultBudget;
  const TuneOutcome outcome = tune(dataset, options, request.output, tune_progress(session, options.budget));
  write_tune_report(request.output, outcome);
  report_tune(session, request, outcome);
  if (outcome.interrupted) {
    session.note("running the same command again continues from here");
    throw Interrupted();
  }
  session.note("next: " + next_command(session, request));
}

void add_tune_command(CLI::App& command, Session& session) {
  const auto request = std::make_shared<TuneRequest>();
  set_action(command, session, [&session, request] { run_tune(session, *request); });
  command
      .add_option("-o,--output", request->output,
                  "Folder for best.json, the trials and a table; running the command again continues")
      ->type_name("DIR");
  command
      .add_option_function<std::string>(
          "--budget", [request](const std::string& text) { request->budget = parse_duration(text); },
          "Time for the search, such as 90s, 10m or 2h; default: 10m, without --trials")
      ->type_name("TIME");
  command.add_option("--trials", request->trials, "Number of trials, the default included; the same on every machine")
      ->check(between(std::int64_t{1}, std::int64_t{1} << 20))
      ->type_name("N");
  command.add_option("--splits", request->splits, "Number of splits that the last round compares on")
      ->check(between(std::int64_t{1}, std::int64_t{1} << 20))
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--models", request->models, "Models to try, separated by commas")
      ->delimiter(',')
      ->type_name("A,B");
  command
      .add_option("--space", request->space_file,
                  "JSON file of the settings to vary and their values: {\"layers\": [2, 3], \"lr\": [0.003, 0.01]}")
      ->type_name("FILE");
  command.add_flag("--show-space", request->show_space, "Print the settings that are varied, and exit");
  add_run_flags(command, request->run, RunScope::kSearch);
}

const Registered<CommandEntry> tune_entry{{
    .name = "tune",
    .summary = "Search for better settings on validation data",
    .add = add_tune_command,
}};

}  // namespace
}  // namespace gir::cli
