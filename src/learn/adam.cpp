#include "moment_optimizer.h"

namespace gir {
namespace {

constexpr float kEpsilon = 1e-8f;  ///< torch's default

const Registered<OptimizerEntry> adam{{
    .name = "adam",
    .summary = "Adam with L2 weight decay",
    .make = [](std::vector<NamedTensor> trained, const OptimizerOptions& options) -> std::unique_ptr<Optimizer> {
      return std::make_unique<MomentOptimizer>(std::move(trained), options, kEpsilon, adam_step);
    },
}};

}  // namespace
}  // namespace gir
