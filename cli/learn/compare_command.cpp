#include <memory>

#include "grid_run.h"
#include "learn_commands.h"
#include "run_flags.h"

namespace gir::cli {
namespace {

/// What `gir compare` was asked for.
struct CompareRequest {
  GridOptions grid;
  RunFlags run;
  std::string output;
  bool by_validation = false;
};

void compare(const Session& session, CompareRequest request) {
  request.grid.recipe = request.run.recipe;
  request.grid.given = request.run.given(request.grid.models);
  request.grid.data_dir = session.data_dir;
  run_and_report(session, request.grid, request.output,
                 {.part = request.by_validation ? EvaluationSet::kValid : EvaluationSet::kTest});
}

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
  add_run_counts(*command, grid);
  command->add_flag("--validation", request->by_validation,
                    "Show validation metrics, and no test figure: to choose settings by");
  command->add_option("-o,--output", request->output, "Folder for results.jsonl and the tables; a rerun goes on")
      ->required()
      ->type_name("DIR");
  add_run_flags(*command, request->run, RunScope::kManyRuns);
}

const Registered<CommandEntry> compare_entry{{
    .name = "compare",
    .summary = "Train models on data sets many times and compare them",
    .add = add_compare_command,
}};

}  // namespace
}  // namespace gir::cli
