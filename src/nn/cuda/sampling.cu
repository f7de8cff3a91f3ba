#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "dropout.cuh"
#include "gir/data/pair_numbers.h"
#include "sampling.h"
#include "threads.cuh"

namespace gir::cuda {
namespace {

/// Binary search for the group that contains pair `number`: the last one that starts at or before it.
__device__ std::int64_t group_of(const DeviceUniverse& universe, std::uint64_t number) {
  std::int64_t low = 0;
  std::int64_t high = universe.groups;
  while (low + 1 < high) {
    const std::int64_t middle = (low + high) / 2;
    (universe.starts[middle] <= number ? low : high) = middle;
  }
  return low;
}

__device__ NodePair pair_at(const DeviceUniverse& universe, std::uint64_t number) {
  if (universe.members == nullptr) {
    const PlacesOfPair places = places_of_pair(number);
    return {static_cast<NodeId>(places.smaller), static_cast<NodeId>(places.larger)};
  }
  const std::int64_t group = group_of(universe, number);
  const PlacesOfPair places = places_of_pair(number - universe.starts[group]);
  const NodeId* members = universe.members + universe.group_begin[group];
  return {members[places.smaller], members[places.larger]};
}

__device__ bool contains(const DevicePairSet& set, std::uint64_t key) {
  const std::uint64_t mask = (std::uint64_t{1} << set.bits) - 1;
  for (std::uint64_t place = pair_hash(key) >> (64 - set.bits);; place = (place + 1) & mask) {
    const std::uint64_t found = set.slots[place];
    if (found == key) return true;
    if (found == kNoPair) return false;
  }
}

/// Inserts a pair into the hash table; returns its slot.
__device__ std::int32_t enter(const DrawWorkspace& workspace, std::uint64_t key) {
  const std::uint64_t mask = (std::uint64_t{1} << workspace.bits) - 1;
  for (std::uint64_t place = pair_hash(key) >> (64 - workspace.bits);; place = (place + 1) & mask) {
    const auto found = atomicCAS(reinterpret_cast<unsigned long long*>(workspace.keys + place),
                                 static_cast<unsigned long long>(kNoPair), static_cast<unsigned long long>(key));
    if (found == kNoPair || found == key) return static_cast<std::int32_t>(place);
  }
}

int bits_of(std::int64_t num_nodes) { return std::bit_width(static_cast<std::uint64_t>(num_nodes)); }

}  // namespace

std::size_t scan_bytes(std::int32_t candidates) {
  std::size_t bytes = 0;
  const std::int32_t* counts = nullptr;
  std::int32_t* ranks = nullptr;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, counts, ranks, candidates));
  return bytes;
}

void draw_pairs(const DeviceUniverse& universe, const DevicePairSet& excluded, const EpochStream& random,
                std::int64_t count, const DrawWorkspace& workspace, NodePair* drawn, cudaStream_t stream) {
  const std::size_t places = std::size_t{1} << workspace.bits;
  check(cudaMemsetAsync(workspace.keys, 0xff, places * (sizeof(*workspace.keys) + sizeof(*workspace.first)), stream));
  for_each(workspace.candidates, stream, [=] __device__(std::int64_t i) {
    const std::uint64_t key =
        key_of(pair_at(universe, read_stream(random).below(static_cast<std::uint64_t>(i), universe.size)));
    workspace.place[i] = -1;
    if (contains(excluded, key)) return;
    const std::int32_t place = enter(workspace, key);
    workspace.place[i] = place;
    atomicMin(
        workspace.first + place,
        static_cast<std::uint32_t>(i));  // the first in the order of the stream, whatever the order of the threads
  });
  // A candidate is accepted if it is the first one with its pair; ranks are the positions among accepted candidates.
  for_each(workspace.candidates, stream, [=] __device__(std::int64_t i) {
    const std::int32_t place = workspace.place[i];
    workspace.counts[i] = place >= 0 && workspace.first[place] == i ? 1 : 0;
  });
  std::size_t bytes = workspace.scan_bytes;
  const std::int32_t* counts = workspace.counts;
  check(cub::DeviceScan::ExclusiveSum(workspace.scan_workspace, bytes, counts, workspace.ranks, workspace.candidates,
                                      stream));
  for_each(workspace.candidates, stream, [=] __device__(std::int64_t i) {
    const std::int32_t rank = workspace.ranks[i];
    if (i + 1 == workspace.candidates && rank + workspace.counts[i] < count)
      __trap();  // too few candidates: see draws_for()
    if (workspace.counts[i] == 0 || rank >= count) return;
    const std::uint64_t key = workspace.keys[workspace.place[i]];
    drawn[rank] = {static_cast<NodeId>(key >> 32), static_cast<NodeId>(key & 0xffffffff)};
  });
}

std::size_t sort_bytes(std::int64_t pairs, std::int64_t num_nodes) {
  std::size_t bytes = 0;
  const std::int32_t* from = nullptr;
  std::int32_t* to = nullptr;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, from, to, from, to, 2 * pairs, 0, bits_of(num_nodes)));
  return bytes;
}

void index_pairs(const NodePair* pairs, std::int64_t count, std::int64_t num_nodes, const SortWorkspace& workspace,
                 std::int64_t* offsets, std::int32_t* pair_of, NodeId* partner, cudaStream_t stream) {
  for_each(2 * count, stream, [=] __device__(std::int64_t end) {
    workspace.nodes[end] = end % 2 == 0 ? pairs[end / 2].first : pairs[end / 2].second;
    workspace.ends[end] = static_cast<std::int32_t>(end);
  });
  std::size_t bytes = workspace.sort_bytes;
  const std::int32_t* nodes = workspace.nodes;
  const std::int32_t* ends = workspace.ends;
  check(cub::DeviceRadixSort::SortPairs(workspace.sort_workspace, bytes, nodes, workspace.sorted_nodes, ends,
                                        workspace.sorted_ends, 2 * count, 0, bits_of(num_nodes), stream));
  for_each(2 * count, stream, [=] __device__(std::int64_t k) {
    const std::int32_t end = workspace.sorted_ends[k];
    pair_of[k] = end / 2;
    partner[k] = end % 2 == 0 ? pairs[end / 2].second : pairs[end / 2].first;
  });
  // Offsets by binary search in the sorted nodes.
  for_each(num_nodes + 1, stream, [=] __device__(std::int64_t node) {
    std::int64_t low = 0;
    std::int64_t high = 2 * count;
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (workspace.sorted_nodes[middle] < node) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    offsets[node] = low;
  });
}

}  // namespace gir::cuda
