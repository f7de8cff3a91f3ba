#include "gir/core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "gir/core/error.h"

namespace gir {
namespace {

/// Runs every test with 1, 2 and 4 threads.
class Parallel : public ::testing::TestWithParam<int> {
 protected:
  const ThreadScope scope_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Threads, Parallel, ::testing::Values(1, 2, 4));

TEST_P(Parallel, VisitsEveryBlockOnce) {
  std::vector<std::atomic<int>> visits(1000);
  parallel_blocks(1000, [&](std::int64_t block) { ++visits[static_cast<std::size_t>(block)]; });
  for (const auto& count : visits) ASSERT_EQ(count, 1);
}

TEST_P(Parallel, DoesNothingForNoBlocks) {
  parallel_blocks(0, [](std::int64_t) { FAIL(); });
  parallel_for(0, 8, [](std::int64_t, std::int64_t) { FAIL(); });
}

TEST_P(Parallel, CoversAllItemsWithRanges) {
  for (const std::int64_t size : {1, 7, 8, 9, 1000}) {
    std::vector<std::atomic<int>> visits(static_cast<std::size_t>(size));
    parallel_for(size, 8, [&](std::int64_t begin, std::int64_t end) {
      EXPECT_EQ(begin % 8, 0);
      EXPECT_LE(end - begin, 8);
      for (std::int64_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
    });
    for (const auto& count : visits) ASSERT_EQ(count, 1);
  }
}

TEST_P(Parallel, RethrowsTheExceptionOfTheLowestBlock) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    try {
      parallel_blocks(64, [](std::int64_t block) {
        // The lowest failing block is the slowest to fail.
        if (block == 5) std::this_thread::sleep_for(std::chrono::microseconds(200));
        if (block >= 5) throw std::runtime_error(std::to_string(block));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      ASSERT_STREQ(error.what(), "5");
    }
  }
}

TEST_P(Parallel, RunsEveryBlockBelowTheOneThatThrows) {
  std::vector<std::atomic<int>> visits(100);
  EXPECT_THROW(parallel_blocks(100,
                               [&](std::int64_t block) {
                                 if (block == 60) throw std::runtime_error("60");
                                 ++visits[static_cast<std::size_t>(block)];
                               }),
               std::runtime_error);
  for (std::size_t block = 0; block < 60; ++block) ASSERT_EQ(visits[block], 1);
}

TEST_P(Parallel, WorksAgainAfterAnException) {
  EXPECT_THROW(parallel_blocks(8, [](std::int64_t) { throw std::runtime_error("x"); }), std::runtime_error);
  std::atomic<int> count = 0;
  parallel_blocks(8, [&](std::int64_t) { ++count; });
  EXPECT_EQ(count, 8);
}

TEST_P(Parallel, NestsLoops) {
  std::vector<std::atomic<int>> visits(32 * 32);
  parallel_blocks(32, [&](std::int64_t outer) {
    parallel_blocks(32, [&](std::int64_t inner) { ++visits[static_cast<std::size_t>(outer * 32 + inner)]; });
  });
  for (const auto& count : visits) ASSERT_EQ(count, 1);
}

TEST(NestedLoops, RunOnTheThreadOfTheOuterLoop) {
  const ThreadScope four(4);
  parallel_blocks(8, [](std::int64_t) {
    const auto here = std::this_thread::get_id();
    parallel_blocks(8, [&](std::int64_t) { EXPECT_EQ(std::this_thread::get_id(), here); });
  });
}

TEST_P(Parallel, PassesExceptionsThroughNestedLoops) {
  try {
    parallel_blocks(8, [](std::int64_t outer) {
      parallel_blocks(8, [&](std::int64_t inner) {
        if (outer >= 2 && inner >= 3) throw std::runtime_error(std::to_string(10 * outer + inner));
      });
    });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "23");
  }
}

TEST(ThreadScope, HoldsInItsScopeAndOnItsThreadOnly) {
  const int before = max_threads();
  EXPECT_GE(before, 1);
  {
    const ThreadScope three(3);
    EXPECT_EQ(max_threads(), 3);
    std::thread([&] { EXPECT_EQ(max_threads(), before) << "a thread of the host's own"; }).join();
    {
      const ThreadScope seven(7);
      EXPECT_EQ(max_threads(), 7) << "the inner one holds";
      const ThreadScope as_before(0);
      EXPECT_EQ(max_threads(), 7) << "0 changes nothing";
    }
    EXPECT_EQ(max_threads(), 3);
  }
  EXPECT_EQ(max_threads(), before);
}

TEST(ThreadLimit, HoldsInItsScopeAndOnItsThreadOnly) {
  const int before = max_threads();
  const ThreadScope eight(8);
  {
    const ThreadLimit three(3);
    EXPECT_EQ(max_threads(), 3);
    {
      const ThreadLimit five(5);
      EXPECT_EQ(max_threads(), 3) << "the smaller limit holds";
    }
    std::thread([&] { EXPECT_EQ(max_threads(), before); }).join();
  }
  EXPECT_EQ(max_threads(), 8);
}

/// Two blocks that end when both have started, or after half a minute: whether two threads were there.
bool blocks_meet() {
  const ThreadScope two(2);
  std::mutex mutex;
  std::condition_variable changed;
  int started = 0;
  std::atomic<bool> met{true};
  parallel_blocks(2, [&](std::int64_t) {
    std::unique_lock lock(mutex);
    ++started;
    changed.notify_all();
    if (!changed.wait_for(lock, std::chrono::seconds(30), [&] { return started == 2; })) met = false;
  });
  return met;
}

TEST(ThreadScope, OfCallersThatRunAtTheSameTimeHasThreadsForEach) {
  std::atomic<bool> inner_met{false}, is_first{true};
  const ThreadScope two(2);
  parallel_blocks(2, [&](std::int64_t) {
    if (is_first.exchange(false)) std::thread([&] { inner_met = blocks_meet(); }).join();
  });
  EXPECT_TRUE(inner_met) << "a loop that started while another one ran has no second thread";
}

TEST(ThreadScope, IsNotOfFewerThreadsThanNone) { EXPECT_THROW(ThreadScope(-1), InternalError); }
TEST(ThreadLimit, LeavesAThreadAtLeast) { EXPECT_THROW(ThreadLimit(0), InternalError); }

TEST(NumBlocks, RoundsUp) {
  EXPECT_EQ(num_blocks(0, 4), 0);
  EXPECT_EQ(num_blocks(1, 4), 1);
  EXPECT_EQ(num_blocks(4, 4), 1);
  EXPECT_EQ(num_blocks(5, 4), 2);
}

}  // namespace
}  // namespace gir
