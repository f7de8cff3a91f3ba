#include "input_linear.h"

#include <algorithm>
#include <vector>

#include "aggregate.h"
#include "partial_sums.h"
#include "row_blocks.h"

namespace gir::cpu {
namespace {

template <typename Real>
void add_row(const Real* from, std::int64_t width, Real* to) {
  for (std::int64_t j = 0; j < width; ++j) to[j] += from[j];
}

/// Features are floats; `room` holds them where other numbers are computed with.
const float* dense_rows(const float* values, std::int64_t, std::vector<float>&) { return values; }
const double* dense_rows(const float* values, std::int64_t count, std::vector<double>& room) {
  room.assign(values, values + count);
  return room.data();
}

/// Rows of one block of columns, one overload for each kind.
template <typename Real>
class ForwardRows {
 public:
  ForwardRows(const NodeInput::Block& block, const MatrixView<const Real>& w, const MatrixView<Real>& out,
              std::int64_t begin, std::int64_t end)
      : w_(w.row_range(block.first_column, block.first_column + block.columns)), out_(out), begin_(begin), end_(end) {}

  void operator()(const NodeInput::Constant&) const {
    for (std::int64_t v = begin_; v < end_; ++v) add_row(w_.data, w_.columns, row(v));
  }

  void operator()(const NodeInput::Dense& dense) const {
    std::vector<Real> room;
    const Real* x = dense_rows(dense.values + begin_ * w_.rows, (end_ - begin_) * w_.rows, room);
    multiply(Product::kAB, MatrixView<const Real>{x, end_ - begin_, w_.rows}, w_, out_.row_range(begin_, end_), true);
  }

  void operator()(const NodeInput::Sparse& sparse) const {
    std::vector<Real> sums(static_cast<std::size_t>((end_ - begin_) * w_.columns));
    gather_rows({.rows = sparse.rows->rows,
                 .offsets = sparse.rows->offsets.data(),
                 .columns = sparse.rows->column_indices.data(),
                 .weights = sparse.rows->values.data()},
                begin_, end_, w_.data, w_.columns, sums.data());
    for (std::int64_t v = begin_; v < end_; ++v) add_row(sums.data() + (v - begin_) * w_.columns, w_.columns, row(v));
  }

  void operator()(const NodeInput::OneHot& one_hot) const {
    for (std::int64_t v = begin_; v < end_; ++v) {
      const std::int64_t column = one_hot.column_of[v];
      if (column >= 0) add_row(w_.data + column * w_.columns, w_.columns, row(v));
    }
  }

  void operator()(const NodeInput::OneHotOfAll&) const {
    for (std::int64_t v = begin_; v < end_; ++v) add_row(w_.data + v * w_.columns, w_.columns, row(v));
  }

 private:
  Real* row(std::int64_t node) const { return out_.data + node * out_.columns; }

  MatrixView<const Real> w_;
  MatrixView<Real> out_;
  std::int64_t begin_;
  std::int64_t end_;
};

/// The gradient of the weights of one block of columns.
template <typename Real>
class BackwardBlock {
 public:
  BackwardBlock(const NodeInput::Block& block, const MatrixView<const Real>& d_out, const MatrixView<Real>& d_w)
      : d_out_(d_out), d_w_(d_w.row_range(block.first_column, block.first_column + block.columns)) {}

  void operator()(const NodeInput::Constant&) const {
    PartialSums<Real> sums(kMostChunks, d_w_.columns);
    const auto chunks = for_each_chunk(d_out_.rows, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
      sums.begin(chunk);
      add_rows(d_out_.row_range(begin, end).data, end - begin, d_out_.columns, sums.part(chunk));
    });
    sums.total(chunks, d_w_.data);
  }

  void operator()(const NodeInput::Dense& dense) const {
    PartialSums<Real> sums(kMostChunks, d_w_.rows * d_w_.columns);
    const auto chunks = for_each_chunk(d_out_.rows, [&](std::int64_t chunk, std::int64_t first, std::int64_t last) {
      sums.begin(chunk);
      std::vector<Real> room;
      for_each_block(first, last, [&](std::int64_t begin, std::int64_t end) {
        const Real* x = dense_rows(dense.values + begin * d_w_.rows, (end - begin) * d_w_.rows, room);
        multiply(Product::kAtB, MatrixView<const Real>{x, end - begin, d_w_.rows}, d_out_.row_range(begin, end),
                 MatrixView<Real>{sums.part(chunk), d_w_.rows, d_w_.columns}, true);
      });
    });
    sums.total(chunks, d_w_.data);
  }

  void operator()(const NodeInput::Sparse& sparse) const {
    const EdgeRows rows{.rows = sparse.columns.rows,
                        .offsets = sparse.columns.offsets.data(),
                        .columns = sparse.columns.column_indices.data(),
                        .weights = sparse.columns.values.data()};
    for_each_row_chunk(rows, 16 * kMostChunks, 1 << 12, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
      gather_rows(rows, begin, end, d_out_.data, d_out_.columns, d_w_.row_range(begin, end).data);
    });
  }

  void operator()(const NodeInput::OneHot& one_hot) const {
    for (std::size_t i = 0; i < one_hot.nodes.size(); ++i) {
      std::copy_n(d_out_.data + one_hot.nodes[i] * d_out_.columns, d_out_.columns,
                  d_w_.data + static_cast<std::int64_t>(i) * d_w_.columns);
    }
  }

  void operator()(const NodeInput::OneHotOfAll&) const {
    parallel_for(d_out_.rows, 1 << 12, [&](std::int64_t begin, std::int64_t end) {
      std::copy_n(d_out_.row_range(begin, end).data, (end - begin) * d_out_.columns, d_w_.row_range(begin, end).data);
    });
  }

 private:
  MatrixView<const Real> d_out_;
  MatrixView<Real> d_w_;
};

}  // namespace

template <typename Real>
void input_linear_forward(const NodeInput& input, const MatrixView<const Real>& w, const MatrixView<Real>& out) {
  parallel_for(out.rows, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    std::fill_n(out.row_range(begin, end).data, (end - begin) * out.columns, Real{0});
    for (const NodeInput::Block& block : input.blocks()) {
      std::visit(ForwardRows<Real>(block, w, out, begin, end), block.content);
    }
  });
}

template <typename Real>
void input_linear_backward(const NodeInput& input, const MatrixView<const Real>& d_out, const MatrixView<Real>& d_w) {
  for (const NodeInput::Block& block : input.blocks())
    std::visit(BackwardBlock<Real>(block, d_out, d_w), block.content);
}

#define GIR_INSTANTIATE(Real)                                                                                   \
  template void input_linear_forward(const NodeInput&, const MatrixView<const Real>&, const MatrixView<Real>&); \
  template void input_linear_backward(const NodeInput&, const MatrixView<const Real>&, const MatrixView<Real>&);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cpu
