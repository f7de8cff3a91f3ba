#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "../live_line.h"
#include "gir/core/error.h"
#include "gir/report/grid_report.h"
#include "gir/train/grid.h"
#include "learn_commands.h"
#include "run_flags.h"

namespace gir::cli {
namespace {

/// What `gir compare` was asked for.
struct CompareRequest {
  GridOptions grid;
  RunFlags run;
  std::string output;
};

/// Live progress of the whole grid.
GridObserver grid_progress(const Session& session) {
  using Clock = std::chrono::steady_clock;
  struct State {
    LiveLine line;
    Clock::time_point start = Clock::now();
    std::string last = {};
  };
  const auto state = session.quiet ? nullptr : std::make_shared<State>();
  session.stop_if_asked();
  return [&session, state](const GridProgress& progress) {
    session.stop_if_asked();
    if (!state) return;
    if (progress.finished != nullptr) {
      state->last = fmt::format(", last: {} on {} {:.1f}", progress.finished->model, progress.finished->dataset,
                                100 * progress.finished->test);
    }
    if (!state->line.due()) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - state->start).count();
    state->line.show(fmt::format(
        "{} of {} runs{}, {} left", progress.done, progress.total, state->last,
        progress.work > 0 ? duration_text(seconds / progress.work * (1 - progress.work)) : std::string("some time")));
  };
}

void compare(const Session& session, CompareRequest request) {
  request.grid.recipe = request.run.recipe;
  request.grid.given = request.run.given();
  request.grid.data_dir = session.data_dir;
  const auto start = std::chrono::steady_clock::now();
  const std::vector<GridResult> results = run_grid(request.grid, request.output, grid_progress(session));
  const std::vector<ResultCell> cells = summarise_grid(results);
  const std::vector<std::string> comparisons = paired_comparisons(results);
  write_result_tables(request.output, cells, /*paper=*/false, comparisons);
  if (session.format() == OutputFormat::kJson) {
    session.print(result_table_json(cells));
  } else {
    session.print(render(result_table(cells, /*paper=*/false), session.format()));
  }
  for (const std::string& line : comparisons) session.note(line);
  session.note(fmt::format(
      "{} runs, {} now; mean ± standard deviation in percent; wrote {}/table.md, .csv, .json, .tex", results.size(),
      duration_text(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()), request.output));
}

}  // namespace

void add_compare_command(CLI::App& app, Session& session) {
  const auto request = std::make_shared<CompareRequest>();
  CLI::App* command = add_command(app, session, "compare", "Train models on data sets many times and compare them",
                                  [&session, request] { compare(session, *request); });
  GridOptions& grid = request->grid;
  command->add_option("--datasets", grid.datasets, "Data sets or files, with commas between them")
      ->delimiter(',')
      ->required()
      ->type_name("A,B");
  command->add_option("--models", grid.models, "Models, with commas between them; the first two are also paired")
      ->delimiter(',')
      ->required()
      ->type_name("A,B");
  command->add_option("--runs", grid.runs, "Runs of each model on each data set")
      ->capture_default_str()
      ->type_name("N");
  command->add_option("--splits", grid.splits, "Splits that the runs are shared out over")
      ->capture_default_str()
      ->type_name("N");
  command->add_option("-o,--output", request->output, "Folder for results.jsonl and the tables; a rerun goes on")
      ->required()
      ->type_name("DIR");
  add_run_flags(*command, request->run, RunScope::kManyRuns);
}

}  // namespace gir::cli
