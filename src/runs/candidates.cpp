#include "candidates.h"

#include <utility>

#include "gir/core/error.h"
#include "gir/runs/experiment.h"

namespace gir {
namespace {

/// Draws in a row without a new combination after which a space counts as exhausted.
constexpr int kMaxDraws = 2000;

std::uint64_t search_seed(const SettingValues& given) {
  RunConfig config;
  if (const auto seed = given.find("seed"); seed != given.end()) set(config, "seed", seed->second);
  return config.seed;
}

}  // namespace

Candidates::Candidates(const Dataset& dataset, std::string recipe, SettingValues given, SearchSpace space)
    : dataset_(dataset),
      recipe_(std::move(recipe)),
      given_(std::move(given)),
      space_(std::move(space)),
      random_(search_seed(given_), "tune/candidates") {
  const RunConfig config = resolve(recipe_, given_, dataset_);
  seen_changes_.insert(SettingValues());
  seen_configs_.insert(settings_text(config));
  drawn_.emplace(0, Candidate{.changes = {}, .config = config});
}

const Candidate* Candidates::at(std::int64_t number) {
  while (!exhausted_ && number >= std::ssize(drawn_)) {
    auto candidate = draw();
    if (candidate) drawn_.emplace(std::ssize(drawn_), std::move(*candidate));
    exhausted_ = !candidate;
  }
  const auto found = drawn_.find(number);
  return found == drawn_.end() ? nullptr : &found->second;
}

std::optional<Candidate> Candidates::draw() {
  for (int draws = 0; draws < kMaxDraws; ++draws) {
    SettingValues changes;
    for (const SearchDimension& dimension : space_) {
      if (dimension.may_keep && random_.below(2) == 0) continue;
      changes[dimension.setting] = dimension.values[random_.below(dimension.values.size())];
    }
    if (!seen_changes_.insert(changes).second) continue;
    draws = 0;
    try {
      if (auto candidate = candidate_of(std::move(changes))) return candidate;
      ++repeated_;
    } catch (const UserError&) {
      ++invalid_;
    }
  }
  return std::nullopt;
}

SettingValues Candidates::with(const SettingValues& changes) const {
  SettingValues values = changes;
  values.insert(given_.begin(), given_.end());
  return values;
}

/// What the given settings mean for the model of a candidate.
const RunConfig& Candidates::model_default(const SettingValues& changes) {
  const auto model = changes.find("model");
  const std::string name = model == changes.end() ? "" : model->second;
  auto found = model_defaults_.find(name);
  if (found == model_defaults_.end()) {
    const SettingValues values = with(name.empty() ? SettingValues() : SettingValues{{"model", name}});
    found = model_defaults_.emplace(name, resolve(recipe_, values, dataset_)).first;
  }
  return found->second;
}

/// Nothing if an earlier candidate is the same. Changes that change nothing, and those of anchors where the model has
/// none, are dropped.
std::optional<Candidate> Candidates::candidate_of(SettingValues changes) {
  const RunConfig& base = model_default(changes);
  std::erase_if(changes, [&](const auto& change) {
    const RunConfig& before = change.first == "model" ? default_candidate().config : base;
    return find_setting(change.first).get(before) == change.second;
  });
  RunConfig config = resolve(recipe_, with(changes), dataset_);
  if (!uses_anchors(config)) {
    std::erase_if(changes,
                  [](const auto& change) { return find_setting(change.first).group == SettingGroup::kAnchors; });
    config = resolve(recipe_, with(changes), dataset_);
  }
  if (!seen_configs_.insert(settings_text(config)).second) return std::nullopt;
  return Candidate{.changes = std::move(changes), .config = std::move(config)};
}

}  // namespace gir
