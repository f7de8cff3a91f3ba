#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gir {

/// A file's bytes, mapped read-only: pages are read when touched. UserError for a file that is missing, a
/// directory or unreadable.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view text() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Lists a file that must not outlive this program, for remove_temporary_files(). Removing it at a normal end
/// stays with whoever made it.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path path);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

 private:
  std::filesystem::path path_;
};

/// Removes the files that are listed now. Safe to call from a signal handler.
void remove_temporary_files() noexcept;

/// A file that appears whole or not at all: bytes go to a temporary name beside `path` and `commit`
/// renames it. Without commit (an exception on the way) the temporary file is removed and whatever was at
/// `path` stays. Missing parent directories are an error.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);

  /// Where the bytes are until commit, for libraries that insist on writing a file themselves.
  const std::filesystem::path& temporary_path() const { return temporary_; }

  /// Flushes to the disk and moves the file into place.
  void commit();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  [[noreturn]] void fail(const char* doing) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::optional<TemporaryFile> listed_;
};

/// Writes `bytes` to `path` as AtomicFile does.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// Bytes that a reader may reasonably hold in memory: three quarters of what this machine or container has. Sizes
/// claimed by file headers are checked against it before anything is allocated.
std::int64_t memory_limit();

/// Holds a lock file, so that one program at a time works on what stands beside it. Waits for others. The file stays.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_;
};

}  // namespace gir
