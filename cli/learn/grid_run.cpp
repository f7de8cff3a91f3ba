#include "grid_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "../live_line.h"
#include "../number_range.h"
#include "gir/report/grid_report.h"

namespace gir::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

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
      state->last = fmt::format(", last: {} on {} {:.1f}", progress.finished->model, progress.finished->dataset,
                                100 * progress.finished->value(set));
    }
    if (!state->line.due()) return;
    state->line.show(fmt::format(
        "{} of {} runs{}, {} left", progress.done, progress.total, state->last,
        progress.seconds_left < 0 ? std::string("some time") : "about " + duration_text(progress.seconds_left)));
  };
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

void run_and_report(const Session& session, GridOptions grid, const std::string& folder, const GridView& view) {
  const auto start = Clock::now();
  grid.command = session.command_line;
  grid.context = session.context;
  std::vector<std::string> data_notes;
  grid.opened = [&, also = grid.opened](const Dataset& dataset) {
    for (const std::string& note : dataset.data.notes) data_notes.push_back(fmt::format("{}: {}", dataset.name, note));
    if (also) also(dataset);
  };
  const std::vector<GridResult> results = [&] {
    try {
      return run_grid(grid, folder, grid_progress(session, view.set));
    } catch (const Interrupted&) {
      session.note("running the same command again continues from here");
      throw;
    }
  }();
  const std::vector<ResultCell> cells = summarise_grid(results, view.set);
  std::vector<ModelPair> pairs = view.pairs;
  if (pairs.empty() && !view.style.paper) pairs = first_two_models(results);
  std::vector<std::string> notes = std::move(data_notes);
  for (std::string& line : paired_comparisons(results, pairs, view.set)) notes.push_back(std::move(line));
  if (view.style.paper) {
    for (std::string& note : paper_notes(cells)) notes.push_back(std::move(note));
  }
  const std::string stem = view.set == EvaluationSet::kTest ? "table" : "validation";
  write_result_tables(folder, stem, cells, view.style, notes);
  if (session.format() == OutputFormat::kJson) {
    session.print(result_table_json(cells));
  } else {
    session.print(render(result_table(cells, view.style), session.format()));
  }
  for (const std::string& note : notes) session.note(note);
  const auto diverged =
      std::count_if(results.begin(), results.end(), [](const auto& run) { return run.bad_epoch > 0; });
  if (diverged > 0) {
    session.note(fmt::format(
        "warning: in {} runs the loss became NaN or infinite; the best epoch before that is reported", diverged));
  }
  session.note(fmt::format(
      "{} runs, {} now; mean ± standard deviation of {} metrics in percent; wrote {}/{}.md, .csv, .json, .tex",
      results.size(), duration_text(seconds_since(start)), view.set == EvaluationSet::kTest ? "test" : "validation",
      folder, stem));
}

}  // namespace gir::cli
