#include <memory>

#include "../number_range.h"
#include "gir/core/error.h"
#include "gir/data/dataset.h"
#include "grid_run.h"
#include "learn_commands.h"

namespace gir::cli {
namespace {

/// One of the paper's tables.
struct PaperTable {
  GridOptions grid;
  GridView view;
  SettingValues quick_settings;  ///< for --quick
  std::string quick_summary;
};

/// The arguments of `gir reproduce`.
struct ReproduceRequest {
  PaperTable table;
  bool quick = false;
  std::int64_t hidden = 0;  ///< 0: that of the recipe
  std::string output;
};

/// Position-aware tasks: the models of the paper and ours on its data sets, 20 runs (4 seeds on each of 5 splits).
PaperTable positional_table() {
  return {.grid = {.datasets = {"email", "europe", "usa", "celegans", "ns", "pb"},
                   .models = {"gcn", "gcn-a", "gcn-o", "pgnn-f", "pgnn-e", "agnn-f", "agnn-e", "gir", "gir-a", "gir-o",
                              "gir-mix", "gir-x"},
                   .runs = 20,
                   .splits = 5,
                   .recipe = "paper"},
          .view = {.style = {.paper = true}},
          .quick_settings = {{"epochs", "60"}},
          .quick_summary = "Rough results in a minute or two: 2 runs of 60 epochs"};
}

/// Fusions and their experts: 10 runs (2 seeds on each of 5 splits; all on the official split if there is one).
PaperTable fusion_table() {
  return {.grid = {.datasets = {"cora", "amazon-photo", "amazon-computers", "coauthor-cs", "coauthor-physics"},
                   .models = {"gcn-3", "gcn-5", "gir-5", "gcn-gcn", "gcn-gir", "gcn-gir-nf", "gcn-gir-nfwr",
                              "gcn-gir-j", "gcn-gir-ja"},
                   .runs = 10,
                   .splits = 5,
                   .recipe = "fusion",
                   .given = {{"directed", "false"}}},
          .view = {.style = {.paper = true, .decimals = 2},
                   .pairs = {{"gcn-gir", "gcn-3"}, {"gcn-gir", "gir-5"}, {"gcn-gir", "gcn-gcn"}}},
          .quick_settings = {{"epochs", "40"}, {"hidden", "16"}, {"anchors", "64"}},
          .quick_summary = "Rough results in a minute or two: 2 runs of 40 epochs, hidden size 16"};
}

/// The results of the paper on ogbn-arxiv use its official features.
void reject_missing_features(const Dataset& dataset) {
  if (dataset.name != "ogbn-arxiv" || num_features(dataset.data.features) > 0) return;
  throw UserError(
      "the official features of ogbn-arxiv are missing [use structural features, --datasets ogbn-arxiv-structural, or "
      "gir data fetch ogbn-arxiv]");
}

void reproduce(const Session& session, ReproduceRequest request) {
  GridOptions& grid = request.table.grid;
  grid.data_dir = session.data_dir;
  if (request.quick) {
    grid.runs = 2;
    grid.splits = 2;
    for (const auto& [name, value] : request.table.quick_settings) grid.given[name] = value;
  }
  if (request.hidden != 0) grid.given["hidden"] = std::to_string(request.hidden);
  grid.opened = reject_missing_features;
  run_and_report(session, grid, request.output, request.table.view);
}

void add_table(CLI::App& command, Session& session, const char* name, const char* summary, PaperTable table) {
  const auto request = std::make_shared<ReproduceRequest>();
  request->table = std::move(table);
  GridOptions& grid = request->table.grid;
  CLI::App* added = add_command(command, session, name, summary, [&session, request] { reproduce(session, *request); });
  added->add_option("--recipe", grid.recipe, "Recipe: settings of all models (gir info recipes)")
      ->capture_default_str()
      ->type_name("NAME");
  CLI::Option* quick = added->add_flag("--quick", request->quick, request->table.quick_summary);
  added->add_option("--hidden", request->hidden, "Hidden size of all models; default: that of the recipe")
      ->check(between(std::int64_t{1}, std::int64_t{1} << 20))
      ->type_name("N");
  for (CLI::Option* count : add_run_counts(*added, grid)) count->excludes(quick);
  add_name_lists(*added, grid);
  added
      ->add_option("-o,--output", request->output,
                   "Folder for results.jsonl and the tables; running the command again continues")
      ->required()
      ->type_name("DIR");
}

void add_reproduce_command(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("reproduce", "Reproduce the tables of the paper, next to its results");
  command->require_subcommand(1);
  add_table(*command, session, "positional", "Position-aware tasks: 12 models on 6 graphs, 20 runs each",
            positional_table());
  add_table(*command, session, "fusion", "Experts and their fusions: 9 models on 5 graphs, 10 runs each",
            fusion_table());
}

const Registered<CommandEntry> reproduce_entry{{
    .name = "reproduce",
    .summary = "Reproduce the tables of the paper, next to its results",
    .add = add_reproduce_command,
}};

}  // namespace
}  // namespace gir::cli
