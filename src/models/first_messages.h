#pragma once

#include <optional>

#include "gir/nn/messages.h"
#include "gir/nn/node_input.h"

namespace gir {

/// The sums of messages of a first layer: its senders' vectors are the input, which does not change. So either the
/// sums of dense inputs are made once, or only the rows of senders are multiplied where these are few.
class FirstMessages {
 public:
  struct Options {
    bool fixed = true;      ///< nothing of the input is ever dropped
    bool with_sums = true;  ///< sums may be kept, which take as much memory as the features
  };

  /// `messages` are sums; both must outlive this.
  FirstMessages(const NodeInput& input, const Messages& messages, const Options& options);

  /// base + messages(X w), with the gradients of both; `dropout` as in input_linear().
  at::Tensor add(const at::Tensor& base, const at::Tensor& w, const InputDropout* dropout) const;

 private:
  const NodeInput& input_;
  const Messages& messages_;
  std::optional<NodeInput> sums_;     ///< messages(X)
  std::optional<NodeInput> senders_;  ///< their rows of X
  mutable at::Tensor sending_nodes_;  ///< int64, with senders_; follows the weights to their device
};

}  // namespace gir
