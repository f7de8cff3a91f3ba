#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "gir/core/random.h"
#include "gir/core/types.h"
#include "gir/data/node_pair.h"
#include "gir/data/pair_numbers.h"
#include "gir/graph/graph.h"

namespace gir {

/// A set of unordered pairs that answers membership in O(1). Open addressing, 18 to 36 bytes a pair.
class PairSet {
 public:
  explicit PairSet(std::size_t expected = 0);

  /// Whether it was new.
  bool insert(NodePair pair);
  bool contains(NodePair pair) const;
  std::size_t size() const { return size_; }

  /// The table itself, for devices that look into it: keys of pairs, as many as a power of two says (2^b), the rest
  /// kNoPair. A search begins at the highest b bits of pair_hash() and goes on to the next place.
  std::span<const std::uint64_t> slots() const { return slots_; }

 private:
  /// Where the search for a key begins, and its bit among the hints there.
  struct Home {
    std::size_t place;
    std::uint8_t hint;
  };

  Home home(std::uint64_t key) const;
  std::size_t slot(std::uint64_t key, std::size_t place) const;
  void put(std::uint64_t key, std::size_t place, const Home& home);
  void grow();

  std::vector<std::uint64_t> slots_;
  /// A byte a slot with the bits of keys that begin there: most pairs that are asked for are not members, and this says
  /// so at once, out of an eighth of the memory.
  std::vector<std::uint8_t> hints_;
  std::size_t size_ = 0;
};

/// Where pairs may be drawn from: the unordered pairs inside groups of nodes. One group of all nodes for
/// links; one a component for node pairs. Pairs are numbered 0 .. size()-1 and found by number in
/// O(log groups).
class PairUniverse {
 public:
  /// All unordered pairs of `nodes` nodes.
  static PairUniverse all(std::int64_t nodes);

  /// Pairs inside groups; group[v] is the group of node v, or negative for a node in none.
  static PairUniverse within(std::span<const std::int32_t> group, std::int32_t num_groups);

  std::uint64_t size() const { return starts_.back(); }
  NodePair pair(std::uint64_t number) const;

  std::span<const NodeId> members() const { return members_; }                ///< group after group; empty: all nodes
  std::span<const std::int64_t> group_begin() const { return group_begin_; }  ///< where a group's members begin
  std::span<const std::uint64_t> starts() const { return starts_; }           ///< number of the first pair of a group

 private:
  std::vector<NodeId> members_;
  std::vector<std::int64_t> group_begin_;
  std::vector<std::uint64_t> starts_;
};

/// Draws `count` distinct pairs of `universe` uniformly, none for which `excluded` says yes, as a function of
/// the stream alone. `num_excluded` pairs of the universe are excluded; UserError, beginning with `what`, when
/// not enough others are left. Expected O(count * universe / free) or O(universe), whichever is less.
std::vector<NodePair> draw_pairs(const PairUniverse& universe, std::size_t count, std::uint64_t num_excluded,
                                 const std::function<bool(NodePair)>& excluded, RandomStream stream,
                                 std::string_view what);

/// Whether drawing until `count` free pairs of a universe are found would be more work than looking at all: towards the
/// end one draw in universe / free hits. Such pairs are found in another order. At least `count` are free.
bool is_nearly_used_up(std::uint64_t universe, std::uint64_t free, std::size_t count);

/// Draws pairs that avoid the same ones over and over: what draw_pairs() gives, faster. Where the universe is small it
/// has a bit for every pair, and those that are excluded are as if drawn before.
class PairDrawer {
 public:
  PairDrawer() = default;
  PairDrawer(const PairUniverse& universe, const PairSet& excluded);

  /// The arguments must be those that it was made with.
  std::vector<NodePair> draw(const PairUniverse& universe, const PairSet& excluded, std::size_t count,
                             RandomStream stream, std::string_view what) const;

 private:
  std::vector<std::uint64_t> bits_;  ///< empty for a large universe
};

}  // namespace gir
