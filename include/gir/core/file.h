#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gir/core/export.h"

namespace gir {

/// The bytes of a file, mapped read-only: pages are read when they are first accessed. UserError for a file that is
/// missing, a directory or unreadable.
class GIR_API MappedFile {
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

/// Registers a file for remove_temporary_files() while this object lives. On a normal exit its owner removes the file.
class GIR_API TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path path);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

 private:
  std::filesystem::path path_;
};

/// Removes all files that are registered now. Async-signal-safe.
GIR_API void remove_temporary_files() noexcept;

/// A file that appears complete or not at all: bytes go to a temporary file beside `path`, and `commit` renames it.
/// Without commit (for instance, after an exception) the temporary file is removed and an existing file at `path` is
/// kept. Missing parent directories are an error.
class GIR_API AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);

  /// The temporary file, for libraries that can only write to a path.
  const std::filesystem::path& temporary_path() const { return temporary_; }

  /// Flushes to disk and renames the temporary file to `path`.
  void commit();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  [[noreturn]] void fail(const char* doing) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::optional<TemporaryFile> registered_;
};

/// Writes `bytes` to `path` through an AtomicFile.
GIR_API void write_file(const std::filesystem::path& path, std::string_view bytes);

/// Bytes that gir may reasonably allocate: three quarters of the memory of this machine or container, read from the
/// system once per process. Sizes claimed by file headers are checked against it before anything is allocated.
GIR_API std::int64_t memory_limit();

/// An exclusive lock on a lock file, between processes; the constructor waits until it is free. The file is kept.
class GIR_API FileLock {
 public:
  explicit FileLock(const std::filesystem::path& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_;
};

}  // namespace gir
