#pragma once

#include "gir/core/context.h"

namespace gir::cuda {

/// The precision of matrix products that the calling thread asks for: that of its innermost scope.
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

/// While this lives, torch's float products round their factors as the calling thread's precision says. Torch keeps
/// that switch for the whole process and reads it when a product is launched: threads of one precision launch side by
/// side, those of another wait, and the host finds its own setting again.
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
