#pragma once

#include <string>

namespace gir {

/// What tensors run on in this process.
struct TensorRuntime {
  std::string torch_version;
  std::string blas;           ///< "OpenBLAS 0.3.21 (openmp)"
  std::string blas_library;   ///< the file it was loaded from
  bool blas_is_slow = false;  ///< the reference implementation: matrix products take 10 to 28 times as long
  int threads = 0;            ///< that torch uses
};

/// Looks at the libraries that are loaded.
TensorRuntime tensor_runtime();

/// Makes torch use as many threads as gir does; it starts with half of the hardware's.
void set_tensor_threads(int threads);

}  // namespace gir
