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

/// Features are stored as float; for double (used by tests) they are converted in `workspace`.
const float* dense_rows(const float* values, std::int64_t, std::vector<float>&) { return values; }
const double* dense_rows(const float* values, std::int64_t count, std::vector<double>& workspace) {
  workspace.assign(values, values + count);
  return workspace.data();
}

/// out += X w for one block of columns of X and rows [begin, end), with one overload per type of block.
template <typename Real>
class ForwardRows {
 public:
  ForwardRows(const NodeInput::Block& block, const NodeInput::Values& values, const MatrixView<const Real>& w,
              const MatrixView<Real>& out, std::int64_t begin, std::int64_t end)
      : values_(values),
        w_(w.row_range(block.first_column, block.first_column + block.columns)),
        out_(out),
        begin_(begin),
        end_(end) {}

  void operator()(const NodeInput::Constant&) const {
    for (std::int64_t v = begin_; v < end_; ++v) add_row(w_.data, w_.columns, row(v));
  }

  void operator()(const NodeInput::Dense&) const {
    std::vector<Real> workspace;
    const Real* x = dense_rows(values_.by_row + begin_ * w_.rows, (end_ - begin_) * w_.rows, workspace);
    multiply(Product::kAB, MatrixView<const Real>{x, end_ - begin_, w_.rows}, w_, out_.row_range(begin_, end_), true);
  }

  void operator()(const NodeInput::Sparse& sparse) const {
    // gather_rows() overwrites its result, but `out` already has the sums of the other blocks.
    std::vector<Real> sums(static_cast<std::size_t>((end_ - begin_) * w_.columns));
    gather_rows({.rows = sparse.rows->rows,
                 .offsets = sparse.rows->offsets.data(),
                 .columns = sparse.rows->column_indices.data(),
                 .weights = values_.by_row},
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

  NodeInput::Values values_;
  MatrixView<const Real> w_;
  MatrixView<Real> out_;
  std::int64_t begin_;
  std::int64_t end_;
};

/// d_w = Xᵀ d_out for one block of columns of X, with one overload per type of block.
template <typename Real>
class BackwardBlock {
 public:
  BackwardBlock(const NodeInput::Block& block, const NodeInput::Values& values, const MatrixView<const Real>& d_out,
                const MatrixView<Real>& d_w)
      : values_(values), d_out_(d_out), d_w_(d_w.row_range(block.first_column, block.first_column + block.columns)) {}

  void operator()(const NodeInput::Constant&) const {
    PartialSums<Real> sums(kMaxChunks, d_w_.columns);
    const auto chunks = for_each_chunk(d_out_.rows, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
      sums.begin(chunk);
      add_rows(d_out_.row_range(begin, end).data, end - begin, d_out_.columns, sums.part(chunk));
    });
    sums.total(chunks, d_w_.data);
  }

  void operator()(const NodeInput::Dense&) const {
    PartialSums<Real> sums(kMaxChunks, d_w_.rows * d_w_.columns);
    const auto chunks = for_each_chunk(d_out_.rows, [&](std::int64_t chunk, std::int64_t first, std::int64_t last) {
      sums.begin(chunk);
      std::vector<Real> workspace;
      for_each_block(first, last, [&](std::int64_t begin, std::int64_t end) {
        const Real* x = dense_rows(values_.by_row + begin * d_w_.rows, (end - begin) * d_w_.rows, workspace);
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
                        .weights = values_.by_column};
    // Every row of d_w is written by one chunk, so more chunks than elsewhere need no partial sums; they balance
    // columns of very different lengths.
    for_each_row_chunk(rows, 16 * kMaxChunks, 1 << 12, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
      gather_rows(rows, begin, end, d_out_.data, d_out_.columns, d_w_.row_range(begin, end).data);
    });
  }

  void operator()(const NodeInput::OneHot& one_hot) const {
    for (std::int64_t i = 0; i < one_hot.nodes.size(); ++i) {
      Real* row = d_w_.data + i * d_w_.columns;
      const NodeId node = one_hot.nodes[i];
      node < 0 ? std::fill_n(row, d_w_.columns, Real{0})
               : std::copy_n(d_out_.data + node * d_out_.columns, d_out_.columns, row);
    }
  }

  void operator()(const NodeInput::OneHotOfAll&) const {
    parallel_for(d_out_.rows, 1 << 12, [&](std::int64_t begin, std::int64_t end) {
      std::copy_n(d_out_.row_range(begin, end).data, (end - begin) * d_out_.columns, d_w_.row_range(begin, end).data);
    });
  }

 private:
  NodeInput::Values values_;
  MatrixView<const Real> d_out_;
  MatrixView<Real> d_w_;
};

}  // namespace

template <typename Real>
void input_linear_forward(const InputNumbers& numbers, const MatrixView<const Real>& w, const Base<Real>& base,
                          const MatrixView<Real>& out) {
  const auto& blocks = numbers.input.blocks();
  parallel_for(out.rows, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    Real* rows = out.row_range(begin, end).data;
    std::fill_n(rows, (end - begin) * out.columns, Real{0});
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      std::visit(ForwardRows<Real>(blocks[i], numbers.values(i), w, out, begin, end), blocks[i].content);
    }
    if (base.values == nullptr) return;
    if (base.by_row) return add_row(base.values + begin * out.columns, (end - begin) * out.columns, rows);
    for (std::int64_t v = begin; v < end; ++v, rows += out.columns) add_row(base.values, out.columns, rows);
  });
}

template <typename Real>
void input_linear_backward(const InputNumbers& numbers, const MatrixView<const Real>& d_out,
                           const MatrixView<Real>& d_w) {
  const auto& blocks = numbers.input.blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::visit(BackwardBlock<Real>(blocks[i], numbers.values(i), d_out, d_w), blocks[i].content);
  }
}

#define GIR_INSTANTIATE(Real)                                                                               \
  template void input_linear_forward(const InputNumbers&, const MatrixView<const Real>&, const Base<Real>&, \
                                     const MatrixView<Real>&);                                              \
  template void input_linear_backward(const InputNumbers&, const MatrixView<const Real>&, const MatrixView<Real>&);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cpu
