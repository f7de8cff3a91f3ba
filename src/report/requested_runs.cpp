#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/core/version.h"
#include "gir/report/grid_report.h"
#include "gir/runs/run_config.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

/// The first few items, and how many there are more.
std::string shortened(const std::vector<std::string>& items) {
  constexpr std::size_t kShown = 4;
  if (items.size() <= kShown) return join(items, ", ");
  const std::vector<std::string> shown(items.begin(), items.begin() + kShown);
  return fmt::format("{} and {} more", join(shown, ", "), items.size() - kShown);
}

/// Compares settings with those of the request: "epochs 10 instead of 20"; empty if they are equal or not known.
std::string differing_settings(const fs::path& folder, const std::string& hash, const std::string& requested) {
  SettingValues mine, theirs;
  try {
    mine = read_settings(grid_settings_file(folder, hash));
    theirs = read_settings(grid_settings_file(folder, requested));
  } catch (const UserError&) {
    return "";
  }
  std::vector<std::string> texts;
  for (const auto& [name, value] : mine) {
    const std::string& other = theirs[name];
    if (name == "graph" || value == other) continue;
    const auto shown = [](const std::string& text) { return text.empty() ? std::string("none") : text; };
    texts.push_back(fmt::format("{} {} instead of {}", name, shown(value), shown(other)));
  }
  return shortened(texts);
}

/// Why the request does not contain a run: "with epochs 10 instead of 20".
std::string reason(const fs::path& folder, const GridRequest& request, const GridResult& run) {
  const auto cell = std::find_if(request.cells.begin(), request.cells.end(), [&](const GridCell& each) {
    return each.dataset == run.dataset && each.model == run.model;
  });
  if (cell == request.cells.end()) {
    const std::vector<std::string> models = request.models();
    const bool known = std::find(models.begin(), models.end(), run.model) != models.end();
    return known ? "on " + run.dataset : "of " + run.model;
  }
  if (cell->settings == run.settings) return "of more splits or seeds";
  if (run.version != kVersion) return "of gir " + run.version;
  const std::string settings = differing_settings(folder, run.settings, cell->settings);
  return settings.empty() ? "with other data or settings" : "with " + settings;
}

/// One line for all runs that are left out, with their number by reason; none if there are none.
std::vector<std::string> omitted_notes(const fs::path& folder, const GridRequest& request,
                                       const std::vector<GridResult>& omitted) {
  if (omitted.empty()) return {};
  std::map<std::tuple<std::string, std::string, std::string>, std::string> reasons;  // by data set, model, settings
  std::vector<std::pair<std::string, std::int64_t>> counts;
  for (const GridResult& run : omitted) {
    std::string& text = reasons[{run.dataset, run.model, run.settings}];
    if (text.empty()) text = reason(folder, request, run);
    const auto found = std::find_if(counts.begin(), counts.end(), [&](const auto& each) { return each.first == text; });
    if (found == counts.end()) {
      counts.emplace_back(text, 1);
    } else {
      ++found->second;
    }
  }
  std::vector<std::string> texts;
  for (const auto& [text, count] : counts) texts.push_back(fmt::format("{} {}", count, text));
  return {fmt::format("not shown: {} other runs in the folder, which are not part of the last request ({})",
                      omitted.size(), shortened(texts))};
}

std::vector<std::string> failure_notes(const GridRequest& request) {
  std::vector<std::string> notes;
  for (const GridCell& cell : request.cells) {
    if (cell.failed == 0) continue;
    notes.push_back(fmt::format("{} on {}: {} of {} runs failed: {}", cell.model, cell.dataset, cell.failed,
                                cell.splits * cell.seeds, cell.failure));
  }
  return notes;
}

/// A run as it is identified within a request.
using Key = std::tuple<std::string, std::string, std::string, std::uint64_t, std::uint64_t>;

Key key_of(const GridResult& run) { return {run.dataset, run.task, run.model, run.split, run.seed}; }

/// Adds a run, or replaces it: the last line of a run counts.
class RunList {
 public:
  void add(const GridResult& run) {
    const auto [place, is_new] = places_.try_emplace(key_of(run), runs_.size());
    if (is_new) {
      runs_.push_back(run);
    } else {
      runs_[place->second] = run;
    }
  }

  std::vector<GridResult> take() && { return std::move(runs_); }

 private:
  std::vector<GridResult> runs_;
  std::map<Key, std::size_t> places_;
};

/// Without a request: the runs with the settings that were added last for each model, data set and task.
RequestedRuns latest_runs(const std::vector<GridResult>& all) {
  std::map<std::tuple<std::string, std::string, std::string>, std::string> latest;
  for (const GridResult& run : all) latest[{run.dataset, run.task, run.model}] = run.settings;
  RunList shown;
  std::int64_t others = 0;
  for (const GridResult& run : all) {
    if (latest[{run.dataset, run.task, run.model}] == run.settings) {
      shown.add(run);
    } else {
      ++others;
    }
  }
  RequestedRuns runs{.request = std::nullopt, .results = std::move(shown).take(), .notes = {}};
  std::stable_sort(runs.results.begin(), runs.results.end(), [](const GridResult& a, const GridResult& b) {
    return std::tuple(a.split, a.seed) < std::tuple(b.split, b.seed);
  });
  if (!all.empty()) {
    runs.notes.emplace_back(
        "the last request is not known (grid.json is missing or of an earlier version), so all models and data sets in "
        "the folder are shown, which may have been run with different settings");
  }
  if (others > 0) {
    runs.notes.push_back(
        fmt::format("not shown: {} runs with other settings than the last ones of their model and data set", others));
  }
  return runs;
}

}  // namespace

RequestedRuns requested_runs(const fs::path& folder) {
  const std::vector<GridResult> all = read_grid_results(folder);
  const std::optional<GridRequest> request = read_grid_request(folder);
  if (!request) return latest_runs(all);
  RunList shown;
  std::vector<GridResult> omitted;
  for (const GridResult& run : all) {
    if (request->contains(run)) {
      shown.add(run);
    } else {
      omitted.push_back(run);
    }
  }
  RequestedRuns runs{.request = request, .results = std::move(shown).take(), .notes = failure_notes(*request)};
  const auto place = [&](const GridResult& run) {
    return std::find_if(request->cells.begin(), request->cells.end(),
                        [&](const GridCell& cell) { return cell.contains(run); }) -
           request->cells.begin();
  };
  std::stable_sort(runs.results.begin(), runs.results.end(), [&](const GridResult& a, const GridResult& b) {
    return std::tuple(place(a), a.split, a.seed) < std::tuple(place(b), b.split, b.seed);
  });
  for (std::string& note : omitted_notes(folder, *request, omitted)) runs.notes.push_back(std::move(note));
  return runs;
}

}  // namespace gir
