#include "partial_file.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <thread>

#include "gir/core/error.h"

namespace gir {

PartialFile::PartialFile(const std::filesystem::path& target, const std::function<void(std::int64_t)>& waiting)
    : target_(target), path_(target) {
  path_ += ".part";
  // The process that held the lock before may have renamed or removed the file that was opened here.
  do {
    open();
    lock(waiting);
  } while (!is_at_path());
  size_ = inherited_ = size_on_disk();
}

PartialFile::~PartialFile() {
  if (!file_ || size_ > 0) return;
  // Before the lock is released: afterwards it could be the file of another process.
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void PartialFile::open() {
  file_.reset(std::fopen(path_.c_str(), "abe"));
  if (!file_) fail("create");
  // Unbuffered: buffered bytes would be lost if the process is killed.
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
}

void PartialFile::lock(const std::function<void(std::int64_t)>& waiting) {
  while (::flock(::fileno(file_.get()), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) fail("lock");
    waiting(size_on_disk());
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

/// Whether the open file is still the one at the path.
bool PartialFile::is_at_path() const {
  struct stat here {};
  struct stat named {};
  return ::fstat(::fileno(file_.get()), &here) == 0 && ::stat(path_.c_str(), &named) == 0 &&
         here.st_dev == named.st_dev && here.st_ino == named.st_ino;
}

std::int64_t PartialFile::size_on_disk() const {
  struct stat status {};
  if (::fstat(::fileno(file_.get()), &status) != 0) fail("read");
  return status.st_size;
}

void PartialFile::append(std::string_view bytes) {
  const std::size_t written = std::fwrite(bytes.data(), 1, bytes.size(), file_.get());
  size_ += static_cast<std::int64_t>(written);
  if (written != bytes.size()) fail("write");
}

void PartialFile::clear() {
  if (::ftruncate(::fileno(file_.get()), 0) != 0) fail("write");
  size_ = inherited_ = 0;
}

void PartialFile::publish() {
  if (::fsync(::fileno(file_.get())) != 0) fail("write");
  if (std::rename(path_.c_str(), target_.c_str()) != 0) fail("rename");
  file_.reset();
}

void PartialFile::fail(const char* doing) const {
  throw UserError(path_, "cannot {}: {} [choose a writable folder with enough space with `data-dir` or GIR_DATA]",
                  doing, std::strerror(errno));
}

}  // namespace gir
