#include <memory>

#include "grid_run.h"
#include "learn_commands.h"

namespace gir::cli {
namespace {

/// What `gir reproduce` was asked for.
struct ReproduceRequest {
  GridOptions grid;
  bool quick = false;
  std::string output;
};

/// The paper's table of position-aware scenarios: its models and ours, its data sets and 20 runs (4 seeds on each of 5
/// splits).
GridOptions positional_grid() {
  return {.datasets = {"email", "europe", "usa", "celegans", "ns", "pb"},
          .models = {"gcn", "gcn-a", "gcn-o", "pgnn-f", "pgnn-e", "agnn-f", "agnn-e", "gir", "gir-a", "gir-o",
                     "gir-mix", "gir-x"},
          .runs = 20,
          .splits = 5};
}

void reproduce(const Session& session, ReproduceRequest request) {
  request.grid.data_dir = session.data_dir;
  if (request.quick) {
    request.grid.runs = 2;
    request.grid.splits = 2;
    request.grid.given["epochs"] = "60";
  }
  run_and_report(session, request.grid, request.output, {.paper = true});
}

}  // namespace

void add_reproduce_command(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("reproduce", "The paper's tables, its figures beside ours");
  command->require_subcommand(1);
  const auto request = std::make_shared<ReproduceRequest>();
  request->grid = positional_grid();
  CLI::App* positional =
      add_command(*command, session, "positional", "Position-aware scenarios: 12 models on 6 graphs, 20 runs each",
                  [&session, request] { reproduce(session, *request); });
  positional->add_option("--recipe", request->grid.recipe, "Settings of all models: paper or strong")
      ->capture_default_str()
      ->type_name("NAME");
  positional->add_flag("--quick", request->quick, "A look in a minute or two: 2 runs of 60 epochs");
  positional->add_option("--datasets", request->grid.datasets, "Only these columns")->delimiter(',')->type_name("A,B");
  positional->add_option("--models", request->grid.models, "Only these rows, or others")
      ->delimiter(',')
      ->type_name("A,B");
  positional->add_option("-o,--output", request->output, "Folder for results.jsonl and the tables; a rerun goes on")
      ->required()
      ->type_name("DIR");
}

}  // namespace gir::cli
