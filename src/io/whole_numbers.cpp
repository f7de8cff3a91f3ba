#include "whole_numbers.h"

#include "gir/core/text.h"

namespace gir {

std::string_view without_zero_fraction(std::string_view cell) {
  const auto point = cell.find('.');
  if (point == std::string_view::npos || point + 1 == cell.size()) return cell;
  const bool is_zero = cell.find_first_not_of('0', point + 1) == std::string_view::npos;
  return is_zero && parse_integer(cell.substr(0, point)) ? cell.substr(0, point) : cell;
}

std::optional<std::int64_t> parse_whole_number(std::string_view cell) {
  return parse_integer(without_zero_fraction(cell));
}

std::string_view id_of_cell(const NodeNames& names, std::string_view cell) {
  const std::string_view whole = without_zero_fraction(cell);
  if (whole.size() == cell.size()) return cell;
  if (names.kind() != NodeNames::Kind::kStrings) return whole;
  return !names.find(cell) && names.find(whole) ? whole : cell;
}

std::optional<NodeId> find_node_of_cell(const NodeNames& names, std::string_view cell) {
  return names.find(id_of_cell(names, cell));
}

}  // namespace gir
