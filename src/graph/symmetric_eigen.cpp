#include "symmetric_eigen.h"

#include <algorithm>
#include <cmath>

namespace gir {
namespace {

constexpr int kMaxSweeps = 30;
constexpr double kTolerance = 1e-22;  ///< of the squared entries off the diagonal, relative to those on it

double squares_off_diagonal(const SquareMatrix& matrix) {
  double sum = 0;
  for (std::int64_t i = 0; i < matrix.size(); ++i) {
    for (std::int64_t j = 0; j < i; ++j) sum += matrix(i, j) * matrix(i, j);
  }
  return sum;
}

double squares_on_diagonal(const SquareMatrix& matrix) {
  double sum = 0;
  for (std::int64_t i = 0; i < matrix.size(); ++i) sum += matrix(i, i) * matrix(i, i);
  return sum;
}

/// A rotation in the plane of coordinates p and q that makes the entry (p, q) zero.
void rotate(SquareMatrix& matrix, SquareMatrix& vectors, std::int64_t p, std::int64_t q) {
  if (matrix(p, q) == 0) return;
  const double theta = (matrix(q, q) - matrix(p, p)) / (2 * matrix(p, q));
  const double tangent = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double cosine = 1 / std::sqrt(tangent * tangent + 1);
  const double sine = tangent * cosine;
  for (std::int64_t k = 0; k < matrix.size(); ++k) {
    const double kp = matrix(k, p);
    const double kq = matrix(k, q);
    matrix(k, p) = cosine * kp - sine * kq;
    matrix(k, q) = sine * kp + cosine * kq;
  }
  for (std::int64_t k = 0; k < matrix.size(); ++k) {
    const double pk = matrix(p, k);
    const double qk = matrix(q, k);
    matrix(p, k) = cosine * pk - sine * qk;
    matrix(q, k) = sine * pk + cosine * qk;
    const double kp = vectors(k, p);
    const double kq = vectors(k, q);
    vectors(k, p) = cosine * kp - sine * kq;
    vectors(k, q) = sine * kp + cosine * kq;
  }
}

}  // namespace

SquareMatrix& SquareMatrix::operator+=(const SquareMatrix& other) {
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += other.values_[i];
  return *this;
}

SquareMatrix inverse_cholesky_transposed(const SquareMatrix& products, double smallest) {
  const std::int64_t size = products.size();
  SquareMatrix lower(size);
  double largest = 0;
  for (std::int64_t i = 0; i < size; ++i) largest = std::max(largest, products(i, i));
  std::vector<bool> depends(static_cast<std::size_t>(size), false);
  for (std::int64_t j = 0; j < size; ++j) {
    double pivot = products(j, j);
    for (std::int64_t k = 0; k < j; ++k) pivot -= lower(j, k) * lower(j, k);
    if (pivot <= smallest * largest) {
      depends[static_cast<std::size_t>(j)] = true;
      continue;
    }
    lower(j, j) = std::sqrt(pivot);
    for (std::int64_t i = j + 1; i < size; ++i) {
      double sum = products(i, j);
      for (std::int64_t k = 0; k < j; ++k) sum -= lower(i, k) * lower(j, k);
      lower(i, j) = sum / lower(j, j);
    }
  }
  // Column j of the inverse of Lᵀ solves Lᵀ x = e_j, from the last entry up.
  SquareMatrix inverse(size);
  for (std::int64_t j = 0; j < size; ++j) {
    if (depends[static_cast<std::size_t>(j)]) continue;
    for (std::int64_t i = j; i >= 0; --i) {
      if (depends[static_cast<std::size_t>(i)]) continue;
      double sum = i == j ? 1 : 0;
      for (std::int64_t k = i + 1; k <= j; ++k) sum -= lower(k, i) * inverse(k, j);
      inverse(i, j) = sum / lower(i, i);
    }
  }
  return inverse;
}

SymmetricEigen symmetric_eigen(SquareMatrix matrix) {
  const std::int64_t size = matrix.size();
  SquareMatrix vectors(size);
  for (std::int64_t i = 0; i < size; ++i) vectors(i, i) = 1;
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    if (squares_off_diagonal(matrix) <= kTolerance * squares_on_diagonal(matrix)) break;
    for (std::int64_t p = 0; p + 1 < size; ++p) {
      for (std::int64_t q = p + 1; q < size; ++q) rotate(matrix, vectors, p, q);
    }
  }
  SymmetricEigen found{.values = {}, .vectors = std::move(vectors)};
  for (std::int64_t i = 0; i < size; ++i) found.values.push_back(matrix(i, i));
  return found;
}

}  // namespace gir
