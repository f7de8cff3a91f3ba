#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/export.h"
#include "gir/core/registry.h"
#include "gir/nn/parameters.h"
#include "gir/nn/step_factors.h"

namespace gir {

/// Changes parameters by their gradients. The same bits on any number of threads.
///
/// A step is cut in two, so that a device can record it once and repeat it: step_numbers() says which numbers a step
/// depends on, on the CPU, and apply() changes the parameters with tensor operations that read these numbers from a
/// tensor on the device. An optimiser of plain torch operations needs nothing else; see docs/architecture.md.
class GIR_API Optimizer {
 public:
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// One step with the gradients as they are; parameters without one stay.
  void step(double learning_rate);

  /// The first half of a step: counts it and returns its numbers.
  StepNumbers next_step(double learning_rate);

  /// The numbers of the step with this number, counted from 1: always as many, whatever the step.
  virtual StepNumbers step_numbers(double learning_rate, std::int64_t step) const = 0;

  /// The second half: changes the parameters that have a gradient. `numbers` is double [size of step_numbers()] on the
  /// parameters' device. May be recorded, so it must not read values back to the CPU.
  virtual void apply(const at::Tensor& numbers) = 0;

  /// What a step depends on beside the parameters, for checkpoints: the same memory, not copies.
  std::vector<NamedTensor> state() const;

  /// Forgets all gradients.
  void clear_gradients();

  /// L2 norm of all gradients together.
  double gradient_norm() const;

  /// Scales all gradients so that their norm is at most `max_norm`.
  void clip_gradients(double max_norm);

 protected:
  explicit Optimizer(std::vector<NamedTensor> parameters);
  const std::vector<NamedTensor>& parameters() const { return parameters_; }

  /// Tensors that the steps so far have left, such as running means; part of state().
  virtual std::vector<NamedTensor> memory() const { return {}; }

 private:
  std::vector<NamedTensor> parameters_;
  at::Tensor steps_;  ///< int64 [1]: how many were made
};

struct GIR_API OptimizerOptions {
  double weight_decay = 1e-5;
};

/// A kind of optimiser. Optimisers register themselves; adding one is one file.
struct GIR_API OptimizerEntry {
  static constexpr std::string_view kKind = "optimizer";

  std::string name;
  std::string summary;
  std::unique_ptr<Optimizer> (*make)(std::vector<NamedTensor> parameters, const OptimizerOptions& options) = nullptr;
};

}  // namespace gir
