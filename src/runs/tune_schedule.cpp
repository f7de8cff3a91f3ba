#include "gir/runs/tune_schedule.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gir {
namespace {

constexpr std::int64_t kReduction = 3;  ///< a round keeps one challenger in so many
constexpr std::int64_t kSecondRoundSplits = 2;

TuneRound first_round(std::int64_t challengers) {
  return {.number = 1, .challengers = challengers, .repeats = 1, .first_repeat = 0, .share = share_of(1)};
}

TuneRound second_round(std::int64_t challengers) {
  return {
      .number = 2, .challengers = challengers, .repeats = kSecondRoundSplits, .first_repeat = 1, .share = share_of(2)};
}

std::int64_t reduced(std::int64_t challengers) { return (challengers + kReduction - 1) / kReduction; }

/// A way to shorten a search.
struct Shape {
  std::int64_t splits;           ///< of the last round
  std::int64_t min_challengers;  ///< challengers that make it worth while
  std::int64_t last_round;       ///< that takes place
};

/// The rounds that are still to come. How many challengers there are is only known at the end of the first round, which
/// therefore always takes place.
std::vector<TuneRound> rounds_of(std::int64_t challengers, const Shape& shape, std::int64_t next_round) {
  std::vector<TuneRound> rounds = tune_rounds(challengers, shape.splits);
  if (rounds.front().number > 1) rounds.insert(rounds.begin(), first_round(challengers));
  if (shape.last_round == 2) rounds = {first_round(challengers), second_round(reduced(challengers))};
  std::erase_if(rounds,
                [&](const TuneRound& round) { return round.number < next_round || round.number > shape.last_round; });
  return rounds;
}

/// For as many challengers as fit; empty if fewer do than the shape wants.
std::vector<TuneRound> largest_that_fits(const TuneOutlook& outlook, const Shape& shape) {
  for (std::int64_t challengers = outlook.max_challengers; challengers >= shape.min_challengers; --challengers) {
    std::vector<TuneRound> rounds = rounds_of(challengers, shape, outlook.next_round);
    if (!rounds.empty() && seconds_of(rounds, outlook) <= outlook.seconds_left) return rounds;
  }
  return {};
}

}  // namespace

double share_of(std::int64_t round) {
  double share = 1;
  for (; round < kTuneRounds; ++round) share /= static_cast<double>(kReduction);
  return share;
}

std::vector<TuneRound> tune_rounds(std::int64_t challengers, std::int64_t splits) {
  const std::int64_t second = reduced(challengers);
  const std::int64_t third = reduced(second);
  std::vector<TuneRound> rounds;
  if (challengers > second) rounds.push_back(first_round(challengers));
  if (second > third) rounds.push_back(second_round(second));
  rounds.push_back({.number = kTuneRounds,
                    .challengers = third,
                    .repeats = splits,
                    .first_repeat = 1 + kSecondRoundSplits,
                    .share = share_of(kTuneRounds)});
  return rounds;
}

double seconds_of(const std::vector<TuneRound>& rounds, const TuneOutlook& outlook) {
  double seconds = 0;
  for (const TuneRound& round : rounds) {
    const bool started = round.number == outlook.next_round && outlook.missing;
    const auto trainings = static_cast<double>(started ? outlook.missing(round) : round.trainings());
    const TuneCost& cost = round.number == 1 ? outlook.first_cost : outlook.cost;
    seconds += std::ceil(trainings / outlook.threads) * cost.seconds(round.share);
  }
  return seconds;
}

std::vector<TuneRound> fitting_rounds(const TuneOutlook& outlook) {
  const std::int64_t few_splits = std::min<std::int64_t>(outlook.splits, 2);
  // A comparison on several splits is worth more than many candidates that one validation set cannot distinguish.
  const std::array<Shape, 5> shapes = {{{.splits = outlook.splits, .min_challengers = 8, .last_round = 3},
                                        {.splits = few_splits, .min_challengers = 5, .last_round = 3},
                                        {.splits = 1, .min_challengers = 1, .last_round = 3},
                                        {.splits = 1, .min_challengers = 1, .last_round = 2},
                                        {.splits = 1, .min_challengers = 1, .last_round = 1}}};
  for (const Shape& shape : shapes) {
    std::vector<TuneRound> rounds = largest_that_fits(outlook, shape);
    if (!rounds.empty()) return rounds;
  }
  return {};
}

}  // namespace gir
