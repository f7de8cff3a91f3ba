#pragma once

#include <string>

#include "gir/core/export.h"

namespace gir {

/// The tensor libraries of this process.
struct GIR_API TensorRuntime {
  std::string torch_version;
  std::string blas;           ///< "OpenBLAS 0.3.21 (openmp)"
  std::string blas_core;      ///< OpenBLAS: the CPU type of its kernels, "SkylakeX"; else empty
  std::string blas_library;   ///< the file it was loaded from
  bool blas_is_slow = false;  ///< reference BLAS, whose matrix products take 10 to 28 times as long
};

/// Inspects the loaded libraries.
GIR_API TensorRuntime tensor_runtime();

/// During the lifetime of this object torch and its BLAS compute on the calling thread only; the destructor restores
/// the previous number of threads. gir has its own parallel loops: they divide work into blocks that do not depend on
/// the number of threads, while those of torch do, which would change the order of summation. Other threads of the
/// process keep their settings as far as the libraries allow: the number of threads of an OpenBLAS without OpenMP is
/// global to the process, and is restored when the last of these objects is destroyed.
class GIR_API SerialLibraries {
 public:
  SerialLibraries();
  ~SerialLibraries();
  SerialLibraries(const SerialLibraries&) = delete;
  SerialLibraries& operator=(const SerialLibraries&) = delete;
};

}  // namespace gir
