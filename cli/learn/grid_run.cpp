#include "grid_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "../flag_text.h"
#include "../live_line.h"
#include "../number_range.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/report/grid_report.h"

namespace gir::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string remaining_text(const GridProgress& progress) {
  if (progress.seconds_left < 0) return "the first epochs are running";
  return fmt::format("about {} left{}", duration_text(progress.seconds_left),
                     progress.from_epochs ? " (estimated from the first epochs)" : "");
}

/// Live progress of the whole grid.
GridObserver grid_progress(const Session& session, EvaluationSet set) {
  struct State {
    LiveLine line;
    std::string last = {};
  };
  const auto state = session.quiet ? nullptr : std::make_shared<State>();
  session.stop_if_asked();
  return [&session, state, set](const GridProgress& progress) {
    session.stop_if_asked();
    if (!state) return;
    if (progress.finished != nullptr) {
      const GridResult& last = *progress.finished;
      const std::string value = last.is_defined(set) ? fmt::format("{:.1f}", 100 * last.value(set)) : "-";
      state->last = fmt::format(", last: {} on {} {}", last.model, last.dataset, value);
    }
    if (!state->line.due()) return;
    const std::string failed = progress.failed == 0 ? "" : fmt::format(", {} failed", progress.failed);
    state->line.show(fmt::format("{} of {} runs, {:.0f} %{}{}, {}", progress.done, progress.total,
                                 std::floor(100 * progress.share), failed, state->last, remaining_text(progress)));
  };
}

/// Trains what is missing.
void run_missing(const Session& session, const GridOptions& grid, const std::string& folder) {
  try {
    run_grid(grid, folder, grid_progress(session, grid.set));
  } catch (const Interrupted&) {
    session.note("running the same command again continues from here");
    throw;
  }
}

/// What is said about the results, below their table.
std::vector<std::string> notes_of(const RequestedRuns& runs, const std::vector<ResultCell>& cells,
                                  const GridView& view) {
  std::vector<std::string> notes;
  const auto add = [&](std::vector<std::string> lines) {
    for (std::string& line : lines) notes.push_back(std::move(line));
  };
  if (!view.pairs.empty()) {
    add(comparison_lines(paired_comparisons(runs.results, runs.request->set, view.pairs)));
  } else if (!view.style.paper) {
    add(best_model_lines(cells));
  }
  if (view.style.paper) add(paper_notes(cells));
  add(published_notes(cells));
  add(view.notes);
  const auto diverged =
      std::count_if(runs.results.begin(), runs.results.end(), [](const auto& run) { return run.bad_epoch > 0; });
  if (diverged > 0) {
    notes.push_back(fmt::format(
        "warning: in {} runs the loss became NaN or infinite; the best epoch before that is reported", diverged));
  }
  add(undefined_lines(runs.results, runs.request->set));
  add(warning_lines(runs.results));
  add(runs.notes);
  return notes;
}

/// "test metrics (accuracy)", or with the metrics of all tasks.
std::string metrics_text(EvaluationSet set, const std::vector<GridResult>& results) {
  std::vector<std::string> names;
  for (const GridResult& run : results) {
    if (std::find(names.begin(), names.end(), run.metric) == names.end()) names.push_back(run.metric);
  }
  return fmt::format("{} metrics ({})", set == EvaluationSet::kTest ? "test" : "validation", join(names, ", "));
}

/// The last line: what the numbers are, and where they are.
std::string closing_line(const GridOptions& grid, const RequestedRuns& runs, double seconds, const std::string& files) {
  const std::string metrics = metrics_text(grid.set, runs.results);
  const std::string numbers =
      grid.runs > 1
          ? fmt::format("mean ± standard deviation of {} in percent", metrics)
          : fmt::format("{} in percent of one run each, so no deviations and no tests [--runs 20 gives both]", metrics);
  const std::size_t count = runs.results.size();
  return fmt::format("{} run{}, {} now; {}; wrote {}", count, count == 1 ? "" : "s", duration_text(seconds), numbers,
                     files);
}

/// UserError for models that failed; their results are missing.
void report_failures(const GridRequest& request) {
  const auto failed =
      std::count_if(request.cells.begin(), request.cells.end(), [](const GridCell& cell) { return cell.failed > 0; });
  if (failed == 0) return;
  throw UserError(
      "runs of {} of {} models and data sets failed, see above; the others are complete [correct the "
      "settings and run the command again: only missing runs are trained]",
      failed, request.cells.size());
}

/// A second table, of the same runs. Of several tables, only text can be printed one after the other.
void show_average_precision(const Session& session, const RequestedRuns& runs, const std::string& folder,
                            TableStyle style) {
  style.metrics = false;  // the title names it
  std::vector<ResultCell> cells = summarise_grid(by_average_precision(runs.results), *runs.request);
  add_published_results(cells, folder, runs.results);
  write_result_tables(folder, "table-ap", cells, style, {"average precision of the same runs, in percent"});
  if (session.format() == OutputFormat::kText) {
    session.print("\naverage precision\n" + render(result_table(cells, style), OutputFormat::kText));
  }
  session.note(fmt::format("average precision is in {}/table-ap.md, .csv, .json, .tex", folder));
}

}  // namespace

std::array<CLI::Option*, 2> add_run_counts(CLI::App& command, GridOptions& grid) {
  const auto count = [&](const char* name, std::int64_t& value, const char* summary) {
    return command.add_option(name, value, summary)
        ->check(between(std::int64_t{1}, std::int64_t{1} << 20))
        ->capture_default_str()
        ->type_name("N");
  };
  return {count("--runs", grid.runs, "Number of runs of each model on each data set"),
          count("--splits", grid.splits, "Number of splits that the runs are distributed over")};
}

std::array<CLI::Option*, 2> add_name_lists(CLI::App& command, GridOptions& grid) {
  const auto list = [&](const char* name, std::vector<std::string>& names, const char* summary) {
    return command
        .add_option_function<std::vector<std::string>>(
            name,
            [&names](const std::vector<std::string>& given) {
              names.clear();
              for (const std::string& text : given) {
                for (std::string& each : split_list(text)) names.push_back(std::move(each));
              }
            },
            summary)
        ->type_name("A,B");
  };
  return {list("--datasets", grid.datasets, "Data sets or files, separated by commas"),
          list("--models", grid.models,
               "Models, separated by commas, each with settings of its own if needed: gir-a:layers=5,gcn")};
}

void run_and_report(const Session& session, GridOptions grid, const std::string& folder, const GridView& view) {
  const auto start = Clock::now();
  grid.command = session.command_line;
  grid.context = session.context;
  grid.keep_going = true;
  std::vector<std::string> notes, shown;
  grid.note = [&](const std::string& note) {
    shown.push_back("note: " + note);
    session.note(shown.back());
  };
  grid.opened = [&, also = grid.opened](const Dataset& dataset) {
    for (const std::string& note : dataset.data.notes) notes.push_back(fmt::format("{}: {}", dataset.name, note));
    if (also) also(dataset);
  };
  run_missing(session, grid, folder);
  const RequestedRuns runs = requested_runs(folder);
  ensure(runs.request.has_value(), "the request that was just written");
  std::vector<ResultCell> cells = summarise_grid(runs.results, *runs.request);
  mark_other_protocols(cells, folder, runs.results);
  if (view.published) add_published_results(cells, folder, runs.results);
  for (std::string& note : notes_of(runs, cells, view)) notes.push_back(std::move(note));
  const std::string stem = grid.set == EvaluationSet::kTest ? "table" : "validation";
  shown.insert(shown.end(), notes.begin(), notes.end());
  write_result_tables(folder, stem, cells, view.style, with_flags(shown));
  if (session.format() == OutputFormat::kJson) {
    session.print(result_table_json(cells));
  } else {
    session.print(render(result_table(cells, view.style), session.format()));
  }
  if (view.published) show_average_precision(session, runs, folder, view.style);
  for (const std::string& note : notes) session.note(note);
  session.note(
      closing_line(grid, runs, seconds_since(start), fmt::format("{}/{}.md, .csv, .json, .tex", folder, stem)));
  report_failures(*runs.request);
}

}  // namespace gir::cli
