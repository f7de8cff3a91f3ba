#include <memory>

#include "gir/core/error.h"
#include "gir/runs/model_spec.h"
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
  CLI::Option* splits = nullptr;  ///< the flag
};

/// There is one official split, so more than one cannot be requested.
void check_official_split(const CompareRequest& request) {
  const auto official = request.grid.given.find("official-split");
  const bool asked = official != request.grid.given.end() && official->second == "true";
  if (!asked || request.splits->count() == 0 || request.grid.splits == 1) return;
  throw UserError("there is only one official split, so `splits` {} has no effect [omit `splits` or `official-split`]",
                  request.grid.splits);
}

void compare(const Session& session, CompareRequest request) {
  std::vector<std::string> models;
  for (const std::string& text : request.grid.models) models.push_back(parse_model_spec(text, SpecUse::kRun).model);
  request.grid.recipe = request.run.recipe;
  request.grid.given = request.run.given(models);
  check_official_split(request);
  if (request.splits->count() == 0) request.grid.splits = 0;  // up to five of those that there are
  request.grid.data_dir = session.data_dir;
  request.grid.set = request.on_validation ? EvaluationSet::kValid : EvaluationSet::kTest;
  run_and_report(session, request.grid, request.output, {});
}

void add_compare_command(CLI::App& command, Session& session) {
  const auto request = std::make_shared<CompareRequest>();
  set_action(command, session, [&session, request] { compare(session, *request); });
  GridOptions& grid = request->grid;
  for (CLI::Option* list : add_name_lists(command, grid)) list->required();
  request->splits = add_run_counts(command, grid)[1];
  command.add_flag("--validation", request->on_validation,
                   "Show validation metrics instead of test metrics, to select settings");
  command
      .add_option("-o,--output", request->output,
                  "Folder for results.jsonl and the tables; running the command again continues")
      ->required()
      ->type_name("DIR");
  add_run_flags(command, request->run, RunScope::kManyRuns);
}

const Registered<CommandEntry> compare_entry{{
    .name = "compare",
    .summary = "Train models on data sets many times and compare them",
    .add = add_compare_command,
}};

}  // namespace
}  // namespace gir::cli
