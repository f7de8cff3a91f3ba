#pragma once

#include "gir/core/context.h"

namespace gir::cuda {

/// The precision of matrix products of the calling thread: that of its innermost PrecisionScope, fp32 without one.
Precision current_precision();

class PrecisionScope {
 public:
  explicit PrecisionScope(Precision precision);
  ~PrecisionScope();
  PrecisionScope(const PrecisionScope&) = delete;
  PrecisionScope& operator=(const PrecisionScope&) = delete;

 private:
  Precision before_;
};

/// Sets torch's TF32 switch (allowTF32CuBLAS) to the calling thread's precision for the lifetime of this object, which
/// surrounds the launch of a product. The switch is global to the process and is read when a product is launched:
/// threads with the same precision launch concurrently, those with another one wait, and the setting of the host
/// program is restored. Products that the host program launches meanwhile on threads of its own see our value.
class Tf32Switch {
 public:
  Tf32Switch();
  ~Tf32Switch();
  Tf32Switch(const Tf32Switch&) = delete;
  Tf32Switch& operator=(const Tf32Switch&) = delete;

 private:
  bool changed_ = false;
  bool before_ = false;
};

}  // namespace gir::cuda
