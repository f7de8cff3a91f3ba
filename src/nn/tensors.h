#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/constant_pad_nd.h>

#include "cpu/matrix_product.h"
#include "gir/core/error.h"

namespace gir {

/// The values of a tensor; null where it is undefined or empty.
template <typename Real>
Real* write(const at::Tensor& tensor) {
  return tensor.defined() && tensor.numel() > 0 ? tensor.data_ptr<Real>() : nullptr;
}
template <typename Real>
const Real* read(const at::Tensor& tensor) {
  return write<Real>(tensor);
}

/// A contiguous tensor of two dimensions.
template <typename Real>
cpu::MatrixView<Real> matrix(const at::Tensor& tensor) {
  return {write<std::remove_const_t<Real>>(tensor), tensor.size(0), tensor.size(1)};
}

/// With zeros behind the last dimension, so that its size is a multiple of `multiple`: kernels then need no code for
/// what is left over. Torch's own gradients.
inline at::Tensor padded(const at::Tensor& tensor, std::int64_t multiple) {
  const std::int64_t missing = (multiple - tensor.size(-1) % multiple) % multiple;
  return missing == 0 ? tensor : at::constant_pad_nd(tensor, {0, missing});
}

/// Calls `body(float{})` or `body(double{})`, whichever the tensor holds.
template <typename Body>
void for_real_type(const at::Tensor& tensor, const Body& body) {
  if (tensor.scalar_type() == at::kFloat) return body(float{});
  ensure(tensor.scalar_type() == at::kDouble, "float or double");
  body(double{});
}

}  // namespace gir
