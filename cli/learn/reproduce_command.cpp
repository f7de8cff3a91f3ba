#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>

#include "../number_range.h"
#include "gir/core/error.h"
#include "gir/data/dataset.h"
#include "gir/data/split.h"
#include "grid_run.h"
#include "learn_commands.h"

namespace gir::cli {
namespace {

/// One of the tables.
struct KnownTable {
  GridOptions grid;
  GridView view;
  SettingValues quick_settings;  ///< for --quick
  std::string quick_summary;
  void (*check)(const Dataset& dataset) = nullptr;  ///< UserError for data that the table is not for
};

constexpr double kPublishedShare = 0.9;  ///< of the edges for training and validation, in the published splits

/// The arguments of `gir reproduce`.
struct ReproduceRequest {
  KnownTable table;
  bool quick = false;
  std::int64_t hidden = 0;  ///< 0: that of the recipe
  double observed = kPublishedShare;
  std::string output;
};

/// The results of the paper on ogbn-arxiv use its official features.
void reject_missing_features(const Dataset& dataset) {
  if (dataset.name != "ogbn-arxiv" || num_features(dataset.data.features) > 0) return;
  throw UserError(
      "the official features of ogbn-arxiv are missing [use structural features, --datasets ogbn-arxiv-structural, or "
      "gir data fetch ogbn-arxiv]");
}

/// Published results are only those of published splits.
void reject_missing_splits(const Dataset& dataset) {
  if (!dataset.link_splits.files.empty()) return;
  throw UserError("{} has no published splits [`observed` 0.8 draws splits; gir compare is for any graph]",
                  dataset.name);
}

/// Position-aware tasks: the models of the paper and ours on its data sets, 20 runs (4 seeds on each of 5 splits).
KnownTable positional_table() {
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
KnownTable fusion_table() {
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
          .quick_summary = "Rough results in a minute or two: 2 runs of 40 epochs, hidden size 16",
          .check = reject_missing_features};
}

/// Links: the settings for graphs without known ones, once on each of ten published splits.
KnownTable links_table() {
  return {.grid = {.datasets = {"links/USAir", "links/NS", "links/PB", "links/Yeast", "links/Celegans", "links/Power",
                                "links/Router", "links/Ecoli"},
                   .models = {"gir-x", "gir-a", "gcn-o"},
                   .runs = 10,
                   .splits = 10,
                   .recipe = "auto"},
          .view = {.style = {.decimals = 2}, .published = true},
          .quick_settings = {{"epochs", "20"}},
          .quick_summary = "Rough results in a minute or two: 2 runs of 20 epochs",
          .check = reject_missing_splits};
}

/// Asks for random splits where another share of the edges is observed than in the published ones. As there, one of 18
/// observed edges is for validation.
void set_observed(KnownTable& table, double observed) {
  if (std::abs(observed - kPublishedShare) < 1e-9) return;
  table.check = nullptr;
  const SplitShares shares{.train = observed * 17 / 18, .valid = observed / 18, .test = 1 - observed};
  table.grid.given["official-split"] = "false";
  table.grid.given["split-shares"] = shares_text(shares);
  table.view.notes.push_back(fmt::format(
      "{:.4g} % of the edges observed: random splits, {:.3g} % of the edges for training, {:.3g} % for validation and "
      "{:.3g} % for testing; the published results are those of other splits, with 90 % observed, and are not shown",
      100 * observed, 100 * shares.train, 100 * shares.valid, 100 * shares.test));
}

void reproduce(const Session& session, ReproduceRequest request) {
  GridOptions& grid = request.table.grid;
  grid.data_dir = session.data_dir;
  if (request.quick) {
    grid.runs = 2;
    grid.splits = 2;
    for (const auto& [name, value] : request.table.quick_settings) grid.given[name] = value;
  }
  set_observed(request.table, request.observed);
  if (request.hidden != 0) grid.given["hidden"] = std::to_string(request.hidden);
  if (request.table.check != nullptr) grid.opened = request.table.check;
  run_and_report(session, grid, request.output, request.table.view);
}

/// The error message for shares of observed edges that leave nothing to train on or to test; empty for valid ones.
std::string check_observed(const std::string& text) {
  double share = 0;
  const bool is_number = CLI::detail::lexical_cast(text, share);
  return is_number && share > 0 && share < 1 ? "" : fmt::format("{} [more than 0 and less than 1]", quoted(text));
}

/// Returns the arguments, for flags that only one table has.
std::pair<CLI::App*, std::shared_ptr<ReproduceRequest>> add_table(CLI::App& command, Session& session, const char* name,
                                                                  const char* summary, KnownTable table) {
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
  return {added, request};
}

void add_links_table(CLI::App& command, Session& session) {
  const auto [added, request] =
      add_table(command, session, "links", "Link prediction on published splits: 3 models on 8 graphs, 10 runs each",
                links_table());
  added
      ->add_option("--observed", request->observed,
                   "Share of the edges for training and validation; other than 0.9: random splits")
      ->check(check_observed, "")
      ->capture_default_str()
      ->type_name("REAL");
}

void add_reproduce_command(CLI::App& command, Session& session) {
  command.require_subcommand(1);
  add_table(command, session, "positional", "Position-aware tasks: 12 models on 6 graphs, 20 runs each",
            positional_table());
  add_table(command, session, "fusion", "Experts and their fusions: 9 models on 5 graphs, 10 runs each",
            fusion_table());
  add_links_table(command, session);
}

const Registered<CommandEntry> reproduce_entry{{
    .name = "reproduce",
    .summary = "Reproduce the paper's tables, and compare link prediction with published results",
    .add = add_reproduce_command,
}};

}  // namespace
}  // namespace gir::cli
