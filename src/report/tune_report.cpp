#include "gir/report/tune_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>

#include "gir/core/file.h"
#include "gir/core/text.h"
#include "gir/runs/tune_schedule.h"

namespace gir {
namespace {

using nlohmann::ordered_json;

constexpr double kSignificance = 0.05;

/// "gir-x, dropout 0.2, layers 2"
std::string in_words(const SettingValues& changes) {
  std::vector<std::string> words;
  if (const auto model = changes.find("model"); model != changes.end()) words.push_back(model->second);
  for (const auto& [name, value] : changes) {
    if (name != "model") words.push_back(name + " " + (value.empty() ? "''" : value));
  }
  return join(words, ", ");
}

std::string name_of(const TuneOutcome& outcome, const TuneTrial& trial) {
  return trial.number == 0 ? fmt::format("the default ({})", outcome.default_model) : in_words(trial.changes);
}

/// "0.9312 ± 0.0040"; one value has no deviation.
std::string metric_text(const TuneTrial& trial) {
  const Summary summary = trial.summary();
  if (summary.runs == 0) return "";
  if (summary.runs == 1) return fmt::format("{:.4f}", summary.mean);
  return fmt::format("{:.4f} ± {:.4f}", summary.mean, summary.sd);
}

std::string counted(std::integral auto count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Where the metrics come from: splits, or seeds where the data has one split only.
std::string trained_on(const TuneOutcome& outcome) {
  const auto& splits = outcome.splits;
  const bool one_split = splits.size() > 1 && std::all_of(splits.begin(), splits.end(),
                                                          [&](std::uint64_t split) { return split == splits[0]; });
  std::string text = one_split ? counted(splits.size(), "seed") : counted(splits.size(), "split");
  if (outcome.round < kTuneRounds) {
    text += fmt::format(", after {} of the epochs", outcome.round == 1 ? "a ninth" : "a third");
  }
  return text;
}

std::string gain_text(const TuneTrial& best, const TuneTrial& other) {
  const PairedTest test = paired_t_test(best.valid, other.valid);
  const std::string gain = fmt::format("gain {:.4f}", test.mean_difference);
  if (test.pairs < 2) return gain + ", which a single run cannot distinguish from noise";
  return fmt::format("{}, paired t = {:.2f}, p = {:.2g}{}", gain, test.t, test.p,
                     test.p < kSignificance ? "" : ": within noise");
}

/// Compared trials by rank; then the others, those that came farther and were better first; failures last.
std::vector<const TuneTrial*> in_order(const TuneOutcome& outcome) {
  std::vector<const TuneTrial*> trials;
  for (const std::int64_t number : outcome.ranks) trials.push_back(&outcome.trials[static_cast<std::size_t>(number)]);
  std::vector<const TuneTrial*> others;
  for (const TuneTrial& trial : outcome.trials) {
    if (std::find(trials.begin(), trials.end(), &trial) == trials.end()) others.push_back(&trial);
  }
  std::stable_sort(others.begin(), others.end(), [](const TuneTrial* a, const TuneTrial* b) {
    const auto key = [](const TuneTrial& trial) {
      return std::tuple(trial.failure.empty(), trial.round, trial.summary().mean);
    };
    return key(*a) > key(*b);
  });
  trials.insert(trials.end(), others.begin(), others.end());
  return trials;
}

ordered_json json_of(const TuneTrial& trial) {
  const Summary summary = trial.summary();
  ordered_json document = {{"trial", trial.number}, {"settings", trial.changes}, {"round", trial.round}};
  document["mean"] = trial.valid.empty() ? ordered_json() : ordered_json(summary.mean);
  document["sd"] = trial.valid.size() < 2 ? ordered_json() : ordered_json(summary.sd);
  document["values"] = trial.valid;
  document["seconds"] = trial.seconds;
  if (!trial.failure.empty()) document["failure"] = trial.failure;
  return document;
}

}  // namespace

Table tune_table(const TuneOutcome& outcome, std::int64_t max_rows) {
  Table table{
      .columns = {{"trial", true}, {"settings"}, {"round", true}, {"validation"}, {"runs", true}, {"seconds", true}},
      .rows = {}};
  for (const TuneTrial* trial : in_order(outcome)) {
    if (std::ssize(table.rows) >= max_rows) break;
    const std::string name = trial->number == 0 ? "default" : in_words(trial->changes);
    table.rows.push_back({fmt::format("{}", trial->number), name, fmt::format("{}", trial->round),
                          trial->failure.empty() ? metric_text(*trial) : "failed: " + trial->failure,
                          fmt::format("{}", trial->valid.size()), fmt::format("{:.1f}", trial->seconds)});
  }
  if (!outcome.ranks.empty() && !table.rows.empty()) table.bold.emplace(0, 3);
  return table;
}

std::string tune_verdict(const TuneOutcome& outcome) {
  if (outcome.ranks.empty()) {
    return "the default is kept: the search ended before it was trained once [raise `budget`]";
  }
  const TuneTrial& best = outcome.best();
  const std::string trials = counted(outcome.trials.size(), "trial");
  const std::string metric =
      fmt::format("validation {} {} on {}", outcome.metric, metric_text(best), trained_on(outcome));
  if (best.number == 0) {
    std::string text = fmt::format("the default ({}) is the best of {}: {}", outcome.default_model, trials, metric);
    if (outcome.ranks.size() < 2) return text;
    const TuneTrial& next = outcome.trials[static_cast<std::size_t>(outcome.ranks[1])];
    return text + fmt::format("; next is {} with {}", in_words(next.changes), metric_text(next));
  }
  const std::string text = fmt::format("best of {}: {}: {}", trials, name_of(outcome, best), metric);
  const TuneTrial* base = outcome.compared_default();
  if (base == nullptr) return text + fmt::format("; the default failed: {}", outcome.trials.front().failure);
  return text + fmt::format("; the default has {} there ({})", metric_text(*base), gain_text(best, *base));
}

std::vector<std::string> tune_notes(const TuneOutcome& outcome) {
  std::vector<std::string> notes;
  if (outcome.trials.size() > 1) {
    notes.push_back(
        "the validation metric of the best of many trials is optimistic: evaluate on the test set once, at the end");
  }
  const auto failed = std::count_if(outcome.trials.begin(), outcome.trials.end(),
                                    [](const TuneTrial& trial) { return !trial.failure.empty(); });
  if (failed > 0) notes.push_back(fmt::format("{} failed: table.md has the reasons", counted(failed, "trial")));
  if (outcome.invalid > 0) {
    notes.push_back(fmt::format("{} of settings skipped: not valid together", counted(outcome.invalid, "combination")));
  }
  if (outcome.repeated > 0) {
    notes.push_back(
        fmt::format("{} of settings skipped: the same as earlier ones", counted(outcome.repeated, "combination")));
  }
  if (outcome.exhausted) notes.push_back("the space has no further combinations");
  return notes;
}

std::string tune_json(const TuneOutcome& outcome) {
  ordered_json document = {{"dataset", outcome.dataset},     {"task", task_name(outcome.task)},
                           {"metric", outcome.metric},       {"recipe", outcome.recipe},
                           {"model", outcome.default_model}, {"verdict", tune_verdict(outcome)},
                           {"round", outcome.round},         {"share_of_epochs", outcome.share},
                           {"splits", outcome.splits},       {"best", json_of(outcome.best())}};
  const TuneTrial* base = outcome.compared_default();
  document["default"] = base == nullptr ? ordered_json() : json_of(*base);
  if (base != nullptr) {
    const PairedTest test = paired_t_test(outcome.best().valid, base->valid);
    document["gain"] = test.mean_difference;
    document["p"] = test.pairs < 2 ? ordered_json() : ordered_json(test.p);
  }
  document["complete"] = outcome.complete;
  document["interrupted"] = outcome.interrupted;
  document["seconds"] = outcome.seconds;
  document["skipped"] = {{"invalid", outcome.invalid}, {"repeated", outcome.repeated}};
  document["trials"] = ordered_json::array();
  for (const TuneTrial* trial : in_order(outcome)) document["trials"].push_back(json_of(*trial));
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

void write_tune_report(const std::filesystem::path& folder, const TuneOutcome& outcome) {
  std::string text = render(tune_table(outcome), OutputFormat::kMarkdown);
  text += "\n" + tune_verdict(outcome) + "\n";
  for (const std::string& note : tune_notes(outcome)) text += "\n" + note + "\n";
  write_file(folder / "table.md", text);
  write_file(folder / "tune.json", tune_json(outcome));
}

}  // namespace gir
