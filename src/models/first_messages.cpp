#include "first_messages.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <algorithm>

#include "gir/core/error.h"
#include "gir/nn/add_messages.h"

namespace gir {
namespace {

/// If at most one node in four sends, copying the rows of the senders pays off.
constexpr std::int64_t kFewSenders = 4;

/// Minimum number of columns for which omitting rows of a dense product pays off.
constexpr std::int64_t kWideInput = 32;

/// Whether multiplying the input is expensive: one-hot labels are only a lookup.
bool is_costly(const NodeInput& input) {
  return std::any_of(input.blocks().begin(), input.blocks().end(), [](const NodeInput::Block& block) {
    return std::holds_alternative<NodeInput::Sparse>(block.content) ||
           (std::holds_alternative<NodeInput::Dense>(block.content) && block.columns >= kWideInput);
  });
}

bool is_dense(const NodeInput& input) {
  return std::all_of(input.blocks().begin(), input.blocks().end(), [](const NodeInput::Block& block) {
    return std::holds_alternative<NodeInput::Dense>(block.content);
  });
}

}  // namespace

FirstMessages::FirstMessages(const NodeInput& input, const Messages& messages, const Options& options)
    : input_(input), messages_(messages) {
  ensure(is_linear(messages.function()), "linear messages");
  if (!options.fixed || !is_costly(input)) return;
  const Array<NodeId>& senders = messages.edges().sending_nodes;
  if (senders.size() * kFewSenders <= input.num_nodes()) {
    senders_ = input.rows_of(senders.span());
    sending_nodes_ = at::empty({senders.size()}, at::kLong);
    std::copy(senders.begin(), senders.end(), sending_nodes_.data_ptr<std::int64_t>());
  } else if (options.with_sums && is_dense(input)) {
    sums_ = summed_input(input, messages);
  }
}

at::Tensor FirstMessages::add(const at::Tensor& base, const at::Tensor& w, const InputDropout* dropout) const {
  if (sums_) return input_linear(*sums_, w, {.base = base});
  if (!senders_) return add_messages(base, input_linear(input_, w, {.dropout = dropout}), messages_);
  // The rows of other nodes stay uninitialised; they are never read.
  at::Tensor q = at::empty({input_.num_nodes(), w.size(1)}, w.options());
  sending_nodes_ = sending_nodes_.to(w.device());
  q.index_copy_(0, sending_nodes_, input_linear(*senders_, w));
  return add_messages(base, q, messages_);
}

}  // namespace gir
