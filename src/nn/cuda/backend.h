#pragma once

#include "../backend.h"

namespace gir::cuda {

/// NVIDIA GPUs.
const Backend& backend();

}  // namespace gir::cuda
