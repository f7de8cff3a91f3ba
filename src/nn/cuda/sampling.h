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
  const NodeId* members;  ///< null: all nodes in order
  const std::int64_t* group_begin;
  const std::uint64_t* starts;
  std::int64_t groups;
};

/// The table of a PairSet on the device.
struct DevicePairSet {
  const std::uint64_t* slots;
  int bits;  ///< 2^bits slots
};

/// What drawing writes down meanwhile. 2^bits is more than `candidates`.
struct DrawRoom {
  std::int32_t candidates;  ///< draws; so many that enough of them are new and allowed
  int bits;
  std::uint64_t* keys;   ///< [2^bits]: pairs that were drawn
  std::uint32_t* first;  ///< [2^bits], behind the keys: which draw had a pair first
  std::int32_t* place;   ///< [candidates]: of its pair among the keys; -1 for excluded ones
  std::int32_t* counts;  ///< [candidates]: 1 for new and allowed pairs
  std::int32_t* ranks;   ///< [candidates]: how many of those were before
  void* scan_room;
  std::size_t scan_bytes;
};

/// Bytes that scan_room must have.
std::size_t scan_bytes(std::int32_t candidates);

/// The first `count` new and allowed pairs in the order of the stream: what gir::draw_pairs() gives.
void draw_pairs(const DeviceUniverse& universe, const DevicePairSet& excluded, const EpochStream& random,
                std::int64_t count, const DrawRoom& room, NodePair* drawn, cudaStream_t stream);

/// What sorting pairs by node writes down meanwhile.
struct SortRoom {
  std::int32_t* nodes;         ///< [2 pairs]
  std::int32_t* sorted_nodes;  ///< [2 pairs]
  std::int32_t* ends;          ///< [2 pairs]: 0, 1, 2, ...
  std::int32_t* sorted_ends;   ///< [2 pairs]
  void* sort_room;
  std::size_t sort_bytes;
};

/// Bytes that sort_room must have.
std::size_t sort_bytes(std::int64_t pairs, std::int64_t num_nodes);

/// The pairs of every node, ascending: see PairBatch.
void index_pairs(const NodePair* pairs, std::int64_t count, std::int64_t num_nodes, const SortRoom& room,
                 std::int64_t* offsets, std::int32_t* pair_of, NodeId* partner, cudaStream_t stream);

}  // namespace gir::cuda
