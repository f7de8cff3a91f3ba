#include "whole_numbers.h"

#include <algorithm>
#include <string>

#include "gir/core/text.h"

namespace gir {
namespace {

constexpr std::size_t kDigitsOfNumpyAndMatlab = 7;  ///< after the point, at least

}  // namespace

std::string_view without_zero_fraction(std::string_view cell) {
  const auto point = cell.find('.');
  if (point == std::string_view::npos || point + 1 == cell.size()) return cell;
  const bool is_zero = cell.find_first_not_of('0', point + 1) == std::string_view::npos;
  return is_zero && parse_integer(cell.substr(0, point)) ? cell.substr(0, point) : cell;
}

std::optional<std::int64_t> parse_whole_number(std::string_view cell) {
  const auto exponent = cell.find("e+");
  if (exponent == std::string_view::npos) return parse_integer(without_zero_fraction(cell));
  const auto point = cell.find('.');
  const auto places = parse_integer(cell.substr(exponent + 2));
  if (point > exponent || !places || *places < 0) return std::nullopt;
  const std::string_view fraction = cell.substr(point + 1, exponent - point - 1);
  const auto digits = static_cast<std::size_t>(*places);
  if (fraction.size() < std::max(digits, kDigitsOfNumpyAndMatlab)) return std::nullopt;
  if (fraction.find_first_not_of('0', digits) != std::string_view::npos) return std::nullopt;
  return parse_integer(std::string(cell.substr(0, point)) + std::string(fraction.substr(0, digits)));
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
