#pragma once

#include <ATen/core/Tensor.h>

#include "gir/core/export.h"
#include "gir/nn/messages.h"

namespace gir {

/// The GIR layer before its activation: W_self h_v + W_messages m_v + b for every node v, where m_v is the aggregate of
/// the messages that v receives, and zero if it receives none.
///
/// h: [nodes, in]; w_self (undefined: term omitted) and w_messages: [in, out]; bias (undefined: none): [out]; all float
/// or all double, contiguous. Returns [nodes, out], differentiable in all four. `messages` must outlive the backward
/// pass. Aggregates first and multiplies then if in <= out, else in the opposite order; only rows of receivers are
/// multiplied by W_messages, and only rows of senders contribute to its gradient. Only h is saved for the backward
/// pass. Bit-identical on any number of threads.
GIR_API at::Tensor frontier_linear(const at::Tensor& h, const at::Tensor& w_self, const at::Tensor& w_messages,
                                   const at::Tensor& bias, const Messages& messages);

}  // namespace gir
