#include "gir/data/pairs.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "gir/core/error.h"
#include "gir/core/random_batch.h"

namespace gir {
namespace {

/// Lists the allowed pairs and samples `count` of them by a partial shuffle: for universes with few free pairs.
std::vector<NodePair> draw_by_listing(const PairUniverse& universe, std::size_t count,
                                      const std::function<bool(NodePair)>& excluded, RandomStream stream) {
  std::vector<NodePair> allowed;
  for (std::uint64_t number = 0; number < universe.size(); ++number) {
    const NodePair pair = universe.pair(number);
    if (!excluded(pair)) allowed.push_back(pair);
  }
  ensure(allowed.size() >= count, "more pairs are excluded than num_excluded");
  Rng rng(stream);
  for (std::size_t i = 0; i < count; ++i) std::swap(allowed[i], allowed[i + rng.below(allowed.size() - i)]);
  allowed.resize(count);
  return allowed;
}

/// Whether a universe is so small that a bitmap of all pairs is cheaper than a hash set of `count` pairs.
bool has_few_pairs(std::uint64_t universe, std::size_t count) {
  constexpr std::uint64_t kMaxWordsPerDraw = 4;
  return universe / 64 <= kMaxWordsPerDraw * count;
}

/// Sets a bit; returns whether it was not set before.
bool set_bit(std::vector<std::uint64_t>& bits, std::uint64_t number) {
  std::uint64_t& word = bits[number / 64];
  const std::uint64_t bit = std::uint64_t{1} << number % 64;
  const bool is_new = (word & bit) == 0;
  word |= bit;
  return is_new;
}

/// Number of pairs of the universe that are not excluded; UserError where it is less than `count`.
std::uint64_t free_pairs(const PairUniverse& universe, std::uint64_t num_excluded, std::size_t count,
                         std::string_view what) {
  const std::uint64_t free = universe.size() - std::min(universe.size(), num_excluded);
  if (free < count) {
    throw UserError("{}: {} pairs are needed, but only {} are left [use a sparser graph or a smaller split]", what,
                    count, free);
  }
  return free;
}

/// The pairs that were drawn: a bitmap for a small universe, else a hash set.
class DrawnPairs {
 public:
  DrawnPairs(std::uint64_t universe, std::size_t count)
      : bits_(has_few_pairs(universe, count) ? universe / 64 + 1 : 0), set_(bits_.empty() ? count : 0) {}

  /// Whether the pair with this number is new.
  bool insert(std::uint64_t number, NodePair pair) {
    return bits_.empty() ? set_.insert(pair) : set_bit(bits_, number);
  }

 private:
  std::vector<std::uint64_t> bits_;
  PairSet set_;
};

}  // namespace

PairSet::PairSet(std::size_t expected)
    : slots_(std::bit_ceil(std::max<std::size_t>(16, expected * 2)), kNoPair), hints_(slots_.size(), 0) {}

// The highest bits of the hash select the slot, the three bits after them one of the eight bits of its hint.
PairSet::Home PairSet::home(std::uint64_t key) const {
  const std::uint64_t hash = pair_hash(key);
  const int shift = std::countl_zero(slots_.size() - 1);
  return {.place = static_cast<std::size_t>(hash >> shift),
          .hint = static_cast<std::uint8_t>(1u << (hash >> (shift - 3) & 7))};
}

// The slot of the key, or the free slot where it would be inserted. There is always one: at most half are in use.
std::size_t PairSet::slot(std::uint64_t key, std::size_t place) const {
  while (slots_[place] != kNoPair && slots_[place] != key) place = (place + 1) & (slots_.size() - 1);
  return place;
}

void PairSet::put(std::uint64_t key, std::size_t place, const Home& home) {
  slots_[place] = key;
  hints_[home.place] |= home.hint;
}

bool PairSet::insert(NodePair pair) {
  if ((size_ + 1) * 2 > slots_.size()) grow();
  const std::uint64_t key = key_of(pair);
  const Home at = home(key);
  const std::size_t place = slot(key, at.place);
  if (slots_[place] != kNoPair) return false;
  put(key, place, at);
  ++size_;
  return true;
}

bool PairSet::contains(NodePair pair) const {
  const std::uint64_t key = key_of(pair);
  const Home at = home(key);
  return (hints_[at.place] & at.hint) != 0 && slots_[slot(key, at.place)] != kNoPair;
}

void PairSet::grow() {
  std::vector<std::uint64_t> old(slots_.size() * 2, kNoPair);
  old.swap(slots_);
  hints_.assign(slots_.size(), 0);
  for (const std::uint64_t key : old) {
    if (key == kNoPair) continue;
    const Home at = home(key);
    put(key, slot(key, at.place), at);
  }
}

PairUniverse PairUniverse::all(std::int64_t nodes) {
  PairUniverse universe;
  universe.group_begin_ = {0};
  universe.starts_ = {0, pairs_among(static_cast<std::uint64_t>(nodes))};
  return universe;
}

PairUniverse PairUniverse::within(std::span<const std::int32_t> group, std::int32_t num_groups) {
  PairUniverse universe;
  std::vector<std::int64_t> size(static_cast<std::size_t>(num_groups), 0);
  for (const std::int32_t g : group) {
    if (g >= 0) ++size[static_cast<std::size_t>(g)];
  }
  universe.starts_ = {0};
  std::int64_t begin = 0;
  for (const std::int64_t members : size) {
    universe.group_begin_.push_back(begin);
    universe.starts_.push_back(universe.starts_.back() + pairs_among(static_cast<std::uint64_t>(members)));
    begin += members;
  }
  universe.members_.resize(static_cast<std::size_t>(begin));
  std::vector<std::int64_t> next = universe.group_begin_;
  for (std::size_t v = 0; v < group.size(); ++v) {
    if (group[v] < 0) continue;
    universe.members_[static_cast<std::size_t>(next[static_cast<std::size_t>(group[v])]++)] = static_cast<NodeId>(v);
  }
  return universe;
}

NodePair PairUniverse::pair(std::uint64_t number) const {
  if (members_.empty()) {
    const auto [smaller, larger] = places_of_pair(number);
    return {static_cast<NodeId>(smaller), static_cast<NodeId>(larger)};
  }
  const auto group = std::upper_bound(starts_.begin(), starts_.end(), number) - starts_.begin() - 1;
  const auto [smaller, larger] = places_of_pair(number - starts_[static_cast<std::size_t>(group)]);
  const auto begin = static_cast<std::uint64_t>(group_begin_[static_cast<std::size_t>(group)]);
  return {members_[begin + smaller], members_[begin + larger]};
}

bool is_nearly_used_up(std::uint64_t universe, std::uint64_t free, std::size_t count) {
  // An upper bound of the expected number of draws: the last one succeeds with probability (free - count + 1) /
  // universe.
  const double draws =
      static_cast<double>(count) * static_cast<double>(universe) / static_cast<double>(free - count + 1);
  return draws >= static_cast<double>(universe);
}

std::vector<NodePair> draw_pairs(const PairUniverse& universe, std::size_t count, std::uint64_t num_excluded,
                                 const std::function<bool(NodePair)>& excluded, RandomStream stream,
                                 std::string_view what) {
  const std::uint64_t free = free_pairs(universe, num_excluded, count, what);
  if (is_nearly_used_up(universe.size(), free, count)) return draw_by_listing(universe, count, excluded, stream);
  std::vector<NodePair> drawn;
  drawn.reserve(count);
  DrawnPairs taken(universe.size(), count);
  for (std::uint64_t index = 0; drawn.size() < count; ++index) {
    const std::uint64_t number = stream.below(index, universe.size());
    const NodePair pair = universe.pair(number);
    if (!excluded(pair) && taken.insert(number, pair)) drawn.push_back(pair);
  }
  return drawn;
}

PairDrawer::PairDrawer(const PairUniverse& universe, const PairSet& excluded) {
  if (!has_few_pairs(universe.size(), excluded.size())) return;
  bits_.assign(universe.size() / 64 + 1, 0);
  for (std::uint64_t number = 0; number < universe.size(); ++number) {
    if (excluded.contains(universe.pair(number))) set_bit(bits_, number);
  }
}

std::vector<NodePair> PairDrawer::draw(const PairUniverse& universe, const PairSet& excluded, std::size_t count,
                                       RandomStream stream, std::string_view what) const {
  const std::uint64_t free = free_pairs(universe, excluded.size(), count, what);
  if (bits_.empty() || is_nearly_used_up(universe.size(), free, count)) {
    return draw_pairs(
        universe, count, excluded.size(), [&](NodePair pair) { return excluded.contains(pair); }, stream, what);
  }
  std::vector<std::uint64_t> taken = bits_;
  std::vector<NodePair> drawn;
  drawn.reserve(count);
  // The numbers of single draws, in batches, which are faster. What remains of the last batch is not used.
  for (std::uint64_t index = 0; drawn.size() < count; index += kRandomBatch) {
    for (const std::uint64_t number : random_below(stream, index, universe.size())) {
      if (drawn.size() < count && set_bit(taken, number)) drawn.push_back(universe.pair(number));
    }
  }
  return drawn;
}

}  // namespace gir
