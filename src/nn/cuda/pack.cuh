#pragma once

#include <cstdint>

namespace gir::cuda {

/// Values that are loaded and stored with one vectorised access.
template <typename Real, int kValues>
struct alignas(sizeof(Real) * kValues) Pack {
  Real value[kValues];
};

template <typename Real>
inline constexpr int kPack = 16 / sizeof(Real);  ///< the widest access of a thread is 16 bytes

template <int kValues, typename Real>
__device__ __forceinline__ Pack<Real, kValues> load_pack(const Real* from) {
  return *reinterpret_cast<const Pack<Real, kValues>*>(from);
}

template <int kValues, typename Real>
__device__ __forceinline__ void store_pack(Real* to, const Pack<Real, kValues>& pack) {
  *reinterpret_cast<Pack<Real, kValues>*>(to) = pack;
}

/// Whether rows of `width` values at this address can be accessed in packs.
template <typename Real>
bool fits_packs(std::int64_t width, const void* address) {
  return width % kPack<Real> == 0 && reinterpret_cast<std::uintptr_t>(address) % 16 == 0;
}

}  // namespace gir::cuda
