#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/constant_pad_nd.h>

#include "cpu/matrix_product.h"
#include "gir/core/error.h"

namespace gir {

/// The data pointer of a tensor; null if it is undefined or empty.
template <typename Real>
Real* write(const at::Tensor& tensor) {
  return tensor.defined() && tensor.numel() > 0 ? tensor.data_ptr<Real>() : nullptr;
}
template <typename Real>
const Real* read(const at::Tensor& tensor) {
  return write<Real>(tensor);
}

/// View of a contiguous two-dimensional tensor.
template <typename Real>
cpu::MatrixView<Real> matrix(const at::Tensor& tensor) {
  return {write<std::remove_const_t<Real>>(tensor), tensor.size(0), tensor.size(1)};
}

/// Pads the last dimension with zeros to a multiple of `multiple`, so that kernels need no code for a remainder.
/// Differentiable, by torch.
inline at::Tensor padded(const at::Tensor& tensor, std::int64_t multiple) {
  const std::int64_t missing = (multiple - tensor.size(-1) % multiple) % multiple;
  return missing == 0 ? tensor : at::constant_pad_nd(tensor, {0, missing});
}

/// Calls `body(float{})` or `body(double{})` according to the scalar type of the tensor.
template <typename Body>
void for_real_type(const at::Tensor& tensor, const Body& body) {
  if (tensor.scalar_type() == at::kFloat) return body(float{});
  ensure(tensor.scalar_type() == at::kDouble, "float or double");
  body(double{});
}

}  // namespace gir
