#include "linear.h"

#include <algorithm>

#include "partial_sums.h"
#include "row_blocks.h"

namespace gir::cpu {

template <typename Real>
void linear_forward(const MatrixView<const Real>& x, const MatrixView<const Real>& w, const Real* bias,
                    const MatrixView<Real>& out) {
  parallel_for(out.rows, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    const MatrixView<Real> block = out.row_range(begin, end);
    if (bias == nullptr && w.data != nullptr) return multiply(Product::kAB, x.row_range(begin, end), w, block, false);
    for (std::int64_t i = 0; i < block.rows; ++i) {
      Real* row = block.data + i * block.columns;
      bias == nullptr ? std::fill_n(row, block.columns, Real{0}) : std::copy_n(bias, block.columns, row);
    }
    if (w.data != nullptr) multiply(Product::kAB, x.row_range(begin, end), w, block, true);
  });
}

template <typename Real>
void linear_backward(const MatrixView<const Real>& x, const MatrixView<const Real>& w,
                     const MatrixView<const Real>& d_out, const MatrixView<Real>& d_x, Real* d_w, Real* d_bias) {
  PartialSums<Real> weight_sums(kMaxChunks, d_w == nullptr ? 0 : x.columns * d_out.columns);
  PartialSums<Real> bias_sums(kMaxChunks, d_bias == nullptr ? 0 : d_out.columns);
  const auto chunks = for_each_chunk(d_out.rows, [&](std::int64_t chunk, std::int64_t first, std::int64_t last) {
    weight_sums.begin(chunk);
    bias_sums.begin(chunk);
    for_each_block(first, last, [&](std::int64_t begin, std::int64_t end) {
      const MatrixView<const Real> d_block = d_out.row_range(begin, end);
      if (d_x.data != nullptr) {
        const MatrixView<Real> d_x_block = d_x.row_range(begin, end);
        if (w.data != nullptr) {
          multiply(Product::kABt, d_block, w, d_x_block, false);
        } else {
          std::fill_n(d_x_block.data, d_x_block.rows * d_x_block.columns, Real{0});
        }
      }
      if (d_w != nullptr) {
        multiply(Product::kAtB, x.row_range(begin, end), d_block,
                 MatrixView<Real>{weight_sums.part(chunk), x.columns, d_out.columns}, true);
      }
      if (d_bias != nullptr) add_rows(d_block.data, d_block.rows, d_block.columns, bias_sums.part(chunk));
    });
  });
  if (d_w != nullptr) weight_sums.total(chunks, d_w);
  if (d_bias != nullptr) bias_sums.total(chunks, d_bias);
}

#define GIR_INSTANTIATE(Real)                                                                             \
  template void linear_forward(const MatrixView<const Real>&, const MatrixView<const Real>&, const Real*, \
                               const MatrixView<Real>&);                                                  \
  template void linear_backward(const MatrixView<const Real>&, const MatrixView<const Real>&,             \
                                const MatrixView<const Real>&, const MatrixView<Real>&, Real*, Real*);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cpu
