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

/// Calls `body(chunk, begin, end)` for chunks that cover all rows, in parallel: one for every `rows_per_chunk` rows
/// or, where that makes too many, `most_chunks`. Borders depend on these three alone. Returns the number of chunks.
template <typename Body>
std::int64_t for_each_chunk(std::int64_t rows, std::int64_t most_chunks, std::int64_t rows_per_chunk,
                            const Body& body) {
  const std::int64_t chunks = std::clamp<std::int64_t>(num_blocks(rows, rows_per_chunk), 1, most_chunks);
  const std::int64_t grain = num_blocks(rows, chunks);
  parallel_blocks(chunks, [&](std::int64_t chunk) {
    body(chunk, std::min(rows, chunk * grain), std::min(rows, (chunk + 1) * grain));
  });
  return chunks;
}

/// A sum over chunks that any thread may work on: every chunk has a part of its own, and the parts are added in
/// the order of the chunks. The same bits on any number of threads.
template <typename Real>
class PartialSums {
 public:
  PartialSums(std::int64_t most_chunks, std::int64_t size) : size_(size), parts_(most_chunks * size) {}

  /// Sets a chunk's part to zero; every chunk that total() adds must have begun.
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
