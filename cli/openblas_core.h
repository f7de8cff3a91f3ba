#pragma once

namespace gir::cli {

/// Tells OpenBLAS which kernels suit this processor, unless the user has (OPENBLAS_CORETYPE). By itself it goes by
/// model numbers, and on a processor that is younger than it is takes kernels from before AVX: Debian 12's multiplies
/// matrices at a quarter of its speed on Intel's Emerald Rapids. Must be called before OpenBLAS is loaded.
void choose_openblas_core();

}  // namespace gir::cli
