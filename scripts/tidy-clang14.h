// Included by scripts/tidy before every source: works around what clang 14 does not support in libstdc++ 12.
#pragma once
#include <source_location>
#include <string>

#if !__has_builtin(__builtin_source_location)

namespace std {
struct source_location {
  static constexpr source_location current(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {file, line};
  }
  constexpr const char* file_name() const { return file; }
  constexpr unsigned line() const { return number; }
  const char* file;
  unsigned number;
};
}  // namespace std

// clang instantiates constexpr members of std::vector early, for classes of torch that are still incomplete.
#pragma push_macro("_GLIBCXX20_CONSTEXPR")
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
#define __fill_a1 fill_bits
#include <vector>
#undef __fill_a1
#pragma pop_macro("_GLIBCXX20_CONSTEXPR")

#endif
