#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "gir/core/export.h"

namespace gir {

/// One round of successive halving: the default and the best challengers of the round before are trained on splits that
/// no earlier round used.
struct GIR_API TuneRound {
  std::int64_t number = 1;       ///< 1 to kTuneRounds
  std::int64_t challengers = 0;  ///< besides the default
  std::int64_t repeats = 1;      ///< trainings of each, on different splits
  std::int64_t first_repeat = 0;
  double share = 1;  ///< of the epochs of a complete training

  std::int64_t trainings() const { return (challengers + 1) * repeats; }
  bool operator==(const TuneRound&) const = default;
};

inline constexpr std::int64_t kTuneRounds = 3;

/// Share of the epochs of a complete training that trials train for in a round: a ninth, a third, all.
GIR_API double share_of(std::int64_t round);

/// The rounds of a search: all challengers train for a ninth of the epochs on one split, the best third of them for a
/// third of the epochs on two others, and the best third of these completely on `splits` others. A round that would
/// eliminate no trial is omitted, except the last one.
GIR_API std::vector<TuneRound> tune_rounds(std::int64_t challengers, std::int64_t splits);

/// What a training takes on one thread, in seconds.
struct GIR_API TuneCost {
  double setup = 0;        ///< split, anchors, distances
  double training = 0;     ///< all epochs
  double stops_after = 1;  ///< share of the epochs after which early stopping ends it

  double seconds(double share) const { return setup + std::min(share, stops_after) * training; }
};

/// What is known when a schedule is chosen.
struct GIR_API TuneOutlook {
  std::int64_t next_round = 1;       ///< that may start or is in progress
  std::int64_t max_challengers = 0;  ///< that can take part in it
  std::int64_t splits = 3;
  TuneCost first_cost;  ///< of a trial of the first round
  TuneCost cost;        ///< of those of later rounds
  int threads = 1;
  double seconds_left = 0;
  std::function<std::int64_t(const TuneRound&)> missing = {};  ///< trainings of the next round that are still to be
                                                               ///< done; empty: all
};

/// Seconds that the rounds from `next_round` on take.
GIR_API double seconds_of(const std::vector<TuneRound>& rounds, const TuneOutlook& outlook);

/// The rounds from `next_round` on that fit into the time that is left: with as many challengers as possible; where
/// that leaves too few of them, with fewer splits in the last round, then without the last rounds. Empty if no round
/// fits.
GIR_API std::vector<TuneRound> fitting_rounds(const TuneOutlook& outlook);

}  // namespace gir
