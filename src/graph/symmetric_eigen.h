#pragma once

#include <cstdint>
#include <vector>

namespace gir {

/// A small square matrix of zeros, row-major.
class SquareMatrix {
 public:
  explicit SquareMatrix(std::int64_t size) : size_(size), values_(static_cast<std::size_t>(size * size), 0) {}

  std::int64_t size() const { return size_; }
  double* row(std::int64_t i) { return values_.data() + i * size_; }
  const double* row(std::int64_t i) const { return values_.data() + i * size_; }
  double& operator()(std::int64_t i, std::int64_t j) { return row(i)[j]; }
  double operator()(std::int64_t i, std::int64_t j) const { return row(i)[j]; }
  SquareMatrix& operator+=(const SquareMatrix& other);

 private:
  std::int64_t size_;
  std::vector<double> values_;
};

/// For a symmetric positive semi-definite matrix G = L Lᵀ, the inverse of Lᵀ: if the columns of Y have the products G,
/// those of Y times the result are orthonormal. Where a pivot is below `smallest` times the largest entry of the
/// diagonal, the column of the result is 0. O(size³).
SquareMatrix inverse_cholesky_transposed(const SquareMatrix& products, double smallest);

struct SymmetricEigen {
  std::vector<double> values;
  SquareMatrix vectors;  ///< in columns
};

/// All eigenpairs of a symmetric matrix, in no particular order, by Jacobi rotations. O(size³) a sweep.
SymmetricEigen symmetric_eigen(SquareMatrix matrix);

}  // namespace gir
