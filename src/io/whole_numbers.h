#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "gir/graph/node_names.h"

namespace gir {

/// "12" for "12.0", as pandas writes whole numbers where a value of their column is missing; everything else unchanged.
std::string_view without_zero_fraction(std::string_view cell);

/// The whole number in a cell: 12 for "12", "12.0" and, as numpy.savetxt and MATLAB write it with all its digits,
/// "1.2000000e+01". Nothing for "1e+05" and "1.23E+15", which programs have abbreviated.
std::optional<std::int64_t> parse_whole_number(std::string_view cell);

/// The id in a cell as the graph has it: "12" for "12.0" where the ids are numbers, or text with 12 and without 12.0.
std::string_view id_of_cell(const NodeNames& names, std::string_view cell);

/// The node of that id.
std::optional<NodeId> find_node_of_cell(const NodeNames& names, std::string_view cell);

}  // namespace gir
