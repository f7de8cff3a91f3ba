// Kernels<Cuda>: node inputs, and messages from anchor sets.

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/from_blob.h>

#include "../kernels.h"
#include "activation.h"
#include "anchors.h"
#include "gather.h"
#include "gir/core/error.h"
#include "recording.h"
#include "tensors.h"

namespace gir::cuda {
namespace {

/// A tensor view of the device copy of an array.
template <typename T>
at::Tensor borrowed(const Array<T>& array, at::IntArrayRef shape) {
  const auto options = at::TensorOptions(c10::CppTypeToScalarType<T>::value).device(at::kCUDA);
  if (array.empty()) return at::empty(shape, options);
  return at::from_blob(const_cast<T*>(on_device(array)), shape, options);
}

/// The values of a feature block, after dropout. Masked copies are computed for every use and not stored.
class BlockValues {
 public:
  BlockValues(const InputDropout* dropout, std::size_t block)
      : dropout_(dropout != nullptr && dropout->has_drawn() ? dropout : nullptr), block_(block) {}

  at::Tensor by_row(const Array<float>& values) const {
    const at::Tensor plain = borrowed(values, {values.size()});
    if (dropout_ == nullptr) return plain;
    at::Tensor dropped = at::empty_like(plain);
    cuda::dropout(read<float>(plain), plain.numel(),
                  epoch_dropout(dropout_at(dropout_->rate(), dropout_->stream(block_))), write<float>(dropped),
                  current_stream());
    return dropped;
  }

  at::Tensor by_column(const NodeInput::Sparse& sparse) const {
    if (dropout_ == nullptr) return borrowed(sparse.columns.values, {sparse.columns.values.size()});
    const Array<std::int64_t>& origins = dropout_->origins(block_);
    return by_row(sparse.rows->values).index_select(0, borrowed(origins, {origins.size()}));
  }

 private:
  const InputDropout* dropout_;
  std::size_t block_;
};

Gathering rows_of(const SparseMatrix& matrix, const at::Tensor& values) {
  return {.edges = {.rows = matrix.rows,
                    .offsets = on_device(matrix.offsets),
                    .columns = on_device(matrix.column_indices),
                    .weights = read<float>(values)},
          .long_rows = long_rows(matrix.offsets)};
}

/// out += X_block w, with one overload per type of block.
class AddBlock {
 public:
  AddBlock(const BlockValues& block_values, const at::Tensor& w, at::Tensor& out)
      : values_(block_values), w_(w), out_(out) {}

  void operator()(const NodeInput::Constant&) const { out_.add_(w_); }

  void operator()(const NodeInput::Dense& dense) const {
    const at::Tensor x = values_.by_row(dense.values()).view({out_.size(0), w_.size(0)});
    add_product(out_, x.to(w_.scalar_type()), w_);
  }

  void operator()(const NodeInput::Sparse& sparse) const {
    const at::Tensor values = values_.by_row(sparse.rows->values);
    add_gathered(cuda::rows_of(*sparse.rows, values), w_, nullptr, out_);
  }

  void operator()(const NodeInput::OneHot& one_hot) const {
    const Array<NodeId>& nodes = one_hot.nodes;
    for_real_type(w_, [&]<typename Real>(Real) {
      add_rows_at(on_device(nodes), nodes.size(), read<Real>(w_), w_.size(1), write<Real>(out_), current_stream());
    });
  }

  void operator()(const NodeInput::OneHotOfAll&) const { out_.add_(w_); }

 private:
  const BlockValues& values_;
  const at::Tensor& w_;
  at::Tensor& out_;
};

/// d_w = X_blockᵀ d_out.
class BlockGradient {
 public:
  BlockGradient(const BlockValues& block_values, const at::Tensor& d_out, at::Tensor& d_w)
      : values_(block_values), d_out_(d_out), d_w_(d_w) {}

  void operator()(const NodeInput::Constant&) const { d_w_.copy_(cuda::column_sums(d_out_).unsqueeze(0)); }

  void operator()(const NodeInput::Dense& dense) const {
    const at::Tensor x = values_.by_row(dense.values()).view({d_out_.size(0), d_w_.size(0)});
    d_w_.copy_(product(x.to(d_out_.scalar_type()).t(), d_out_));
  }

  void operator()(const NodeInput::Sparse& sparse) const {
    const at::Tensor values = values_.by_column(sparse);
    add_gathered(cuda::rows_of(sparse.columns, values), d_out_, nullptr, d_w_.zero_());
  }

  void operator()(const NodeInput::OneHot& one_hot) const {
    const Array<NodeId>& nodes = one_hot.nodes;
    for_real_type(d_out_, [&]<typename Real>(Real) {
      take_rows(on_device(nodes), nodes.size(), read<Real>(d_out_), d_out_.size(1), write<Real>(d_w_),
                current_stream());
    });
  }

  void operator()(const NodeInput::OneHotOfAll&) const { d_w_.copy_(d_out_); }

 private:
  const BlockValues& values_;
  const at::Tensor& d_out_;
  at::Tensor& d_w_;
};

AnchorRows rows_of(const AnchorMessages& messages) {
  static_assert(sizeof(SentMessage) == sizeof(AnchorMessages::Sent));
  return {.nodes = messages.num_nodes(),
          .sets = messages.num_sets(),
          .distances_known = std::ssize(messages.closeness()),
          .members = on_device(messages.members()),
          .distances = on_device(messages.distances()),
          .sent_offsets = on_device(messages.sent_offsets()),
          .sent = reinterpret_cast<const SentMessage*>(on_device(messages.sent()))};
}

template <typename Real>
AnchorTerms<const Real> read_terms(const AnchorTensors& given) {
  return {read<Real>(given.p), read<Real>(given.q), read<Real>(given.scales), given.p.size(1)};
}

template <typename Real>
AnchorTerms<Real> write_terms(const AnchorTensors& back) {
  return {write<Real>(back.p), write<Real>(back.q), write<Real>(back.scales), back.p.size(1)};
}

}  // namespace
}  // namespace gir::cuda

namespace gir {

using namespace cuda;

template <>
at::Tensor Kernels<Cuda>::input_linear(const NodeInput& input, const InputDropout* dropout, const at::Tensor& w,
                                       const at::Tensor& base) {
  const std::vector<NodeInput::Block>& blocks = input.blocks();
  const auto* dense = blocks.empty() ? nullptr : std::get_if<NodeInput::Dense>(&blocks.front().content);
  at::Tensor out;
  if (dense != nullptr && has(base)) {  // the base is added by the matrix product itself
    const std::int64_t columns = blocks.front().columns;
    const at::Tensor x = BlockValues(dropout, 0).by_row(dense->values()).view({input.num_nodes(), columns});
    out = affine(x.to(w.scalar_type()), w.narrow(0, 0, columns), base, w.size(1));
  } else {
    dense = nullptr;
    out = at::empty({input.num_nodes(), w.size(1)}, w.options());
    has(base) ? out.copy_(base) : out.zero_();
  }
  for (std::size_t i = dense == nullptr ? 0 : 1; i < blocks.size(); ++i) {
    const NodeInput::Block& block = blocks[i];
    const at::Tensor weights = w.narrow(0, block.first_column, block.columns);
    std::visit(AddBlock(BlockValues(dropout, i), weights, out), block.content);
  }
  return out;
}

template <>
at::Tensor Kernels<Cuda>::input_linear_back(const NodeInput& input, const InputDropout* dropout,
                                            const at::Tensor& d_out) {
  at::Tensor d_w = at::empty({input.width(), d_out.size(1)}, d_out.options());
  for (std::size_t i = 0; i < input.blocks().size(); ++i) {
    const NodeInput::Block& block = input.blocks()[i];
    at::Tensor rows = d_w.narrow(0, block.first_column, block.columns);
    std::visit(BlockGradient(BlockValues(dropout, i), d_out, rows), block.content);
  }
  return d_w;
}

template <>
at::Tensor Kernels<Cuda>::mean_anchor_messages(const AnchorMessages& messages, const AnchorTensors& given) {
  at::Tensor out = at::empty_like(given.q);
  for_real_type(given.p, [&]<typename Real>(Real) {
    mean_messages(rows_of(messages), read_terms<Real>(given), write<Real>(out), current_stream());
  });
  return out;
}

template <>
AnchorTensors Kernels<Cuda>::mean_anchor_messages_back(const AnchorMessages& messages, const AnchorTensors& given,
                                                       const at::Tensor& d_out) {
  const AnchorTensors back{at::empty_like(given.p), at::empty_like(given.q), at::empty_like(given.scales)};
  const at::Tensor by_message = at::empty({messages.num_nodes(), messages.num_sets()}, given.p.options());
  for_real_type(d_out, [&]<typename Real>(Real) {
    messages_back<Real>(rows_of(messages), read_terms<Real>(given),
                        {.vectors = read<Real>(d_out),
                         .stride = d_out.size(1),
                         .coefficients = nullptr,
                         .coefficient = Real{1} / static_cast<Real>(messages.num_sets())},
                        write_terms<Real>(back), {.by_message = write<Real>(by_message), .by_node = nullptr},
                        current_stream());
  });
  return back;
}

template <>
at::Tensor Kernels<Cuda>::anchor_positions(const AnchorMessages& messages, const AnchorTensors& given) {
  at::Tensor out = at::empty({messages.num_nodes(), messages.num_sets()}, given.q.options());
  for_real_type(given.p, [&]<typename Real>(Real) {
    positions(rows_of(messages), read_terms<Real>(given), read<Real>(given.weights), write<Real>(out),
              current_stream());
  });
  return out;
}

template <>
AnchorTensors Kernels<Cuda>::anchor_positions_back(const AnchorMessages& messages, const AnchorTensors& given,
                                                   const at::Tensor& d_out) {
  AnchorTensors back{at::empty_like(given.p), at::empty_like(given.q), at::empty_like(given.scales)};
  const at::Tensor by_message = at::empty_like(d_out);
  const at::Tensor by_node = at::empty_like(given.q);
  for_real_type(d_out, [&]<typename Real>(Real) {
    messages_back<Real>(
        rows_of(messages), read_terms<Real>(given),
        {.vectors = read<Real>(given.weights), .stride = 0, .coefficients = read<Real>(d_out), .coefficient = Real{0}},
        write_terms<Real>(back), {.by_message = write<Real>(by_message), .by_node = write<Real>(by_node)},
        current_stream());
  });
  back.weights = cuda::column_sums(by_node);
  return back;
}

}  // namespace gir
