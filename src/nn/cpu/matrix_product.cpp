#include "matrix_product.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm.h>
#include <dlfcn.h>

#include <algorithm>

#include "gir/core/error.h"
#include "gir/nn/runtime.h"

namespace gir::cpu {
namespace {

/// The matrix product of BLAS: column-major, all arguments by address.
template <typename Real>
using Gemm = void(const char* transpose_a, const char* transpose_b, const int* m, const int* n, const int* k,
                  const Real* alpha, const Real* a, const int* lda, const Real* b, const int* ldb, const Real* beta,
                  Real* c, const int* ldc);

/// Null if the symbols of torch's BLAS are hidden.
template <typename Real>
Gemm<Real>* find_gemm(const char* name) {
  return reinterpret_cast<Gemm<Real>*>(::dlsym(RTLD_DEFAULT, name));
}

template <typename Real>
at::Tensor borrowed(const MatrixView<const Real>& view) {
  return at::from_blob(const_cast<Real*>(view.data), {view.rows, view.columns}, c10::CppTypeToScalarType<Real>::value);
}

/// Fallback through torch, whose dispatch makes it slower for small matrices.
template <typename Real>
void multiply_tensors(Product product, const MatrixView<const Real>& a, const MatrixView<const Real>& b,
                      const MatrixView<Real>& c, bool add) {
  const at::AutoDispatchBelowAutograd no_gradients;
  const at::Tensor first = product == Product::kAtB ? borrowed(a).t() : borrowed(a);
  const at::Tensor second = product == Product::kABt ? borrowed(b).t() : borrowed(b);
  at::Tensor result = borrowed<Real>({c.data, c.rows, c.columns});
  add ? result.addmm_(first, second) : at::mm_out(result, first, second);
}

/// Row-major C = A B is column-major Cᵀ = Bᵀ Aᵀ: the same memory with the factors swapped.
template <typename Real>
void multiply_with(Gemm<Real>* gemm, Product product, const MatrixView<const Real>& a, const MatrixView<const Real>& b,
                   const MatrixView<Real>& c, bool add) {
  const std::int64_t inner = product == Product::kAtB ? a.rows : a.columns;
  ensure(c.rows == (product == Product::kAtB ? a.columns : a.rows) &&
             c.columns == (product == Product::kABt ? b.rows : b.columns) &&
             inner == (product == Product::kABt ? b.columns : b.rows),
         "shapes of a matrix product");
  if (c.rows == 0 || c.columns == 0) return;
  if (inner == 0) {
    if (!add) std::fill(c.data, c.data + c.rows * c.columns, Real{0});
    return;
  }
  const SerialLibraries serial;
  if (gemm == nullptr) return multiply_tensors(product, a, b, c, add);
  const int m = static_cast<int>(c.columns);
  const int n = static_cast<int>(c.rows);
  const int k = static_cast<int>(inner);
  const int lda = static_cast<int>(b.columns);
  const int ldb = static_cast<int>(a.columns);
  const Real alpha = 1;
  const Real beta = add ? 1 : 0;
  gemm(product == Product::kABt ? "T" : "N", product == Product::kAtB ? "T" : "N", &m, &n, &k, &alpha, b.data, &lda,
       a.data, &ldb, &beta, c.data, &m);
}

}  // namespace

void multiply(Product product, const MatrixView<const float>& a, const MatrixView<const float>& b,
              const MatrixView<float>& c, bool add) {
  static Gemm<float>* const gemm = find_gemm<float>("sgemm_");
  multiply_with(gemm, product, a, b, c, add);
}

void multiply(Product product, const MatrixView<const double>& a, const MatrixView<const double>& b,
              const MatrixView<double>& c, bool add) {
  static Gemm<double>* const gemm = find_gemm<double>("dgemm_");
  multiply_with(gemm, product, a, b, c, add);
}

}  // namespace gir::cpu
