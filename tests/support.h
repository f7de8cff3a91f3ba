#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "gir/core/error.h"

namespace gir::testing {

/// A temporary directory for one test, removed with its content at the end.
class TempDir {
 public:
  TempDir() {
    static std::atomic<int> count{0};
    path_ = std::filesystem::temp_directory_path() / fmt::format("gir-test-{}-{}", ::getpid(), count++);
    std::filesystem::create_directories(path_);
  }
  ~TempDir() { std::filesystem::remove_all(path_); }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  /// Writes a file and returns its path.
  std::filesystem::path file(std::string_view name, std::string_view content) const {
    const std::filesystem::path path = path_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The folder with the real graphs: $GIR_DATA, else the project's shared data folder (set by CMake). Nothing where this
/// machine has neither.
inline std::optional<std::filesystem::path> data_directory() {
  if (const char* chosen = std::getenv("GIR_DATA")) return std::filesystem::path(chosen);
  const std::filesystem::path shared = GIR_SHARED_DATA;
  return std::filesystem::is_directory(shared) ? std::optional(shared) : std::nullopt;
}

/// In a test that needs the real graphs: `const auto data = *data_directory();` after this.
#define GIR_NEEDS_DATA()                                                                            \
  if (!::gir::testing::data_directory()) {                                                          \
    GTEST_SKIP() << "skipped: no real graphs on this machine [set GIR_DATA to a folder with them]"; \
  }                                                                                                 \
  static_assert(true)

/// Runs `action`, which must throw UserError with one line that contains all of `parts`.
template <typename Action, typename... Parts>
void expect_user_error(const Action& action, const Parts&... parts) {
  try {
    action();
    ADD_FAILURE() << "no UserError was thrown";
  } catch (const UserError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    for (const std::string_view part : {std::string_view(parts)...}) {
      EXPECT_NE(message.find(part), std::string::npos) << "expected " << part << " in: " << message;
    }
  }
}

}  // namespace gir::testing
