#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gir/core/enum_names.h"
#include "gir/core/export.h"

namespace gir {

/// What the factors of matrix products are rounded to on a GPU. Sums are accumulated in fp32.
enum class Precision {
  kFp32,  ///< no rounding
  kTf32,  ///< 10 bits of mantissa, where the GPU has units for it
  kBf16,  ///< 7 bits of mantissa; the results of products are rounded, too
};

template <>
struct EnumNames<Precision> {
  static constexpr std::string_view kKind = "precision";
  static constexpr auto kAll =
      enum_names<Precision>({{Precision::kFp32, "fp32"}, {Precision::kTf32, "tf32"}, {Precision::kBf16, "bf16"}});
};

/// The CPU or a GPU.
struct GIR_API Device {
  enum class Kind { kCpu, kCuda };

  Kind kind = Kind::kCpu;
  int index = 0;  ///< among the devices of its kind

  bool is_cpu() const { return kind == Kind::kCpu; }

  /// "cpu" or "cuda:0".
  std::string name() const;

  friend bool operator==(const Device&, const Device&) = default;
  friend auto operator<=>(const Device&, const Device&) = default;
};

/// Where and with how much a piece of work is done: a plain value that callers pass along. Two experiments with
/// different contexts can run in one process at the same time. The default is the CPU with all hardware threads.
/// make_context() (gir/nn/device.h) makes one that is checked against the machine.
struct GIR_API Context {
  Device device = {};
  Precision precision = Precision::kFp32;
  int threads = 0;                 ///< of parallel loops; 0: those of the calling thread's scope (see ThreadScope)
  std::int64_t memory_budget = 0;  ///< bytes that the process may use in training; 0: most of the device's memory

  /// What metrics depend on beside settings and data, as result files store it: "cpu", or the kind of GPU and its
  /// precision, "cuda fp32".
  std::string mark() const;
};

}  // namespace gir
