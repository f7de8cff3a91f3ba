#pragma once

#include <string_view>

namespace gir {

/// Whether the first lines of a text are 'node: neighbour neighbour ...'.
bool is_adjacency_list(std::string_view text);

}  // namespace gir
