#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <thread>

#include "download_fixture.h"
#include "gir/core/error.h"
#include "gir/data/download.h"
#include "http_server.h"

namespace gir {
namespace {

using testing::HttpServer;

/// A second process that calls `work` with a URL as soon as it receives one. Created before any server, so that no
/// other thread runs at the time of the fork.
class OtherProcess {
 public:
  explicit OtherProcess(const std::function<void(const std::string&)>& work) {
    std::array<int, 2> ends{};
    ensure(::pipe(ends.data()) == 0, "no pipe");
    process_ = ::fork();
    ensure(process_ >= 0, "no fork");
    if (process_ == 0) run(ends[0], work);
    ::close(ends[0]);
    to_process_ = ends[1];
  }
  ~OtherProcess() {
    kill();
    ::close(to_process_);
  }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;

  void start(const std::string& url) const {
    ensure(::write(to_process_, url.data(), url.size()) == static_cast<ssize_t>(url.size()), "the process is gone");
  }

  /// Kills the process without a chance to clean up.
  void kill() {
    if (process_ < 0) return;
    ::kill(process_, SIGKILL);
    exit_status();
  }

  int exit_status() {
    int status = -1;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return status;
  }

 private:
  [[noreturn]] static void run(int from_parent, const std::function<void(const std::string&)>& work) {
    std::array<char, 256> url{};
    const ssize_t size = ::read(from_parent, url.data(), url.size());
    try {
      if (size > 0) work(std::string(url.data(), static_cast<std::size_t>(size)));
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }

  pid_t process_ = -1;
  int to_process_ = -1;
};

class DownloadProcess : public testing::DownloadTest {
 protected:
  /// Waits until the other process has written that many bytes.
  void await_part(std::int64_t bytes) const {
    std::error_code missing;
    for (int i = 0; i < 3000; ++i) {
      const auto size = std::filesystem::file_size(part_, missing);
      if (!missing && size == static_cast<std::uintmax_t>(bytes)) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    FAIL() << "the other process downloads nothing";
  }

  OtherProcess other_{[this](const std::string& url) { download(request(url), {}, quick()); }};
};

TEST_F(DownloadProcess, ContinuesWhatAKilledProcessLeft) {
  HttpServer server({.body = content_});
  server.first({{.body = content_, .stalls_after = 200'000}});
  other_.start(server.url());
  ASSERT_NO_FATAL_FAILURE(await_part(200'000));
  other_.kill();
  EXPECT_FALSE(std::filesystem::exists(target_));
  EXPECT_EQ(download(request(server.url())).resumed_from, 200'000);
  EXPECT_EQ(server.requests().at(1).range, "bytes=200000-");
  EXPECT_EQ(server.bytes_sent(), kSize);
  expect_whole_target();
}

TEST_F(DownloadProcess, TakesOverWhenTheProcessItWaitsForDies) {
  HttpServer server({.body = content_});
  server.first({{.body = content_, .stalls_after = 200'000}});
  other_.start(server.url());
  ASSERT_NO_FATAL_FAILURE(await_part(200'000));
  bool waited = false;
  const auto kill_other = [&](const Progress& progress) {
    if (waited) return;
    waited = true;
    EXPECT_EQ(progress.what, "ind.cora.x (another process is downloading it)");
    EXPECT_EQ(progress.done, 200'000);
    other_.kill();
  };
  EXPECT_EQ(download(request(server.url()), kill_other).resumed_from, 200'000);
  EXPECT_TRUE(waited);
  EXPECT_EQ(server.bytes_sent(), kSize);
  expect_whole_target();
}

TEST_F(DownloadProcess, DownloadsTheFileOnceForTwoProcesses) {
  HttpServer server({.body = content_, .drops_after = 10'000});
  other_.start(server.url());
  download(request(server.url()), {}, quick());
  EXPECT_EQ(other_.exit_status(), 0);
  EXPECT_EQ(server.bytes_sent(), kSize);
  expect_whole_target();
}

/// The file locked by another process, as far as download() can see.
class DownloadLock : public testing::DownloadTest {
 protected:
  void SetUp() override {
    leave_part(content_);
    lock_ = ::open(part_.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_EQ(::flock(lock_, LOCK_EX), 0);
  }
  void TearDown() override { ::close(lock_); }

  int lock_ = -1;
};

TEST_F(DownloadLock, CanBeInterruptedWhileItWaits) {
  const auto interrupt = [](const Progress&) { throw Interrupted(); };
  EXPECT_THROW(download(request("http://127.0.0.1:1/"), interrupt), Interrupted);
  EXPECT_TRUE(testing::read_text(part_) == content_);
}

TEST_F(DownloadLock, UsesTheFileThatTheOtherProcessFinished) {
  const auto finish = [&](const Progress&) {
    std::filesystem::rename(part_, target_);
    ::flock(lock_, LOCK_UN);
  };
  EXPECT_TRUE(download(request("http://127.0.0.1:1/"), finish).already_there);
  expect_whole_target();
}

TEST_F(DownloadLock, CreatesANewPartWhenTheOtherProcessRemovedIts) {
  const HttpServer server({.body = content_});
  const auto remove = [&](const Progress& progress) {
    if (!progress.what.ends_with("(another process is downloading it)")) return;
    std::filesystem::remove(part_);
    ::flock(lock_, LOCK_UN);
  };
  EXPECT_EQ(download(request(server.url()), remove).resumed_from, 0);
  EXPECT_EQ(server.bytes_sent(), kSize);
  expect_whole_target();
}

}  // namespace
}  // namespace gir
