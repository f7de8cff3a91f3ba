#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

namespace gir {

/// A partially downloaded file, `<target>.part`. Locked by one process (and one thread) at a time; the bytes survive
/// the end of that process.
class PartialFile {
 public:
  /// Opens or creates the file and locks it. While another process holds the lock, calls `waiting(current size)`
  /// regularly; an exception from it ends the wait.
  PartialFile(const std::filesystem::path& target, const std::function<void(std::int64_t)>& waiting);

  /// Releases the lock. An empty file is removed.
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::int64_t size() const { return size_; }

  /// Size of the file when it was opened.
  std::int64_t inherited() const { return inherited_; }

  void append(std::string_view bytes);
  void clear();

  /// Flushes to disk and renames the file to the target. Nothing else may be called afterwards.
  void publish();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void open();
  void lock(const std::function<void(std::int64_t)>& waiting);
  bool is_at_path() const;
  std::int64_t size_on_disk() const;
  [[noreturn]] void fail(const char* doing) const;

  std::filesystem::path target_;
  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::int64_t size_ = 0;
  std::int64_t inherited_ = 0;
};

}  // namespace gir
