#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/linalg_eigh.h>
#include <ATen/ops/mm.h>

#include "gir/nn/runtime.h"
#include "payload.h"

namespace gir::html {

at::Tensor principal_components(const at::Tensor& rows) {
  if (rows.size(1) < 2 || rows.size(0) == 0 || !at::isfinite(rows).all().item<bool>()) return {};
  const SerialLibraries serial;
  at::Tensor centred = rows.to(at::kDouble);
  centred.sub_(centred.mean(0, /*keepdim=*/true));
  const auto [values, vectors] = at::linalg_eigh(at::mm(centred.t(), centred));  // ascending
  at::Tensor largest = vectors.narrow(1, vectors.size(1) - 2, 2).flip({1});
  largest = largest * (2 * (largest.pow(3).sum(0, /*keepdim=*/true) >= 0).to(at::kDouble) - 1);
  return at::mm(centred, largest).to(at::kFloat).contiguous();
}

}  // namespace gir::html
