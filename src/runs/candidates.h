#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gir/core/random.h"
#include "gir/data/dataset.h"
#include "gir/runs/run_config.h"
#include "gir/runs/search_space.h"

namespace gir {

/// A configuration that a search tries.
struct Candidate {
  SettingValues changes;  ///< what differs from the default
  RunConfig config;
};

/// The candidates of a search, drawn from its space in an order that depends on the seed only. Number 0 is the default:
/// no changes.
class Candidates {
 public:
  Candidates(const Dataset& dataset, std::string recipe, SettingValues given, SearchSpace space);

  /// Candidate `number`; null if the space has fewer. All before it are drawn first. Valid as long as this object.
  const Candidate* at(std::int64_t number);

  std::int64_t size() const { return std::ssize(drawn_); }  ///< drawn so far
  const Candidate& default_candidate() const { return drawn_.begin()->second; }
  std::int64_t invalid() const { return invalid_; }    ///< combinations that were skipped because they are not valid
  std::int64_t repeated() const { return repeated_; }  ///< or because they are the same as an earlier candidate
  bool exhausted() const { return exhausted_; }        ///< no further candidates were found

 private:
  std::optional<Candidate> draw();
  std::optional<Candidate> candidate_of(SettingValues changes);
  SettingValues with(const SettingValues& changes) const;
  const RunConfig& model_default(const SettingValues& changes);

  const Dataset& dataset_;
  std::string recipe_;
  SettingValues given_;
  SearchSpace space_;
  Rng random_;
  std::map<std::int64_t, Candidate> drawn_;
  std::set<SettingValues> seen_changes_;
  std::set<std::string> seen_configs_;
  std::map<std::string, RunConfig> model_defaults_;  ///< by model, with the given settings; "": that of the default
  std::int64_t invalid_ = 0;
  std::int64_t repeated_ = 0;
  bool exhausted_ = false;
};

}  // namespace gir
