#include "openblas_core.h"

#include <cstdlib>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace gir::cli {

#if defined(__x86_64__)
namespace {

/// The processor family: AMD's 0x17 and 0x19 are Zen to Zen 4.
unsigned family() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return 0;
  return ((eax >> 8) & 0xf) + ((eax >> 20) & 0xff);
}

/// The kernels that OpenBLAS uses for known processors with the same instruction sets; null where its own choice is
/// right.
const char* core_by_instruction_set() {
  __builtin_cpu_init();
  const bool is_intel = __builtin_cpu_is("intel") != 0;
  const bool is_later_amd = __builtin_cpu_is("amd") != 0 && family() > 0x19;
  if (!is_intel && !is_later_amd) return nullptr;
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  if (has_avx512) return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return is_intel ? "Haswell" : "Zen";
  return nullptr;
}

}  // namespace

void choose_openblas_core() {
  if (const char* core = core_by_instruction_set()) ::setenv("OPENBLAS_CORETYPE", core, /*overwrite=*/0);
}
#else
void choose_openblas_core() {}
#endif

}  // namespace gir::cli
