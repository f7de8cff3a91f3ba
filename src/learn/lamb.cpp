#include "moment_optimizer.h"

namespace gir {
namespace {

constexpr float kEpsilon = 1e-6f;  ///< the usual value for LAMB

const Registered<OptimizerEntry> lamb{{
    .name = "lamb",
    .summary =
        "LAMB: Adam steps scaled per tensor by the ratio of parameter norm to update norm, with decoupled weight decay",
    .make = [](std::vector<NamedTensor> trained, const OptimizerOptions& options) -> std::unique_ptr<Optimizer> {
      return std::make_unique<MomentOptimizer>(std::move(trained), options, kEpsilon, lamb_step);
    },
}};

}  // namespace
}  // namespace gir
