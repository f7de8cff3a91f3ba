#pragma once

#include <cstdint>

namespace gir::cpu {

/// Non-owning view of a row-major matrix.
template <typename Real>
struct MatrixView {
  Real* data;
  std::int64_t rows;
  std::int64_t columns;

  MatrixView row_range(std::int64_t begin, std::int64_t end) const {
    return {data + begin * columns, end - begin, columns};
  }
};

enum class Product {
  kAB,   ///< A B
  kAtB,  ///< Aᵀ B
  kABt,  ///< A Bᵀ
};

/// C = A B, or C += A B where `add`, with a factor transposed according to `product`. On the calling thread only, so
/// that callers which divide their rows into fixed blocks get bit-identical results on any number of threads. Uses the
/// BLAS that torch loaded into the process.
void multiply(Product product, const MatrixView<const float>& a, const MatrixView<const float>& b,
              const MatrixView<float>& c, bool add);
void multiply(Product product, const MatrixView<const double>& a, const MatrixView<const double>& b,
              const MatrixView<double>& c, bool add);

}  // namespace gir::cpu
