#include <gtest/gtest.h>

#include "download_fixture.h"
#include "gir/core/error.h"
#include "gir/data/download.h"

namespace gir {
namespace {

using testing::expect_user_error;
using testing::random_bytes;
using testing::read_text;

class DownloadResume : public testing::ServedDownloadTest {};

TEST_F(DownloadResume, ContinuesAfterADroppedConnection) {
  server_.first({{.body = content_, .drops_after = 100'000}});
  EXPECT_EQ(fetch().resumed_from, 0);
  EXPECT_EQ(range_of_request(1), "bytes=100000-");
  EXPECT_EQ(server_.bytes_sent(), kSize);
  expect_whole_target();
}

TEST_F(DownloadResume, ContinuesAsLongAsNewBytesArrive) {
  server_.from_now_on({.body = content_, .drops_after = 30'000});
  fetch();
  EXPECT_EQ(server_.requests().size(), 10);
  EXPECT_EQ(server_.bytes_sent(), kSize);
  expect_whole_target();
}

TEST_F(DownloadResume, ContinuesWhenTheServerEndsAResponseWithoutLengthTooEarly) {
  server_.first({{.body = content_, .names_length = false, .drops_after = 100'000}});
  fetch();
  EXPECT_EQ(range_of_request(1), "bytes=100000-");
  expect_whole_target();
}

TEST_F(DownloadResume, KeepsItsBytesWhenItGivesUp) {
  server_.first({{.body = content_, .drops_after = 100'000}});
  server_.from_now_on({.body = content_, .drops_after = 0});
  expect_user_error([&] { fetch(); }, server_.url(), "try again, the download continues");
  EXPECT_EQ(server_.requests().size(), 4);
  EXPECT_TRUE(read_text(part_) == content_.substr(0, 100'000));
  EXPECT_FALSE(std::filesystem::exists(target_));
}

TEST_F(DownloadResume, ContinuesWhereAnEarlierCallStopped) {
  server_.first({{.body = content_, .drops_after = 100'000}});
  EXPECT_THROW(fetch(without_retries()), UserError);
  EXPECT_EQ(fetch().resumed_from, 100'000);
  EXPECT_EQ(range_of_request(1), "bytes=100000-");
  EXPECT_EQ(server_.bytes_sent(), kSize);
  expect_whole_target();
}

TEST_F(DownloadResume, StartsAgainWhenTheServerDoesNotSupportRanges) {
  leave_part(content_.substr(0, 100'000));
  server_.from_now_on({.body = content_, .ignores_range = true});
  EXPECT_EQ(fetch().resumed_from, 0);
  EXPECT_EQ(range_of_request(0), "bytes=100000-");
  expect_whole_target();
}

TEST_F(DownloadResume, GivesUpOnAServerWithoutRangesThatDropsEveryConnection) {
  server_.from_now_on({.body = content_, .ignores_range = true, .drops_after = 100'000});
  expect_user_error([&] { fetch(); }, server_.url());
  EXPECT_EQ(server_.requests().size(), 4);
}

TEST_F(DownloadResume, StartsAgainWhenTheServerSendsAnotherRange) {
  leave_part(content_.substr(0, 100'000));
  server_.first({{.body = content_, .range_shift = 1000}});
  EXPECT_EQ(fetch().resumed_from, 0);
  EXPECT_EQ(range_of_request(1), "");
  expect_whole_target();
}

TEST_F(DownloadResume, RequestsNothingWhenThePartIsTheWholeFile) {
  leave_part(content_);
  EXPECT_EQ(fetch().resumed_from, kSize);
  EXPECT_TRUE(server_.requests().empty());
  expect_whole_target();
}

TEST_F(DownloadResume, AcceptsACompletePartOfUnknownSize) {
  leave_part(content_);
  EXPECT_EQ(fetch_unknown_size().resumed_from, kSize);
  EXPECT_EQ(server_.requests().size(), 1);
  EXPECT_EQ(server_.bytes_sent(), 0);
  expect_whole_target();
}

TEST_F(DownloadResume, DropsAPartThatIsLongerThanTheFile) {
  leave_part(content_ + "more");
  EXPECT_EQ(fetch().resumed_from, 0);
  EXPECT_EQ(range_of_request(0), "");
  expect_whole_target();
}

TEST_F(DownloadResume, DropsAPartOfAnotherVersionWhenItsHashIsWrong) {
  leave_part(random_bytes(100'000, 2));
  EXPECT_EQ(fetch().resumed_from, 0);
  EXPECT_EQ(range_of_request(0), "bytes=100000-");
  EXPECT_EQ(range_of_request(1), "");
  expect_whole_target();
}

TEST_F(DownloadResume, RefusesAFileOfAnotherSizeBeforeItChangesThePart) {
  leave_part(content_.substr(0, 100'000));
  server_.from_now_on({.body = "<html>please log in</html>", .ignores_range = true});
  expect_user_error([&] { fetch(); }, server_.url(), "the server offers 26 bytes, expected 300,000 [");
  EXPECT_TRUE(read_text(part_) == content_.substr(0, 100'000));
}

TEST_F(DownloadResume, SurvivesAnAnnouncedLengthThatIsTooLong) {
  server_.first({{.body = content_, .length = kSize + 10}});
  fetch_unknown_size();
  EXPECT_EQ(range_of_request(1), "bytes=300000-");
  expect_whole_target();
}

TEST_F(DownloadResume, ContinuesOnANewConnectionWhenTheOldOneStalls) {
  server_.first({{.body = content_, .stalls_after = 50}});
  DownloadOptions impatient = quick();
  impatient.stall_limit = std::chrono::seconds(1);
  fetch(impatient);
  EXPECT_EQ(range_of_request(1), "bytes=50-");
  expect_whole_target();
}

TEST_F(DownloadResume, StopsWhenInterruptedAndContinuesLater) {
  server_.first({{.body = content_, .stalls_after = 100'000}});
  const auto interrupt = [](const Progress& progress) {
    if (progress.done == 100'000) throw Interrupted();
  };
  EXPECT_THROW(download(request(server_.url()), interrupt), Interrupted);
  EXPECT_EQ(fetch().resumed_from, 100'000);
  EXPECT_EQ(server_.bytes_sent(), kSize);
  expect_whole_target();
}

TEST_F(DownloadResume, CanBeInterruptedWhileItPausesBeforeARetry) {
  server_.from_now_on({.status = 503});
  DownloadOptions patient = quick();
  patient.first_pause = std::chrono::hours(1);
  // By then the response has arrived, and only the pause can be interrupted.
  const auto later = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  const auto interrupt = [&](const Progress&) {
    if (std::chrono::steady_clock::now() > later) throw Interrupted();
  };
  EXPECT_THROW(download(request(server_.url()), interrupt, patient), Interrupted);
}

}  // namespace
}  // namespace gir
