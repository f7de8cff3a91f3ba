#include "gir/core/context.h"

#include <fmt/format.h>

namespace gir {

std::string Device::name() const { return is_cpu() ? "cpu" : fmt::format("cuda:{}", index); }

std::string Context::mark() const { return device.is_cpu() ? "cpu" : fmt::format("cuda {}", name_of(precision)); }

}  // namespace gir
