#include <memory>

#include "grid_run.h"
#include "learn_commands.h"
#include "run_flags.h"

namespace gir::cli {
namespace {

/// The arguments of `gir compare`.
struct CompareRequest {
  GridOptions grid;
  RunFlags run;
  std::string output;
  bool on_validation = false;
};

void compare(const Session& session, CompareRequest request) {
  request.grid.recipe = request.run.recipe;
  request.grid.given = request.run.given(request.grid.models);
  request.grid.data_dir = session.data_dir;
  run_and_report(session, request.grid, request.output,
                 {.set = request.on_validation ? EvaluationSet::kValid : EvaluationSet::kTest});
}

void add_compare_command(CLI::App& app, Session& session) {
  const auto request = std::make_shared<CompareRequest>();
  CLI::App* command = add_command(app, session, "compare", "Train models on data sets many times and compare them",
                                  [&session, request] { compare(session, *request); });
  GridOptions& grid = request->grid;
  command->add_option("--datasets", grid.datasets, "Data sets or files, separated by commas")
      ->delimiter(',')
      ->required()
      ->type_name("A,B");
  command->add_option("--models", grid.models, "Models, separated by commas; a paired test compares the first two")
      ->delimiter(',')
      ->required()
      ->type_name("A,B");
  add_run_counts(*command, grid);
  command->add_flag("--validation", request->on_validation,
                    "Show validation metrics instead of test metrics, to select settings");
  command
      ->add_option("-o,--output", request->output,
                   "Folder for results.jsonl and the tables; running the command again continues")
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
