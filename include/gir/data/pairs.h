#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "gir/core/export.h"
#include "gir/core/random.h"
#include "gir/core/types.h"
#include "gir/data/node_pair.h"
#include "gir/data/pair_numbers.h"
#include "gir/graph/graph.h"

namespace gir {

/// A hash set of unordered pairs. Open addressing with linear probing, 18 to 36 bytes per pair.
class GIR_API PairSet {
 public:
  explicit PairSet(std::size_t expected = 0);

  /// Whether the pair is new.
  bool insert(NodePair pair);
  bool contains(NodePair pair) const;
  std::size_t size() const { return size_; }

  /// The table itself, for lookups on a device: 2^b slots with keys of pairs or kNoPair. A search begins at the slot
  /// given by the highest b bits of pair_hash() and proceeds to the next slot.
  std::span<const std::uint64_t> slots() const { return slots_; }

 private:
  /// The slot where the search for a key begins, and the key's bit in the hint of that slot.
  struct Home {
    std::size_t place;
    std::uint8_t hint;
  };

  Home home(std::uint64_t key) const;
  std::size_t slot(std::uint64_t key, std::size_t place) const;
  void put(std::uint64_t key, std::size_t place, const Home& home);
  void grow();

  std::vector<std::uint64_t> slots_;
  /// One byte per slot, a small Bloom filter of the keys whose search begins there. Most lookups are for pairs that are
  /// not in the set; this answers them from an eighth of the memory.
  std::vector<std::uint8_t> hints_;
  std::size_t size_ = 0;
};

/// The set from which pairs are sampled: the unordered pairs within groups of nodes. One group of all nodes for links,
/// one group per component for node pairs. Pairs are numbered 0 .. size()-1 and found by number in O(log groups).
class GIR_API PairUniverse {
 public:
  /// All unordered pairs of `nodes` nodes.
  static PairUniverse all(std::int64_t nodes);

  /// Pairs within groups; group[v] is the group of node v, or negative for a node in no group.
  static PairUniverse within(std::span<const std::int32_t> group, std::int32_t num_groups);

  std::uint64_t size() const { return starts_.back(); }
  NodePair pair(std::uint64_t number) const;

  std::span<const NodeId> members() const { return members_; }                ///< by group; empty: all nodes
  std::span<const std::int64_t> group_begin() const { return group_begin_; }  ///< index of a group's first member
  std::span<const std::uint64_t> starts() const { return starts_; }           ///< number of a group's first pair

 private:
  std::vector<NodeId> members_;
  std::vector<std::int64_t> group_begin_;
  std::vector<std::uint64_t> starts_;
};

/// Draws `count` distinct pairs of `universe` uniformly, except those for which `excluded` is true. A function of the
/// arguments alone. `num_excluded` is the number of excluded pairs of the universe; UserError, whose message begins
/// with `what`, where not enough others are left. Expected O(count * universe / free) or O(universe), whichever is
/// less.
GIR_API std::vector<NodePair> draw_pairs(const PairUniverse& universe, std::size_t count, std::uint64_t num_excluded,
                                         const std::function<bool(NodePair)>& excluded, RandomStream stream,
                                         std::string_view what);

/// Whether rejection sampling of `count` of the `free` pairs (at least `count`) would take more draws than there are
/// pairs in the universe: towards the end, only one draw in universe / free succeeds. All pairs are then listed
/// instead, which gives another sequence.
GIR_API bool is_nearly_used_up(std::uint64_t universe, std::uint64_t free, std::size_t count);

/// Repeated sampling with the same excluded pairs: the same result as draw_pairs(), but faster. Where the universe is
/// small, it keeps a bitmap in which excluded pairs count as drawn.
class GIR_API PairDrawer {
 public:
  PairDrawer() = default;
  PairDrawer(const PairUniverse& universe, const PairSet& excluded);

  /// `universe` and `excluded` must be those of the constructor.
  std::vector<NodePair> draw(const PairUniverse& universe, const PairSet& excluded, std::size_t count,
                             RandomStream stream, std::string_view what) const;

 private:
  std::vector<std::uint64_t> bits_;  ///< empty for a large universe
};

}  // namespace gir
