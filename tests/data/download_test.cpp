#include "gir/data/download.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "download_fixture.h"
#include "environment.h"
#include "gir/core/error.h"
#include "http_server.h"

namespace gir {
namespace {

using testing::expect_user_error;
using testing::HttpServer;
using testing::random_bytes;
using testing::read_text;
using testing::ScopedVariable;
using testing::sha256_of;

class Download : public testing::ServedDownloadTest {};

TEST_F(Download, FetchesAFileIntoANewFolder) {
  const DownloadResult result = fetch();
  EXPECT_FALSE(result.already_there);
  EXPECT_EQ(result.resumed_from, 0);
  EXPECT_EQ(range_of_request(0), "");
  expect_whole_target();
}

TEST_F(Download, FetchesAFileOfUnknownSize) {
  fetch_unknown_size();
  expect_whole_target();
}

TEST_F(Download, FetchesAnEmptyFile) {
  server_.from_now_on({});
  download({.url = server_.url(), .target = target_, .sha256 = sha256_of(""), .bytes = std::nullopt});
  EXPECT_TRUE(std::filesystem::is_empty(target_));
  EXPECT_FALSE(std::filesystem::exists(part_));
}

TEST_F(Download, KeepsATargetWithTheRightContent) {
  folder_.file("cora/ind.cora.x", content_);
  EXPECT_TRUE(fetch().already_there);
  EXPECT_TRUE(server_.requests().empty());
  expect_whole_target();
}

TEST_F(Download, ReplacesATargetWithOtherContentOfTheSameSize) {
  folder_.file("cora/ind.cora.x", random_bytes(kSize, 2));
  EXPECT_FALSE(fetch().already_there);
  expect_whole_target();
}

TEST_F(Download, ReportsProgressInBytesUpToTheEnd) {
  std::vector<std::int64_t> done;
  download(request(server_.url()), [&](const Progress& progress) {
    EXPECT_EQ(progress.what, "ind.cora.x");
    EXPECT_EQ(progress.total, kSize);
    done.push_back(progress.done);
  });
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(done.back(), kSize);
}

TEST_F(Download, LearnsTheTotalFromTheServer) {
  std::int64_t total = 0;
  server_.first({{.body = content_, .drops_after = 1000}});
  const auto note_total = [&](const Progress& progress) { total = std::max(total, progress.total); };
  EXPECT_THROW(download(request_of_unknown_size(server_.url()), note_total, without_retries()), UserError);
  EXPECT_EQ(total, kSize);
}

TEST_F(Download, FollowsARedirect) {
  server_.first({{.status = 302, .location = "/elsewhere"}});
  fetch();
  EXPECT_EQ(server_.requests().at(1).path, "/elsewhere");
  expect_whole_target();
}

TEST_F(Download, RefusesARedirectToALocalFile) {
  server_.from_now_on({.status = 302, .location = "file:///etc/hostname"});
  expect_user_error([&] { fetch(); }, server_.url(), "[an address starts with http:// or https://]");
  EXPECT_EQ(server_.requests().size(), 1);
}

TEST_F(Download, RefusesAnAddressThatIsNotHttp) {
  const auto file = folder_.file("original", content_);
  expect_user_error([&] { download(request("file://" + file.string())); }, file.string(),
                    "[an address starts with http:// or https://]");
}

TEST_F(Download, StopsARedirectLoop) {
  server_.from_now_on({.status = 302, .location = "/file"});
  expect_user_error([&] { fetch(); }, server_.url(), "redirects", "[check the address]");
}

TEST_F(Download, NamesUrlAndStatusOfAMissingFileAndDoesNotRetry) {
  server_.from_now_on({.status = 404});
  expect_user_error([&] { fetch(); }, server_.url() + ": the server answered with status 404 [");
  EXPECT_EQ(server_.requests().size(), 1);
  EXPECT_FALSE(std::filesystem::exists(part_));
}

TEST_F(Download, RefusesAStatusThatIsNeitherErrorNorFile) {
  server_.from_now_on({.status = 204});
  expect_user_error([&] { fetch(); }, server_.url(), "status 204");
}

TEST_F(Download, RetriesWhenTheServerIsBusy) {
  server_.first({{.status = 503}, {.status = 429}, {.status = 500}});
  fetch();
  EXPECT_EQ(server_.requests().size(), 4);
  expect_whole_target();
}

TEST_F(Download, GivesUpWhenTheServerStaysBusy) {
  server_.from_now_on({.status = 503});
  expect_user_error([&] { fetch(); }, server_.url(), "status 503 [try again later");
  EXPECT_EQ(server_.requests().size(), 4);
}

TEST_F(Download, RefusesAWrongHashAndRemovesThePart) {
  const std::string wrong = random_bytes(kSize, 2);
  server_.from_now_on({.body = wrong});
  expect_user_error([&] { fetch(); }, target_.string() + ": expected sha256 " + sha256_of(content_),
                    "got " + sha256_of(wrong), server_.url());
  EXPECT_FALSE(std::filesystem::exists(part_));
  EXPECT_FALSE(std::filesystem::exists(target_));
  server_.from_now_on({.body = content_});
  EXPECT_EQ(fetch().resumed_from, 0);
  expect_whole_target();
}

TEST_F(Download, KeepsTheOldTargetWhenTheNewContentIsWrong) {
  folder_.file("cora/ind.cora.x", "precious");
  server_.from_now_on({.body = random_bytes(kSize, 2)});
  EXPECT_THROW(fetch(), UserError);
  EXPECT_EQ(read_text(target_), "precious");
}

TEST_F(Download, RefusesACompleteFileThatIsShorterThanExpected) {
  server_.from_now_on({.body = content_.substr(0, 1000), .names_length = false});
  expect_user_error([&] { fetch(); }, target_.string(), "expected 300,000 bytes, got 1,000");
  EXPECT_FALSE(std::filesystem::exists(part_));
}

TEST_F(Download, StopsWhenMoreBytesComeThanExpected) {
  server_.from_now_on({.body = content_ + std::string(50'000'000, 'x'), .names_length = false});
  expect_user_error([&] { fetch(); }, server_.url(), "the server sends more than 300,000 bytes [");
  EXPECT_LT(server_.bytes_sent(), 50'000'000);
  EXPECT_FALSE(std::filesystem::exists(part_));
}

TEST_F(Download, HasALimitWhereTheSizeIsUnknown) {
  DownloadOptions options = quick();
  options.largest = 1000;
  expect_user_error([&] { fetch_unknown_size(options); }, "offers 300,000 bytes, expected at most 1,000 [");
  EXPECT_FALSE(std::filesystem::exists(part_));
  server_.from_now_on({.body = content_, .names_length = false});
  expect_user_error([&] { fetch_unknown_size(options); }, "the server sends more than 1,000 bytes [");
  EXPECT_FALSE(std::filesystem::exists(part_));
}

TEST_F(Download, RefusesAResponseThatIsTruncatedByItsAnnouncedLength) {
  server_.from_now_on({.body = content_, .length = 1000});
  expect_user_error([&] { fetch_unknown_size(); }, target_.string(), "got " + sha256_of(content_.substr(0, 1000)));
}

TEST_F(Download, SaysWhenTheDiskIsTooSmall) {
  constexpr std::int64_t kExbibyte = std::int64_t{1} << 60;
  DownloadRequest huge = request(server_.url());
  huge.bytes = kExbibyte;
  server_.from_now_on({.body = content_, .length = kExbibyte});
  expect_user_error([&] { download(huge, {}, quick()); }, target_.string(), "needs 1048576.0 TiB more", "`data-dir`");
}

TEST_F(Download, ExplainsARefusedConnection) {
  std::string url;
  {
    const HttpServer gone({});
    url = gone.url();
  }
  expect_user_error([&] { download(request(url), {}, quick()); }, url + ": cannot download: ", "127.0.0.1",
                    "[check the network and try again");
  EXPECT_FALSE(std::filesystem::exists(part_));
}

TEST_F(Download, UsesNoProxyForThisMachine) {
  const ScopedVariable proxy("http_proxy", "http://127.0.0.1:1");
  const ScopedVariable other_proxy("all_proxy", "http://127.0.0.1:1");
  const ScopedVariable exceptions("no_proxy", std::nullopt);
  fetch(without_retries());
  expect_whole_target();
}

TEST_F(Download, UsesTheProxyForOthers) {
  const ScopedVariable proxy("http_proxy", server_.url(""));
  const ScopedVariable exceptions("no_proxy", std::nullopt);
  download(request("http://127.0.0.2:9/file"), {}, quick());
  EXPECT_EQ(server_.requests().at(0).path, "http://127.0.0.2:9/file");
  expect_whole_target();
}

TEST_F(Download, KeepsTheUsersOwnExceptionsFromTheProxy) {
  const ScopedVariable proxy("http_proxy", server_.url(""));
  const ScopedVariable exceptions("no_proxy", "example.org,127.0.0.2");
  EXPECT_THROW(download(request("http://127.0.0.2:9/file"), {}, without_retries()), UserError);
  EXPECT_TRUE(server_.requests().empty());
}

/// Changes the effective user of this process for a while, because root may write everywhere.
class OrdinaryUser {
 public:
  OrdinaryUser() { ensure(old_ != 0 || ::seteuid(65534) == 0, "cannot become an ordinary user"); }
  ~OrdinaryUser() { EXPECT_EQ(::seteuid(old_), 0); }
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;

 private:
  uid_t old_ = ::geteuid();
};

TEST_F(Download, SaysThatAFolderIsNotWritable) {
  std::filesystem::create_directories(target_.parent_path());
  std::filesystem::permissions(target_.parent_path(), std::filesystem::perms(0555));
  {
    const OrdinaryUser user;
    expect_user_error([&] { fetch(); },
                      part_.string() + ": cannot create: Permission denied [choose a writable folder");
  }
  EXPECT_TRUE(server_.requests().empty());
  std::filesystem::permissions(target_.parent_path(), std::filesystem::perms(0755));
}

TEST_F(Download, SaysThatAFolderCannotBeCreated) {
  folder_.file("cora", "a file where the folder should be");
  expect_user_error([&] { fetch(); }, target_.parent_path().string() + ": cannot create the folder: ", "`data-dir`");
  EXPECT_TRUE(server_.requests().empty());
}

TEST_F(Download, RefusesATargetThatIsAFolder) {
  std::filesystem::create_directories(target_);
  expect_user_error([&] { fetch(); }, target_.string() + ": is a directory");
}

TEST_F(Download, RequiresAHash) {
  DownloadRequest careless = request(server_.url());
  careless.sha256 = "";
  EXPECT_THROW(download(careless), InternalError);
}

}  // namespace
}  // namespace gir
