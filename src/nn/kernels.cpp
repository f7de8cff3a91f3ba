#include "kernels.h"

#include <ATen/core/Tensor.h>

#include "cpu/kernels.h"
#include "gir/core/error.h"

namespace gir {

const Kernels& kernels_for(const at::Tensor& tensor) {
  static const cpu::CpuKernels on_processor;
  ensure(tensor.is_cpu(), "a tensor on a device of this build");
  return on_processor;
}

void adam_step(std::span<const AdamTensors> tensors, const AdamFactors& factors) {
  if (tensors.empty()) return;
  kernels_for(tensors.front().parameter).adam_step(tensors, factors);
}

}  // namespace gir
