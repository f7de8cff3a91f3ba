#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gir/learn/objective.h"

namespace gir::testing {

/// The metrics without those that are NaN, such as Hits@50 of few pairs, since NaN is not equal to itself.
inline std::vector<std::pair<std::string, double>> defined(const Metrics& metrics) {
  auto values = metrics.values;
  std::erase_if(values, [](const auto& each) { return std::isnan(each.second); });
  return values;
}

}  // namespace gir::testing
