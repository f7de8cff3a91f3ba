#include "number_nodes.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/parallel.h"

namespace gir {
namespace {

constexpr std::int64_t kPairsPerBlock = 1 << 16;

/// A set of ids below a limit as a bitmap, with the rank of every id (the number of smaller ids in the set).
class IdSet {
 public:
  explicit IdSet(std::int64_t limit) : words_(num_blocks(limit, 64), 0), before_(num_blocks(limit, 64) + 1) {}

  /// Thread-safe. The plain load avoids atomic writes for ids that occur many times.
  void add(std::int64_t id) {
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    std::atomic_ref<std::uint64_t> word(words_[id / 64]);
    if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
  }

  /// Must be called once, after the last add() and before the functions below.
  void count() {
    before_[0] = 0;
    for (std::int64_t i = 0; i < words_.size(); ++i) before_[i + 1] = before_[i] + std::popcount(words_[i]);
  }

  std::int64_t size() const { return before_[words_.size()]; }

  NodeId rank(std::int64_t id) const {
    const std::uint64_t lower = words_[id / 64] & ((std::uint64_t{1} << (id % 64)) - 1);
    return static_cast<NodeId>(before_[id / 64] + std::popcount(lower));
  }

  Array<std::int64_t> ids() const {
    Array<std::int64_t> result(size());
    std::int64_t* next = result.data();
    for (std::int64_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) *next++ = i * 64 + std::countr_zero(word);
    }
    return result;
  }

 private:
  Array<std::uint64_t> words_;
  Array<std::int64_t> before_;  ///< number of ids in all words before this one
};

void check_count(std::size_t nodes) {
  if (nodes > static_cast<std::size_t>(kMaxNodes)) {
    throw UserError("{} nodes are more than the {} that a graph can have", nodes, kMaxNodes);
  }
}

std::int64_t largest_id(const Array<Arc>& pairs, std::span<const NodeId> isolated) {
  std::vector<NodeId> largest(static_cast<std::size_t>(num_blocks(pairs.size(), kPairsPerBlock)), 0);
  parallel_for(pairs.size(), kPairsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    NodeId in_block = 0;
    for (std::int64_t i = begin; i < end; ++i) in_block = std::max({in_block, pairs[i].source, pairs[i].target});
    largest[static_cast<std::size_t>(begin / kPairsPerBlock)] = in_block;
  });
  largest.insert(largest.end(), isolated.begin(), isolated.end());
  return *std::max_element(largest.begin(), largest.end());
}

/// Numbers the nodes through a bitmap of all ids below `limit`; ids that are 0 .. limit-1 without gaps need no
/// renumbering.
NumberedArcs number_by_bitmap(Array<Arc> pairs, std::span<const NodeId> isolated, std::int64_t limit) {
  IdSet present(limit);
  parallel_for(pairs.size(), kPairsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      present.add(pairs[i].source);
      present.add(pairs[i].target);
    }
  });
  for (const NodeId id : isolated) present.add(id);
  present.count();
  if (present.size() == limit) return {std::move(pairs), NodeNames::positions(limit)};
  parallel_for(pairs.size(), kPairsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      pairs[i] = {present.rank(pairs[i].source), present.rank(pairs[i].target)};
    }
  });
  return {std::move(pairs), NodeNames::integers(present.ids())};
}

}  // namespace

NumberedArcs number_nodes(Array<Arc> pairs, std::span<const NodeId> isolated) {
  if (pairs.empty() && isolated.empty()) return {};
  const std::int64_t limit = largest_id(pairs, isolated) + 1;
  // A bitmap that is no larger than the pairs is faster than sorting the ids.
  if (limit / 64 <= pairs.size() + 1024) return number_by_bitmap(std::move(pairs), isolated, limit);
  Array<IdPair<std::int64_t>> wide(pairs.size());
  std::transform(pairs.begin(), pairs.end(), wide.begin(), [](Arc arc) {
    return IdPair<std::int64_t>{arc.source, arc.target};
  });
  const std::vector<std::int64_t> wide_isolated(isolated.begin(), isolated.end());
  return number_nodes(wide, wide_isolated);
}

NumberedArcs number_nodes(const Array<IdPair<std::int64_t>>& pairs, std::span<const std::int64_t> isolated) {
  std::vector<std::int64_t> ids(isolated.begin(), isolated.end());
  ids.reserve(ids.size() + static_cast<std::size_t>(pairs.size()) * 2);
  for (const auto& [source, target] : pairs) {
    ids.push_back(source);
    ids.push_back(target);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  check_count(ids.size());
  const auto position = [&](std::int64_t id) {
    return static_cast<NodeId>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
  };
  NumberedArcs numbered;
  numbered.arcs = Array<Arc>(pairs.size());
  parallel_for(pairs.size(), kPairsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      numbered.arcs[i] = {position(pairs[i].source), position(pairs[i].target)};
    }
  });
  numbered.names = NodeNames::integers(Array<std::int64_t>(std::span<const std::int64_t>(ids)));
  return numbered;
}

NumberedArcs number_nodes(const Array<IdPair<std::string_view>>& pairs, std::span<const std::string_view> isolated) {
  // First in the order of occurrence, then renumbered in ascending order.
  std::unordered_map<std::string_view, NodeId> by_text;
  std::vector<std::string_view> texts;
  const auto number = [&](std::string_view text) {
    const auto [place, is_new] = by_text.try_emplace(text, static_cast<NodeId>(texts.size()));
    if (is_new) {
      check_count(texts.size() + 1);
      texts.push_back(text);
    }
    return place->second;
  };
  NumberedArcs numbered;
  numbered.arcs = Array<Arc>(pairs.size());
  for (std::int64_t i = 0; i < pairs.size(); ++i) {
    const NodeId source = number(pairs[i].source);
    numbered.arcs[i] = {source, number(pairs[i].target)};
  }
  for (const std::string_view text : isolated) number(text);

  std::vector<NodeId> ascending(texts.size());
  std::iota(ascending.begin(), ascending.end(), 0);
  std::sort(ascending.begin(), ascending.end(), [&](NodeId a, NodeId b) {
    return texts[static_cast<std::size_t>(a)] < texts[static_cast<std::size_t>(b)];
  });
  std::vector<NodeId> position(texts.size());
  std::vector<std::string> names;
  for (const NodeId old_number : ascending) {
    position[static_cast<std::size_t>(old_number)] = static_cast<NodeId>(names.size());
    names.emplace_back(texts[static_cast<std::size_t>(old_number)]);
  }
  for (Arc& arc : numbered.arcs) {
    arc = {position[static_cast<std::size_t>(arc.source)], position[static_cast<std::size_t>(arc.target)]};
  }
  numbered.names = NodeNames::strings(names);
  return numbered;
}

}  // namespace gir
