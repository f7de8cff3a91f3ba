#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "gir/core/export.h"

namespace gir {

/// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11): four random words
/// that are a pure function of a 128-bit counter and a 64-bit key.
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::uint64_t key) {
  auto low = static_cast<std::uint32_t>(key);
  auto high = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ low, static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ high, static_cast<std::uint32_t>(first)};
    low += 0x9E3779B9;
    high += 0xBB67AE85;
  }
  return counter;
}

/// A stream of random numbers addressed by index and keyed by seed, purpose and, for instance, epoch. Any thread may
/// draw any index in any order, and resuming needs no stored state.
class GIR_API RandomStream {
 public:
  /// Streams of different purposes are independent: an additional draw in one place changes no other.
  constexpr RandomStream(std::uint64_t seed, std::string_view purpose, std::uint64_t epoch = 0)
      : seed_(seed), stream_(hash(purpose) ^ spread(epoch)) {}

  /// The shift that turns a stream of epoch `from` into the stream of epoch `to`, for shifted(). CUDA graphs are
  /// recorded for one epoch and replayed for others; they read the shift from memory.
  static constexpr std::uint64_t shift_between(std::uint64_t from, std::uint64_t to) {
    return spread(from) ^ spread(to);
  }
  constexpr RandomStream shifted(std::uint64_t shift) const {
    RandomStream other = *this;
    other.stream_ ^= shift;
    return other;
  }

  /// Four random words of 32 bits.
  constexpr std::array<std::uint32_t, 4> words(std::uint64_t index) const {
    return philox({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                   static_cast<std::uint32_t>(stream_), static_cast<std::uint32_t>(stream_ >> 32)},
                  seed_);
  }

  /// 64 random bits: words 0 and 1 of the index.
  constexpr std::uint64_t bits(std::uint64_t index) const {
    const auto four = words(index);
    return std::uint64_t{four[1]} << 32 | four[0];
  }

  /// Uniform over [0, bound); the bias is below bound / 2^64.
  constexpr std::uint64_t below(std::uint64_t index, std::uint64_t bound) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits(index)) * bound) >> 64);
  }

  /// Uniform over [0, 1), 53 random bits.
  constexpr double uniform(std::uint64_t index) const { return static_cast<double>(bits(index) >> 11) * 0x1p-53; }

 private:
  static constexpr std::uint64_t spread(std::uint64_t epoch) { return epoch * 0x9E3779B97F4A7C15; }

  /// FNV-1a hash.
  static constexpr std::uint64_t hash(std::string_view text) {
    std::uint64_t value = 0xcbf29ce484222325;
    for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return value;
  }

  std::uint64_t seed_;
  std::uint64_t stream_;
};

/// The numbers of a stream in sequence, for serial code. Satisfies UniformRandomBitGenerator.
class GIR_API Rng {
 public:
  using result_type = std::uint64_t;

  explicit Rng(RandomStream stream) : stream_(stream) {}
  Rng(std::uint64_t seed, std::string_view purpose, std::uint64_t epoch = 0) : stream_(seed, purpose, epoch) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() { return stream_.bits(next_++); }
  std::uint64_t below(std::uint64_t bound) { return stream_.below(next_++, bound); }
  double uniform() { return stream_.uniform(next_++); }

  /// Fisher-Yates shuffle. std::shuffle would give another order with another standard library.
  template <typename Range>
  void shuffle(Range& items) {
    for (auto left = static_cast<std::uint64_t>(items.size()); left > 1; --left) {
      using std::swap;
      swap(items[static_cast<std::size_t>(left - 1)], items[static_cast<std::size_t>(below(left))]);
    }
  }

 private:
  RandomStream stream_;
  std::uint64_t next_ = 0;
};

}  // namespace gir
