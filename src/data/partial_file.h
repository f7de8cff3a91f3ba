#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

namespace gir {

/// The bytes of a file that is still on its way, in `<target>.part`. Held by one process (and one thread) at
/// a time; whatever was written survives the death of that process.
class PartialFile {
 public:
  /// Opens the file, or creates it. While another process holds it, calls `waiting(bytes there)` now and
  /// then; an exception from it ends the wait.
  PartialFile(const std::filesystem::path& target, const std::function<void(std::int64_t)>& waiting);

  /// Lets the next one have it. An empty file is removed.
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::int64_t size() const { return size_; }

  /// The leading bytes that were there when the file was opened.
  std::int64_t inherited() const { return inherited_; }

  void append(std::string_view bytes);
  void clear();

  /// Flushes to the disk and renames onto the target. Nothing else may be called afterwards.
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
