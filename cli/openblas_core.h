#pragma once

namespace gir::cli {

/// Sets OPENBLAS_CORETYPE to the kernels that suit this processor, unless the user has set it. OpenBLAS itself goes by
/// model numbers and uses kernels from before AVX on processors that are newer than it: that of Debian 12 multiplies
/// matrices at a quarter of the possible speed on Intel's Emerald Rapids. Must be called before OpenBLAS is loaded.
void choose_openblas_core();

}  // namespace gir::cli
