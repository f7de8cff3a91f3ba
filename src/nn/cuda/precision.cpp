#include "precision.h"

#include <ATen/Context.h>

#include <shared_mutex>

namespace gir::cuda {
namespace {

thread_local Precision precision = Precision::kFp32;

/// Held shared by products that need the current value of the switch, exclusively by those that change it.
std::shared_mutex& switch_mutex() {
  static std::shared_mutex mutex;
  return mutex;
}

bool allows_tf32() { return at::globalContext().allowTF32CuBLAS(); }

}  // namespace

Precision current_precision() { return precision; }

PrecisionScope::PrecisionScope(Precision wanted) : before_(precision) { precision = wanted; }
PrecisionScope::~PrecisionScope() { precision = before_; }

Tf32Switch::Tf32Switch() {
  const bool wanted = precision == Precision::kTf32;
  switch_mutex().lock_shared();
  if (allows_tf32() == wanted) return;
  switch_mutex().unlock_shared();
  switch_mutex().lock();
  before_ = allows_tf32();
  changed_ = true;
  at::globalContext().setAllowTF32CuBLAS(wanted);
}

Tf32Switch::~Tf32Switch() {
  if (!changed_) {
    switch_mutex().unlock_shared();
    return;
  }
  at::globalContext().setAllowTF32CuBLAS(before_);
  switch_mutex().unlock();
}

}  // namespace gir::cuda
