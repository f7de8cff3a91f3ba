#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/export.h"
#include "gir/core/random.h"
#include "gir/core/types.h"
#include "gir/graph/attributes.h"
#include "gir/nn/messages.h"

namespace gir {

/// What is known about every node before the first layer: blocks of columns side by side. A one-hot block costs four
/// bytes a node, sparse features stay sparse; those of which more than a quarter is there are multiplied as full rows,
/// which all inputs of a data set share.
class GIR_API NodeInput {
 public:
  explicit NodeInput(std::int64_t nodes) : nodes_(nodes) {}

  /// One column of ones.
  void add_constant();

  /// The features, which must outlive this; a constant where there are none.
  void add_features(const Features& features);

  /// Columns of its own.
  void add_dense(DenseMatrix matrix);

  /// A column for each of `nodes` (distinct), 1 in its row.
  void add_one_hot(std::span<const NodeId> nodes);

  /// A column for every node. With `from_zero` their weights begin as 0: a node of which nothing is learnt stays
  /// like any other.
  void add_one_hot_of_all(bool from_zero = false);

  /// The rows of some nodes (ascending), in that order, and all columns.
  NodeInput rows_of(std::span<const NodeId> nodes) const;

  std::int64_t num_nodes() const { return nodes_; }
  std::int64_t width() const { return width_; }

  struct Constant {};
  struct Dense {
    const Array<float>* given = nullptr;  ///< [nodes, columns]; null where they belong to this
    Array<float> own = {};

    const Array<float>& values() const { return given == nullptr ? own : *given; }
  };
  struct Sparse {
    const SparseMatrix* rows;
    SparseMatrix columns;                          ///< transposed, for gradients
    std::unique_ptr<const SparseMatrix> own = {};  ///< where the rows belong to this
  };
  struct OneHot {
    Array<NodeId> nodes;            ///< of every column; -1 for none
    Array<std::int32_t> column_of;  ///< of every node; -1 for none
  };
  struct OneHotOfAll {};
  using Content = std::variant<Constant, Dense, Sparse, OneHot, OneHotOfAll>;
  struct Block {
    std::int64_t first_column;
    std::int64_t columns;
    bool from_zero;  ///< weights begin as 0
    Content content;
  };
  const std::vector<Block>& blocks() const { return blocks_; }

  /// The numbers of a block of features; null for blocks that have none.
  struct Values {
    const float* by_row = nullptr;     ///< as they are given
    const float* by_column = nullptr;  ///< sparse ones again, in the order of the transpose
  };
  Values values(std::size_t block) const;

 private:
  template <typename Kind>
  void add(std::int64_t columns, Kind content, bool from_zero = false);

  std::int64_t nodes_;
  std::int64_t width_ = 0;
  std::vector<Block> blocks_;
};

/// What everybody is told where the input itself is sent: `messages` are sums, and the input has nothing but dense
/// features.
GIR_API NodeInput summed_input(const NodeInput& input, const Messages& messages);

/// Leaves out some of an input's features, others in every draw, and lets the rest grow so that sums stay the same on
/// average. Constants and one-hot labels stay. Keeps a second copy of the numbers, not of their places.
class GIR_API InputDropout {
 public:
  /// `input` must outlive this. At rate 0 there is nothing to draw and nothing to keep.
  InputDropout(const NodeInput& input, double rate);

  /// The numbers of (seed, epoch) until the next draw. Where another device than the processor computes, it draws them
  /// itself when it needs them.
  void draw(std::uint64_t seed, std::uint64_t epoch, const at::Device& device);

  /// On the processor.
  NodeInput::Values values(std::size_t block) const;

  double rate() const { return rate_; }
  bool has_drawn() const { return drawn_; }

  /// What decides which numbers of a block are dropped: those of its values by row, as relu_dropout() has it.
  RandomStream stream(std::size_t block) const;

  /// Of a sparse block's transposed values: their places by row.
  const Array<std::int64_t>& origins(std::size_t block) const;

 private:
  struct Dropped {
    Array<float> by_row;
    Array<float> by_column;
  };

  const NodeInput& input_;
  double rate_;
  bool drawn_ = false;
  std::uint64_t seed_ = 0;
  std::uint64_t epoch_ = 0;
  std::vector<Dropped> blocks_;                       ///< one a block, from the first draw on the processor on
  mutable std::vector<Array<std::int64_t>> origins_;  ///< one a block, from the first question on
};

struct GIR_API InputLinearOptions {
  at::Tensor base = {};                   ///< what the product is added to: [out], or [nodes, out]; undefined for zeros
  const InputDropout* dropout = nullptr;  ///< its numbers instead of the input's; it must not draw before the gradients
};

/// base + X w for the matrix X that the input stands for: w [input.width(), out], float or double; returns [nodes, out]
/// with gradients for w and the base. `input` must outlive the backward pass. O(nodes * out) for one-hot blocks,
/// O(values * out) for sparse ones, a matrix product for dense ones.
GIR_API at::Tensor input_linear(const NodeInput& input, const at::Tensor& w, const InputLinearOptions& options = {});

}  // namespace gir
