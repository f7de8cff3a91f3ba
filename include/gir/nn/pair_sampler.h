#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "gir/core/context.h"
#include "gir/core/random.h"
#include "gir/data/pairs.h"
#include "gir/nn/pair_ops.h"

namespace gir {

/// Where training pairs are sampled from.
struct PairSource {
  std::span<const NodePair> positives;  ///< all of them are part of every batch
  const PairUniverse& universe;         ///< the pairs that negatives are sampled from
  const PairSet& excluded;              ///< pairs that are never sampled as negatives
  std::int64_t nodes;
};

/// Samples training pairs on the device that scores them.
class PairSampler {
 public:
  virtual ~PairSampler() = default;

  /// The positives followed by as many negatives: the pairs that draw_pairs() samples with this stream, in the same
  /// order. Valid until the next draw. Can be captured in a CUDA graph.
  virtual const PairBatch& draw(const RandomStream& stream) = 0;
};

/// Null if the CPU has to sample: the device is the CPU, or most pairs are excluded, so that rejection sampling would
/// be inefficient. The calling thread needs a ContextScope.
std::unique_ptr<PairSampler> make_pair_sampler(const Device& device, const PairSource& source);

}  // namespace gir
