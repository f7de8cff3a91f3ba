#pragma once

#include <fmt/format.h>

#include <concepts>
#include <filesystem>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gir/core/export.h"

namespace gir {

template <typename T>
concept FilePath = std::same_as<std::remove_cvref_t<T>, std::filesystem::path>;

/// The input is wrong. The message is one line: the place, the fact, the remedy in brackets.
///
///     throw UserError(path, line, "expected 'source target [weight]', got {}", quoted(text));
///
/// Messages speak of settings, not of the program's flags or commands. A setting is named in backticks, `text-ids`, and
/// its value may follow, `num-nodes` 5; the sentence must read naturally in C++ and Python as it is. When the program
/// prints a message, it turns every name in backticks into the flag of that name. Text that comes from the user
/// therefore goes through quoted(), which escapes backticks.
///
///     throw UserError("{} is undirected [omit `directed`]", quoted(name));
class GIR_API UserError : public std::runtime_error {
 public:
  template <typename... Args>
  explicit UserError(fmt::format_string<Args...> format, Args&&... args)
      : std::runtime_error(fmt::format(format, std::forward<Args>(args)...)) {}

  template <FilePath Path, typename... Args>
  UserError(const Path& path, fmt::format_string<Args...> format, Args&&... args)
      : std::runtime_error(path.string() + ": " + fmt::format(format, std::forward<Args>(args)...)) {}

  template <FilePath Path, std::integral Line, typename... Args>
  UserError(const Path& path, Line line, fmt::format_string<Args...> format, Args&&... args)
      : std::runtime_error(fmt::format("{}:{}: ", path.string(), line) +
                           fmt::format(format, std::forward<Args>(args)...)) {}
};

/// A name that is not registered. The message lists known names, nearest first: at most kMaxListed of them, then "...".
class GIR_API UnknownNameError : public UserError {
 public:
  static constexpr std::size_t kMaxListed = 10;

  /// "unknown <kind> <name> [known: ...]".
  UnknownNameError(std::string_view kind, std::string_view name, std::vector<std::string> known);

  /// "<fact> [known: ...]", for a fact that says more than that.
  UnknownNameError(std::string_view kind, std::string_view name, std::vector<std::string> known, std::string_view fact);

  /// The kind of the unknown name: "dataset", "model", ...
  const std::string& kind() const { return kind_; }

  /// Whether the message lists every known name.
  bool lists_all() const { return lists_all_; }

 private:
  std::string kind_;
  bool lists_all_;
};

/// Work stopped because the user requested it (Ctrl-C).
class GIR_API Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// A bug in gir: an invariant does not hold.
class GIR_API InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws InternalError with the source location when `condition` is false.
inline void ensure(bool condition, std::string_view what,
                   std::source_location place = std::source_location::current()) {
  if (!condition) [[unlikely]] {
    throw InternalError(fmt::format("{}:{}: {}", place.file_name(), place.line(), what));
  }
}

/// `text` in double quotes, fit for one line of a message: truncated after 60 bytes; control characters, bytes that are
/// not ASCII, quotes, backslashes and backticks escaped (a backtick would mark a setting, see UserError).
GIR_API std::string quoted(std::string_view text);

/// Without these overloads, argument-dependent lookup would choose std::quoted for strings.
inline std::string quoted(const std::string& text) { return quoted(std::string_view(text)); }
inline std::string quoted(const char* text) { return quoted(std::string_view(text)); }

}  // namespace gir
