#pragma once

#include <algorithm>
#include <cstdint>

#include "gir/core/array.h"
#include "gir/core/parallel.h"

namespace gir::cpu {

/// sums[j] += rows[i][j] over all rows.
template <typename Real>
void add_rows(const Real* rows, std::int64_t count, std::int64_t width, Real* sums) {
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j < width; ++j) sums[j] += rows[i * width + j];
  }
}

/// Calls `body(chunk, begin, end)` in parallel for chunks that cover all rows: one per `rows_per_chunk` rows, but at
/// most `max_chunks`. The borders depend on these three numbers only. Returns the number of chunks.
template <typename Body>
std::int64_t for_each_chunk(std::int64_t rows, std::int64_t max_chunks, std::int64_t rows_per_chunk, const Body& body) {
  const std::int64_t chunks = std::clamp<std::int64_t>(num_blocks(rows, rows_per_chunk), 1, max_chunks);
  const std::int64_t grain = num_blocks(rows, chunks);
  parallel_blocks(chunks, [&](std::int64_t chunk) {
    body(chunk, std::min(rows, chunk * grain), std::min(rows, (chunk + 1) * grain));
  });
  return chunks;
}

/// A sum over chunks that are processed by any threads: every chunk has its own partial sum, and the partial sums are
/// added in the order of the chunks. Therefore bit-identical on any number of threads.
template <typename Real>
class PartialSums {
 public:
  PartialSums(std::int64_t max_chunks, std::int64_t size) : size_(size), parts_(max_chunks * size) {}

  /// Sets the partial sum of a chunk to zero; required for every chunk that total() adds.
  void begin(std::int64_t chunk) { std::fill_n(part(chunk), size_, Real{0}); }
  Real* part(std::int64_t chunk) { return parts_.data() + chunk * size_; }

  /// sum = part 0 + part 1 + ...
  void total(std::int64_t chunks, Real* sum) {
    parallel_for(size_, 1 << 12, [&](std::int64_t begin, std::int64_t end) {
      std::copy(part(0) + begin, part(0) + end, sum + begin);
      for (std::int64_t chunk = 1; chunk < chunks; ++chunk) {
        for (std::int64_t i = begin; i < end; ++i) sum[i] += part(chunk)[i];
      }
    });
  }

 private:
  std::int64_t size_;
  Array<Real> parts_;
};

}  // namespace gir::cpu
