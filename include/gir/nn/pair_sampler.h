#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "gir/core/context.h"
#include "gir/core/random.h"
#include "gir/data/pairs.h"
#include "gir/nn/pair_ops.h"

namespace gir {

/// What training pairs come from.
struct PairSource {
  std::span<const NodePair> positives;  ///< every draw has all of them
  const PairUniverse& universe;         ///< of the others
  const PairSet& excluded;              ///< from these
  std::int64_t nodes;
};

/// Draws training pairs where they are scored.
class PairSampler {
 public:
  virtual ~PairSampler() = default;

  /// The positives and behind them as many others: those that draw_pairs() finds for this stream, in the same order.
  /// Holds until the next draw. May be recorded.
  virtual const PairBatch& draw(const RandomStream& stream) = 0;
};

/// Null where the CPU has to draw: it is the device, or most pairs are taken. The calling thread needs a ContextScope.
std::unique_ptr<PairSampler> make_pair_sampler(const Device& device, const PairSource& source);

}  // namespace gir
