#include "gir/core/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "gir/core/error.h"

namespace gir {
namespace {

/// Closes a file descriptor when the scope ends.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

/// Paths of the files to remove. A fixed array of atomic pointers, because a signal handler may neither lock nor
/// allocate. A file that finds no free slot is not removed when a signal arrives, and otherwise works as usual.
std::array<std::atomic<const char*>, 64> temporary_files{};

/// What the user can do about the most common failures.
std::string_view remedy(int error) {
  switch (error) {
    case ENOENT:
      return "check the name; folders must exist";
    case EACCES:
    case EPERM:
    case EROFS:
      return "check the permissions";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free some space or write elsewhere";
    default:
      return "use another file";
  }
}

/// The number in a file of /sys; nothing where the file is missing or holds no number ("max").
std::optional<std::int64_t> number_in(const char* path) {
  std::ifstream file(path);
  std::int64_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

/// Three quarters of the memory of this machine or container.
std::int64_t usable_memory() {
  const std::int64_t pages = ::sysconf(_SC_PHYS_PAGES);
  const std::int64_t page_size = ::sysconf(_SC_PAGE_SIZE);
  std::int64_t memory = pages * page_size;
  // Containers have less memory than the machine they run on: limits of cgroup version 2 and 1.
  for (const char* limit : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    memory = std::min(memory, number_in(limit).value_or(memory));
  }
  return memory / 4 * 3;
}

}  // namespace

TemporaryFile::TemporaryFile(std::filesystem::path path) : path_(std::move(path)) {
  for (auto& slot : temporary_files) {
    const char* unused = nullptr;
    if (slot.compare_exchange_strong(unused, path_.c_str())) return;
  }
}

TemporaryFile::~TemporaryFile() {
  for (auto& slot : temporary_files) {
    const char* own = path_.c_str();
    if (slot.compare_exchange_strong(own, nullptr)) return;
  }
}

void remove_temporary_files() noexcept {
  for (const auto& slot : temporary_files) {
    if (const char* path = slot.load()) ::unlink(path);
  }
}

MappedFile::MappedFile(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a named pipe must not wait for a writer before it is refused.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat status {};
  if (file.number < 0 || ::fstat(file.number, &status) != 0) {
    throw UserError(path, "cannot open: {} [{}]", std::strerror(errno), remedy(errno));
  }
  if (S_ISDIR(status.st_mode)) throw UserError(path, "is a directory, expected a file");
  if (!S_ISREG(status.st_mode)) throw UserError(path, "is not a regular file [save the data to a file first]");
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;  // mmap refuses a length of 0
  void* mapping = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (mapping == MAP_FAILED) throw UserError(path, "cannot read: {}", std::strerror(errno));
  ::madvise(mapping, size_, MADV_SEQUENTIAL);
  data_ = static_cast<const char*>(mapping);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
  static std::atomic<int> files_made{0};
  std::error_code error;
  const auto status = std::filesystem::status(path_, error);
  if (std::filesystem::is_directory(status)) throw UserError(path_, "is a directory [name a file]");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw UserError(path_, "is not a regular file [name a new file]");
  }
  // Renaming onto a symbolic link would replace the link: write to its target instead.
  if (std::filesystem::is_symlink(path_, error)) path_ = std::filesystem::weakly_canonical(path_);
  temporary_ = path_;
  temporary_.replace_filename(fmt::format(".{}.tmp-{}-{}", path_.filename().string(), ::getpid(), files_made++));
  file_.reset(std::fopen(temporary_.c_str(), "wb"));
  if (!file_) fail("create");
  registered_.emplace(temporary_);
  if (std::filesystem::exists(status)) ::fchmod(::fileno(file_.get()), static_cast<mode_t>(status.permissions()));
}

AtomicFile::~AtomicFile() {
  if (!file_) return;
  file_.reset();
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void AtomicFile::fail(const char* doing) const {
  throw UserError(path_, "cannot {}: {} [{}]", doing, std::strerror(errno), remedy(errno));
}

void AtomicFile::write(std::string_view bytes) {
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail("write");
}

void AtomicFile::commit() {
  if (std::fflush(file_.get()) != 0) fail("write");
  // Opened again by name: a library that wrote to temporary_path() may have replaced the file.
  const Descriptor written{::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC)};
  if (written.number < 0 || ::fsync(written.number) != 0) fail("write");
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("write");
  file_.reset();
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

std::int64_t memory_limit() {
  // Asking the system opens two files, and a reader requests every member of an archive.
  static const std::int64_t limit = usable_memory();
  return limit;
}

FileLock::FileLock(const std::filesystem::path& path)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (file_ < 0) throw UserError(path, "cannot be written [check the permissions of the folder]");
  while (::flock(file_, LOCK_EX) != 0 && errno == EINTR) continue;
}

FileLock::~FileLock() { ::close(file_); }

}  // namespace gir
