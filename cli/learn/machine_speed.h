#pragma once

#include <cstdint>

namespace gir::cli {

/// Measured speed of this machine, with the threads that gir uses.
struct MachineSpeed {
  double flops_per_ms = 0;  ///< of matrix products of the shape of a layer
  double bytes_per_ms = 0;  ///< reading two long arrays and writing a third
};

/// Measures for about a second: products [rows, width] x [width, width], and arrays much larger than any cache.
MachineSpeed measure_machine(std::int64_t rows, std::int64_t width);

}  // namespace gir::cli
