#pragma once

#include <memory>

#include "gir/nn/pair_sampler.h"

namespace gir::cuda {

/// gir::make_pair_sampler() for the GPU of the calling thread.
std::unique_ptr<PairSampler> make_pair_sampler(const PairSource& source);

}  // namespace gir::cuda
