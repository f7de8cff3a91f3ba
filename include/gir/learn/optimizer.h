#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/registry.h"
#include "gir/nn/parameters.h"
#include "gir/nn/step_factors.h"

namespace gir {

/// Changes parameters by their gradients. The same bits on any number of threads.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// One step with the gradients as they are; parameters without one stay.
  void step(double learning_rate) { apply(next_step(learning_rate)); }

  /// The two halves of a step: counts it, and changes the parameters.
  virtual StepFactors next_step(double learning_rate) = 0;
  virtual void apply(const StepFactors& factors) = 0;

  /// What a step depends on beside the parameters, for checkpoints: the same memory, not copies.
  virtual std::vector<NamedTensor> state() const = 0;

  /// Forgets all gradients.
  void clear_gradients();

  /// Length of all gradients together.
  double gradient_norm() const;

  /// Scales all gradients so that their length is at most `most`.
  void clip_gradients(double most);

 protected:
  explicit Optimizer(std::vector<NamedTensor> parameters) : parameters_(std::move(parameters)) {}
  const std::vector<NamedTensor>& parameters() const { return parameters_; }

 private:
  std::vector<NamedTensor> parameters_;
};

struct OptimizerOptions {
  double weight_decay = 1e-5;
};

/// A way to optimise. Optimisers register themselves; adding one is one file.
struct OptimizerEntry {
  static constexpr std::string_view kKind = "optimizer";

  std::string name;
  std::string summary;
  std::unique_ptr<Optimizer> (*make)(std::vector<NamedTensor> parameters, const OptimizerOptions& options) = nullptr;
};

}  // namespace gir
