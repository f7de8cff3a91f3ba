#include "gir/core/random_batch.h"

#include "gir/core/vectorise.h"

namespace gir {
namespace {

GIR_VECTORISED void draw_bits(const RandomStream& stream, std::uint64_t first, std::uint64_t* bits) {
  const RandomStream own = stream;  // a copy that `bits` cannot alias, so that the loops vectorise
  std::uint32_t words[2][kRandomBatch];
  for (std::size_t lane = 0; lane < kRandomBatch; ++lane) {
    const auto four = own.words(first + lane);
    words[0][lane] = four[0];
    words[1][lane] = four[1];
  }
  for (std::size_t lane = 0; lane < kRandomBatch; ++lane) {
    bits[lane] = std::uint64_t{words[1][lane]} << 32 | words[0][lane];
  }
}

}  // namespace

std::array<std::uint64_t, kRandomBatch> random_below(const RandomStream& stream, std::uint64_t first,
                                                     std::uint64_t bound) {
  std::array<std::uint64_t, kRandomBatch> numbers;
  draw_bits(stream, first, numbers.data());
  for (std::uint64_t& number : numbers) {
    number = static_cast<std::uint64_t>((static_cast<unsigned __int128>(number) * bound) >> 64);
  }
  return numbers;
}

}  // namespace gir
