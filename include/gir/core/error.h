#pragma once

#include <fmt/format.h>

#include <concepts>
#include <filesystem>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace gir {

template <typename T>
concept FilePath = std::same_as<std::remove_cvref_t<T>, std::filesystem::path>;

/// The input is wrong. The message is one line: the place, the fact, the remedy in brackets.
///
///     throw UserError(path, line, "expected 'source target [weight]', got {}", quoted(text));
class UserError : public std::runtime_error {
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

/// Work stopped because the user asked for it (Ctrl-C).
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// Our own bug: an invariant does not hold.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws InternalError, naming the place, when `condition` is false.
inline void ensure(bool condition, std::string_view what,
                   std::source_location place = std::source_location::current()) {
  if (!condition) [[unlikely]] {
    throw InternalError(fmt::format("{}:{}: {}", place.file_name(), place.line(), what));
  }
}

/// `text` in double quotes, fit for one line of a message: control bytes escaped, cut after 60 bytes.
std::string quoted(std::string_view text);

/// For strings argument-dependent lookup would prefer std::quoted without this.
inline std::string quoted(const std::string& text) { return quoted(std::string_view(text)); }
inline std::string quoted(const char* text) { return quoted(std::string_view(text)); }

}  // namespace gir
