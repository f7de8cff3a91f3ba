#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gir {

/// How a column of a table writes its numbers: 1234.5, 1234,5, 1.234,5 or 1,234.5.
struct NumberStyle {
  char decimal = '.';
  char group = '\0';  ///< may stand between groups of three digits; 0: nothing does
};

/// The whole of `cell` as a number in this style; infinite where it exceeds the range of a float.
std::optional<float> parse_number(std::string_view cell, const NumberStyle& style);

/// Whether a cell is a number in any style.
bool is_number_of_any_style(std::string_view cell);

/// Finds the style of a column from all of its cells: "0,5" has a decimal comma, "1.234.567" points between groups,
/// while "1.234" alone may be either.
class NumberStyleVotes {
 public:
  /// Counts the cell of a line. Thread-safe.
  void see(std::string_view cell, std::int64_t line);

  /// The style of all cells seen. `what` they are goes into messages ("weights"). Adds a note on a comma or point that
  /// alone would mean something else. UserError, with the line, where cells contradict each other, and where nothing
  /// tells what the commas of a table mean whose cells are separated by commas, too.
  NumberStyle decide(const std::filesystem::path& path, char separator, std::string_view what,
                     std::vector<std::string>& notes) const;

 private:
  /// What the marks of a cell are.
  enum Form { kPlain, kDecimalPoint, kDecimalComma, kEitherPoint, kEitherComma, kForms };
  static Form form_of(std::string_view cell);

  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  bool seen(Form form) const { return first_line_[form] != kNever; }

  /// The first line of every form.
  std::array<std::atomic<std::int64_t>, kForms> first_line_ = {kNever, kNever, kNever, kNever, kNever};
};

}  // namespace gir
