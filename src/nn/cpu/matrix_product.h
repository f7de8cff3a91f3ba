#pragma once

#include <cstdint>

namespace gir::cpu {

/// A row-major matrix that lives elsewhere.
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

/// C = A B, or C += A B where `add`, with either factor transposed as `product` says. On the calling thread alone,
/// so that callers who cut their rows into fixed blocks get the same bits on any number of threads. Uses the BLAS
/// that torch brought into the process.
void multiply(Product product, const MatrixView<const float>& a, const MatrixView<const float>& b,
              const MatrixView<float>& c, bool add);
void multiply(Product product, const MatrixView<const double>& a, const MatrixView<const double>& b,
              const MatrixView<double>& c, bool add);

}  // namespace gir::cpu
