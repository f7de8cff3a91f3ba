#include "activation.h"
#include "dropout.cuh"
#include "threads.cuh"

namespace gir::cuda {
namespace {

/// Calls `body(first, pack size)` with one thread per pack of values: vectorised accesses if all arrays are aligned,
/// else packs of one value.
template <typename Real, typename Body>
void for_each_pack(std::int64_t size, std::initializer_list<const void*> arrays, cudaStream_t stream,
                   const Body& body) {
  bool packs = true;
  for (const void* array : arrays) packs = packs && fits_packs<Real>(size, array);
  if (packs) {
    for_each(size / kPack<Real>, stream,
             [=] __device__(std::int64_t i) { body(i * kPack<Real>, std::integral_constant<int, kPack<Real>>()); });
  } else {
    for_each(size, stream, [=] __device__(std::int64_t i) { body(i, std::integral_constant<int, 1>()); });
  }
}

template <typename Real, bool kRelu>
void drop_values(const Real* x, std::int64_t size, const EpochDropout& dropout, Real* out, cudaStream_t stream) {
  for_each_pack<Real>(size, {x, out}, stream, [=] __device__(std::int64_t first, auto values) {
    Pack<Real, values> pack = load_pack<values>(x + first);
    if constexpr (kRelu) {
#pragma unroll
      for (int i = 0; i < values; ++i) pack.value[i] = relu(pack.value[i]);
    }
    drop(dropout, first, pack);
    store_pack(out + first, pack);
  });
}

}  // namespace

void dropout(const float* x, std::int64_t size, const EpochDropout& dropout, float* out, cudaStream_t stream) {
  drop_values<float, false>(x, size, dropout, out, stream);
}

template <typename Real>
void relu_dropout(const Real* x, std::int64_t size, const EpochDropout& dropout, Real* out, cudaStream_t stream) {
  drop_values<Real, true>(x, size, dropout, out, stream);
}

template <typename Real>
void relu_dropout_back(const Real* out, const Real* d_out, std::int64_t size, double scale, Real* d_x,
                       cudaStream_t stream) {
  const Real factor = static_cast<Real>(scale);
  for_each_pack<Real>(size, {out, d_out, d_x}, stream, [=] __device__(std::int64_t first, auto values) {
    const Pack<Real, values> made = load_pack<values>(out + first);
    Pack<Real, values> gradient = load_pack<values>(d_out + first);
#pragma unroll
    for (int i = 0; i < values; ++i) gradient.value[i] = made.value[i] > 0 ? gradient.value[i] * factor : Real{0};
    store_pack(d_x + first, gradient);
  });
}

#define GIR_INSTANTIATE(Real)                                                                      \
  template void relu_dropout(const Real*, std::int64_t, const EpochDropout&, Real*, cudaStream_t); \
  template void relu_dropout_back(const Real*, const Real*, std::int64_t, double, Real*, cudaStream_t);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cuda
