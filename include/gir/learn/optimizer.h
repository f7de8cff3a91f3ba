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

/// Updates parameters from their gradients. Results are bit-identical for any number of threads.
///
/// A step has two halves, so that it can be captured in a CUDA graph and replayed: step_numbers() computes on the CPU
/// the numbers that change from step to step (learning rate, bias corrections), and apply() updates the parameters with
/// tensor operations that read these numbers from a tensor on the device. An optimiser made of plain torch operations
/// needs nothing else; see docs/architecture.md.
class GIR_API Optimizer {
 public:
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// One step with the current gradients. Parameters without a gradient are not changed.
  void step(double learning_rate);

  /// The first half of a step: increments the step count and returns the numbers of the step.
  StepNumbers next_step(double learning_rate);

  /// The numbers of a step, counted from 1. Their count does not depend on the step.
  virtual StepNumbers step_numbers(double learning_rate, std::int64_t step) const = 0;

  /// The second half: updates the parameters that have a gradient. `numbers` is double [size of step_numbers()] on the
  /// device of the parameters. May be captured in a CUDA graph, so it must not copy values to the CPU.
  virtual void apply(const at::Tensor& numbers) = 0;

  /// The state for checkpoints: everything that a step depends on except the parameters. The tensors share memory with
  /// the optimiser.
  std::vector<NamedTensor> state() const;

  /// Sets all gradients to undefined.
  void clear_gradients();

  /// L2 norm of the concatenated gradients.
  double gradient_norm() const;

  /// Scales all gradients so that their norm is at most `max_norm`.
  void clip_gradients(double max_norm);

 protected:
  explicit Optimizer(std::vector<NamedTensor> parameters);
  const std::vector<NamedTensor>& parameters() const { return parameters_; }

  /// State tensors of a derived class, such as running means; part of state().
  virtual std::vector<NamedTensor> memory() const { return {}; }

 private:
  std::vector<NamedTensor> parameters_;
  at::Tensor steps_;  ///< int64 [1]: number of steps so far
};

struct GIR_API OptimizerOptions {
  double weight_decay = 1e-5;
};

/// A registry entry for an optimiser. Optimisers register themselves; adding one takes one file.
struct GIR_API OptimizerEntry {
  static constexpr std::string_view kKind = "optimizer";

  std::string name;
  std::string summary;
  std::unique_ptr<Optimizer> (*make)(std::vector<NamedTensor> parameters, const OptimizerOptions& options) = nullptr;
};

}  // namespace gir
