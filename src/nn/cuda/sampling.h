#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "epoch_stream.h"
#include "gir/core/types.h"
#include "gir/data/node_pair.h"

namespace gir::cuda {

/// A PairUniverse on the device.
struct DeviceUniverse {
  std::uint64_t size;
  const NodeId* members;  ///< null: one group of all nodes
  const std::int64_t* group_begin;
  const std::uint64_t* starts;
  std::int64_t groups;
};

/// The hash table of a PairSet on the device.
struct DevicePairSet {
  const std::uint64_t* slots;
  int bits;  ///< 2^bits slots
};

/// Workspace of draw_pairs(): a hash table of sampled pairs with 2^bits > `candidates` slots, and one entry per
/// candidate.
struct DrawWorkspace {
  std::int32_t candidates;  ///< number of random draws; enough that `count` of them are distinct and allowed
  int bits;
  std::uint64_t* keys;   ///< [2^bits]: the sampled pairs
  std::uint32_t* first;  ///< [2^bits], directly after the keys: the first candidate with this pair
  std::int32_t* place;   ///< [candidates]: slot of its pair; -1 if excluded
  std::int32_t* counts;  ///< [candidates]: 1 if accepted, that is new and allowed
  std::int32_t* ranks;   ///< [candidates]: number of accepted candidates before
  void* scan_workspace;
  std::size_t scan_bytes;
};

/// Size of scan_workspace in bytes.
std::size_t scan_bytes(std::int32_t candidates);

/// The first `count` distinct allowed pairs in the order of the stream: the same as gir::draw_pairs().
void draw_pairs(const DeviceUniverse& universe, const DevicePairSet& excluded, const EpochStream& random,
                std::int64_t count, const DrawWorkspace& workspace, NodePair* drawn, cudaStream_t stream);

/// Workspace of index_pairs(). End 2p + k is node k of pair p.
struct SortWorkspace {
  std::int32_t* nodes;         ///< [2 pairs]
  std::int32_t* sorted_nodes;  ///< [2 pairs]
  std::int32_t* ends;          ///< [2 pairs]: 0, 1, 2, ...
  std::int32_t* sorted_ends;   ///< [2 pairs]
  void* sort_workspace;
  std::size_t sort_bytes;
};

/// Size of sort_workspace in bytes.
std::size_t sort_bytes(std::int64_t pairs, std::int64_t num_nodes);

/// Groups the pairs by node, ascending, with a stable sort of their ends: see PairBatch.
void index_pairs(const NodePair* pairs, std::int64_t count, std::int64_t num_nodes, const SortWorkspace& workspace,
                 std::int64_t* offsets, std::int32_t* pair_of, NodeId* partner, cudaStream_t stream);

}  // namespace gir::cuda
