#include "number_style.h"

#include <algorithm>

#include "fields.h"
#include "gir/core/error.h"

namespace gir {
namespace {

constexpr NumberStyle kPoints = {.decimal = '.', .group = ','};
constexpr NumberStyle kCommas = {.decimal = ',', .group = '.'};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view without_sign(std::string_view number) {
  return number.substr(number.starts_with('-') || number.starts_with('+') ? 1 : 0);
}

/// Whether `number` is 1 to 3 digits without leading zeros, then groups of three, each after the mark `group`.
bool has_groups(std::string_view number, char group) {
  number = without_sign(number);
  const auto first = number.find(group);
  if (first == 0 || first > 3 || number[0] == '0') return false;
  for (std::size_t i = 0; i < number.size(); ++i) {
    const bool is_mark = i >= first && (i - first) % 4 == 0;
    if (is_mark ? number[i] != group : !is_digit(number[i])) return false;
  }
  return (number.size() - first) % 4 == 0;
}

}  // namespace

std::optional<float> parse_number(std::string_view cell, const NumberStyle& style) {
  if (cell.find(',') == std::string_view::npos && style.decimal == '.') return parse_float(cell);
  const auto decimal = std::min(cell.find(style.decimal), cell.size());
  const std::string_view whole = cell.substr(0, decimal);
  std::string plain;
  if (style.group != '\0' && whole.find(style.group) != std::string_view::npos) {
    if (!has_groups(whole, style.group)) return std::nullopt;
    std::copy_if(whole.begin(), whole.end(), std::back_inserter(plain), [&](char c) { return c != style.group; });
  } else {
    plain = whole;
  }
  if (decimal < cell.size()) plain += '.';
  plain += cell.substr(std::min(decimal + 1, cell.size()));
  // A mark that is left over stands in the wrong place.
  if (plain.find(',') != std::string::npos || std::count(plain.begin(), plain.end(), '.') > 1) return std::nullopt;
  return parse_float(plain);
}

bool is_number_of_any_style(std::string_view cell) {
  return parse_float(cell) || parse_number(cell, kCommas) || parse_number(cell, kPoints);
}

NumberStyleVotes::Form NumberStyleVotes::form_of(std::string_view cell) {
  const auto commas = std::count(cell.begin(), cell.end(), ',');
  const auto points = std::count(cell.begin(), cell.end(), '.');
  const bool fits_commas = commas + points > 0 && parse_number(cell, kCommas).has_value();
  const bool fits_points = commas + points > 0 && parse_number(cell, kPoints).has_value();
  if (!fits_commas && !fits_points) return kPlain;
  if (!fits_commas) return kDecimalPoint;
  if (!fits_points) return kDecimalComma;
  return commas > 0 ? kEitherComma : kEitherPoint;
}

void NumberStyleVotes::see(std::string_view cell, std::int64_t line) {
  std::atomic<std::int64_t>& first = first_line_[form_of(cell)];
  std::int64_t known = first.load(std::memory_order_relaxed);
  while (line < known && !first.compare_exchange_weak(known, line, std::memory_order_relaxed)) {
  }
}

NumberStyle NumberStyleVotes::decide(const std::filesystem::path& path, char separator, std::string_view what,
                                     std::vector<std::string>& notes) const {
  const auto line = [&](Form form) { return first_line_[form].load(); };
  const bool has_commas = seen(kDecimalComma) || (seen(kEitherComma) && !seen(kDecimalPoint));
  const bool has_points = seen(kDecimalPoint) || (seen(kEitherPoint) && !seen(kDecimalComma));
  if (has_commas && has_points) {
    const std::int64_t comma = seen(kDecimalComma) ? line(kDecimalComma) : line(kEitherComma);
    const std::int64_t point = seen(kDecimalPoint) ? line(kDecimalPoint) : line(kEitherPoint);
    throw UserError(
        path, std::max(comma, point),
        "{} have decimal commas and decimal points: here one, on line {} the other [write all in the same way]", what,
        std::min(comma, point));
  }
  const auto add_note = [&](Form form, std::string_view fact) {
    notes.push_back(fmt::format("{}:{}: {} in {} {}", path.string(), line(form),
                                form == kEitherComma ? "commas" : "points", what, fact));
  };
  if (seen(kDecimalPoint)) {
    if (seen(kEitherComma))
      add_note(kEitherComma, "are read as marks between thousands, as others have decimal points");
    return kPoints;
  }
  if (seen(kDecimalComma)) {
    if (seen(kEitherPoint))
      add_note(kEitherPoint, "are read as marks between thousands, as others have decimal commas");
    return kCommas;
  }
  if (!seen(kEitherComma)) return {};
  if (separator == ',') {
    throw UserError(path, line(kEitherComma),
                    "{} have commas that may be decimal commas or stand between thousands [write 1234 or 1.234]", what);
  }
  add_note(kEitherComma, "are read as decimal commas [remove them if they stand between thousands]");
  return kCommas;
}

}  // namespace gir
