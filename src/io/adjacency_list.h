#pragma once

#include <filesystem>
#include <string_view>

namespace gir {

/// Whether the first lines of a text are 'node: neighbour neighbour ...'.
bool is_adjacency_list(std::string_view text);

/// UserError for a list that has a line per neighbour, as networkx's write_multiline_adjlist() makes it: 'anna 2', and
/// below it 'bob {}' and 'carl {}'.
void refuse_multiline_adjacency_list(const std::filesystem::path& path, std::string_view text);

}  // namespace gir
