#include "tune_trainings.h"

#include <algorithm>

namespace gir {

TrialTrainings::TrialTrainings(const std::vector<TrialTraining>& found) {
  for (const TrialTraining& training : found) add(training);
}

void TrialTrainings::add(const TrialTraining& training) {
  all_.insert_or_assign({.trial = training.trial, .round = training.round, .repeat = training.repeat}, training);
  if (!training.valid) failed_.insert(training.trial);
  elapsed_ = std::max(elapsed_, training.elapsed);
}

const TrialTraining* TrialTrainings::find(const TrialKey& key) const {
  const auto found = all_.find(key);
  return found == all_.end() ? nullptr : &found->second;
}

bool TrialTrainings::all_failed() const {
  return !all_.empty() && std::all_of(all_.begin(), all_.end(), [](const auto& item) { return !item.second.valid; });
}

std::vector<std::int64_t> TrialTrainings::trials_in(std::int64_t round) const {
  std::set<std::int64_t> trials;
  for (const auto& [key, training] : all_) {
    if (key.round == round) trials.insert(key.trial);
  }
  return {trials.begin(), trials.end()};
}

std::vector<std::int64_t> TrialTrainings::repeats_of(std::int64_t trial, std::int64_t round) const {
  std::vector<std::int64_t> repeats;
  for (auto item = all_.lower_bound({.trial = trial, .round = round, .repeat = 0});
       item != all_.end() && item->first.trial == trial && item->first.round == round; ++item) {
    repeats.push_back(item->first.repeat);
  }
  return repeats;
}

double TrialTrainings::mean(std::int64_t trial, std::int64_t round, const std::vector<std::int64_t>& repeats) const {
  std::vector<double> values;
  for (const std::int64_t repeat : repeats) {
    values.push_back(all_.at({.trial = trial, .round = round, .repeat = repeat}).valid.value());
  }
  return summarise(values).mean;
}

std::vector<std::int64_t> TrialTrainings::ranked(std::int64_t round, const std::vector<std::int64_t>& members) const {
  std::vector<std::int64_t> ranks;
  for (const std::int64_t trial : members) {
    if (trial > 0 && !failed(trial) && !repeats_of(trial, round).empty()) ranks.push_back(trial);
  }
  std::map<std::int64_t, double> means;
  for (const std::int64_t trial : ranks) means[trial] = mean(trial, round, repeats_of(trial, round));
  std::stable_sort(ranks.begin(), ranks.end(), [&](auto a, auto b) { return means.at(a) > means.at(b); });
  return ranks;
}

TuneComparison TrialTrainings::compare(const std::vector<TuneStage>& stages) const {
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
    TuneComparison comparison{.round = stage->round, .repeats = {}, .ranks = stage->members};
    std::erase_if(comparison.ranks, [&](std::int64_t trial) { return failed(trial); });
    const bool has_default = std::find(comparison.ranks.begin(), comparison.ranks.end(), 0) != comparison.ranks.end();
    if (comparison.ranks.empty() || (!has_default && !failed(0))) continue;
    for (std::int64_t i = 0; i < stage->round.repeats; ++i) {
      const std::int64_t repeat = stage->round.first_repeat + i;
      const bool common = std::all_of(comparison.ranks.begin(), comparison.ranks.end(), [&](std::int64_t trial) {
        return contains({.trial = trial, .round = stage->round.number, .repeat = repeat});
      });
      if (common) comparison.repeats.push_back(repeat);
    }
    if (comparison.repeats.empty()) continue;
    std::map<std::int64_t, double> means;
    for (const std::int64_t trial : comparison.ranks) {
      means[trial] = mean(trial, stage->round.number, comparison.repeats);
    }
    std::stable_sort(comparison.ranks.begin(), comparison.ranks.end(),
                     [&](auto a, auto b) { return means.at(a) > means.at(b); });
    return comparison;
  }
  return {};
}

TuneCost TrialTrainings::mean_cost(const std::vector<std::int64_t>& trials,
                                   const std::function<std::int64_t(std::int64_t)>& epochs_of) const {
  TuneCost cost;
  double trainings = 0;
  for (const auto& [key, training] : all_) {
    if (!training.valid || std::find(trials.begin(), trials.end(), key.trial) == trials.end()) continue;
    const auto epochs = static_cast<double>(epochs_of(key.trial));
    cost.setup += training.setup_seconds;
    cost.training += training.seconds / static_cast<double>(training.epochs) * epochs;
    ++trainings;
    if (key.round == kTuneRounds) cost.stops_after = static_cast<double>(training.epochs) / epochs;
  }
  if (trainings == 0) return {};
  cost.setup /= trainings;
  cost.training /= trainings;
  return cost;
}

}  // namespace gir
