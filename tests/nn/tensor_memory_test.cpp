#include "gir/nn/tensor_memory.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <thread>

namespace gir {
namespace {

constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;

torch::Tensor of_mebibytes(std::int64_t count) { return torch::empty({count * kMebibyte}, torch::kUInt8); }

class TensorMemoryCache : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { cache_tensor_memory(); }

  /// MiB in use since the start of the test; earlier tests may have left cached blocks.
  std::int64_t in_use() const { return (tensor_memory().in_use - before_.in_use) / kMebibyte; }

 private:
  TensorMemory before_ = tensor_memory();
};

TEST_F(TensorMemoryCache, CountsLargeTensorsOnly) {
  const torch::Tensor small = of_mebibytes(1);
  EXPECT_EQ(in_use(), 0);
  {
    const torch::Tensor large = of_mebibytes(15);
    EXPECT_EQ(in_use(), 16);  // whole huge pages
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large.data_ptr()) % (2 * kMebibyte), 0U);
  }
  EXPECT_EQ(in_use(), 0);
}

TEST_F(TensorMemoryCache, ReusesTheMemoryOfTheLastTensor) {
  const void* address = nullptr;
  {
    const torch::Tensor first = of_mebibytes(50).fill_(7);
    address = first.data_ptr();
  }
  const torch::Tensor nearly_as_large = of_mebibytes(49);
  EXPECT_EQ(nearly_as_large.data_ptr(), address);
  const torch::Tensor other = of_mebibytes(50).zero_();
  EXPECT_NE(other.data_ptr(), address);
  EXPECT_EQ(nearly_as_large[5].item<int>(), 7);
}

TEST_F(TensorMemoryCache, NeverExceedsThePeakOfTensors) {
  for (std::int64_t round = 0; round < 40; ++round) {
    const torch::Tensor first = of_mebibytes(16 + 7 * round);
    const torch::Tensor second = of_mebibytes(300 - 7 * round);
    const TensorMemory now = tensor_memory();
    EXPECT_LE(now.in_use + now.cached, now.peak);
  }
}

TEST_F(TensorMemoryCache, IsThreadSafe) {
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([number] {
      for (int round = 0; round < 20; ++round) {
        const torch::Tensor mine = of_mebibytes(8 + number).fill_(number);
        EXPECT_EQ(mine.min().item<int>(), number);
        EXPECT_EQ(mine.max().item<int>(), number);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(in_use(), 0);
}

}  // namespace
}  // namespace gir
