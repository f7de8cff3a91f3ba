#pragma once

#include <optional>

#include "gir/nn/messages.h"
#include "gir/nn/node_input.h"

namespace gir {

/// Linear messages of the first layer, whose senders' vectors are the constant input X. Hence either the aggregate of a
/// dense X is computed only once, since messages(X w) = messages(X) w, or, if few nodes send, only their rows are
/// multiplied by w.
class FirstMessages {
 public:
  struct Options {
    bool fixed = true;      ///< no input dropout
    bool with_sums = true;  ///< messages(X) may be stored, which takes as much memory as the features
  };

  /// `messages` are linear; both arguments must outlive this object.
  FirstMessages(const NodeInput& input, const Messages& messages, const Options& options);

  /// base + messages(X w), differentiable in both; `dropout` as in input_linear().
  at::Tensor add(const at::Tensor& base, const at::Tensor& w, const InputDropout* dropout) const;

 private:
  const NodeInput& input_;
  const Messages& messages_;
  std::optional<NodeInput> sums_;     ///< messages(X)
  std::optional<NodeInput> senders_;  ///< the rows of X of the senders
  mutable at::Tensor sending_nodes_;  ///< int64, if senders_; moved to the device of the weights on first use
};

}  // namespace gir
