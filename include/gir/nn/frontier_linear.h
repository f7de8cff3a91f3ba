#pragma once

#include <ATen/core/Tensor.h>

#include "gir/core/export.h"
#include "gir/nn/messages.h"

namespace gir {

/// The layer of SPEC section 2 before its activation: W_self h_v + W_messages m_v + b for every node v, where m_v
/// is made of the messages that v receives and zero where it receives none.
///
/// h: [nodes, in]; w_self (undefined: no such term) and w_messages: [in, out]; bias (undefined: none): [out]; all
/// float or all double, contiguous. Returns [nodes, out] with gradients for all four. `messages` must outlive the
/// backward pass. Aggregates before it multiplies when in <= out, else the other way round; only rows that receive
/// meet W_messages, and only rows that send meet its gradient. Nothing is kept for the backward pass but h. The
/// same bits on any number of threads.
GIR_API at::Tensor frontier_linear(const at::Tensor& h, const at::Tensor& w_self, const at::Tensor& w_messages,
                                   const at::Tensor& bias, const Messages& messages);

}  // namespace gir
