#pragma once

#include <string>

#include "gir/core/export.h"

namespace gir {

/// What tensors run on in this process.
struct GIR_API TensorRuntime {
  std::string torch_version;
  std::string blas;           ///< "OpenBLAS 0.3.21 (openmp)"
  std::string blas_core;      ///< OpenBLAS: the processor that its kernels were written for, "SkylakeX"; else empty
  std::string blas_library;   ///< the file it was loaded from
  bool blas_is_slow = false;  ///< the reference implementation: matrix products take 10 to 28 times as long
};

/// Looks at the libraries that are loaded.
GIR_API TensorRuntime tensor_runtime();

/// While this lives, torch and its BLAS compute on the calling thread alone; afterwards they use as many threads as
/// before. Parallel loops are gir's own: they cut work into blocks that do not depend on the number of threads, which
/// those of torch do. Other threads of the process keep their settings, as far as the libraries allow: the number of
/// threads of an OpenBLAS without OpenMP belongs to the whole process, and is restored when the last of these ends.
class GIR_API SerialLibraries {
 public:
  SerialLibraries();
  ~SerialLibraries();
  SerialLibraries(const SerialLibraries&) = delete;
  SerialLibraries& operator=(const SerialLibraries&) = delete;
};

}  // namespace gir
