#pragma once

#include <string>

namespace gir {

/// What tensors run on in this process.
struct TensorRuntime {
  std::string torch_version;
  std::string blas;           ///< "OpenBLAS 0.3.21 (openmp)"
  std::string blas_core;      ///< OpenBLAS: the processor that its kernels were written for, "SkylakeX"; else empty
  std::string blas_library;   ///< the file it was loaded from
  bool blas_is_slow = false;  ///< the reference implementation: matrix products take 10 to 28 times as long
};

/// Looks at the libraries that are loaded.
TensorRuntime tensor_runtime();

/// Keeps torch and its BLAS on the calling thread, once a thread. Parallel loops are gir's own: they cut work into
/// blocks that do not depend on the number of threads, which theirs do.
void stay_on_this_thread();

}  // namespace gir
