#include "moment_optimizer.h"

namespace gir {
namespace {

constexpr float kEpsilon = 1e-6f;

const Registered<OptimizerEntry> lamb{{
    .name = "lamb",
    .summary = "LAMB: steps as long as the parameters they change, with decoupled weight decay",
    .make = [](std::vector<NamedTensor> trained, const OptimizerOptions& options) -> std::unique_ptr<Optimizer> {
      return std::make_unique<MomentOptimizer>(std::move(trained), options, kEpsilon, lamb_step);
    },
}};

}  // namespace
}  // namespace gir
