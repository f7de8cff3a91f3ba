#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/types.h"
#include "gir/graph/attributes.h"

namespace gir {

/// What is known about every node before the first layer: blocks of columns side by side, none of them larger in
/// memory than what it says. A one-hot block costs four bytes a node, sparse features stay sparse.
class NodeInput {
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

  std::int64_t num_nodes() const { return nodes_; }
  std::int64_t width() const { return width_; }

  struct Constant {};
  struct Dense {
    const float* values;    ///< [nodes, columns]
    Array<float> own = {};  ///< where they belong to this
  };
  struct Sparse {
    const SparseMatrix* rows;
    SparseMatrix columns;  ///< transposed, for gradients
  };
  struct OneHot {
    std::vector<NodeId> nodes;
    Array<std::int32_t> column_of;  ///< of every node; -1 for none
  };
  struct OneHotOfAll {};
  struct Block {
    std::int64_t first_column;
    std::int64_t columns;
    bool from_zero;  ///< weights begin as 0
    std::variant<Constant, Dense, Sparse, OneHot, OneHotOfAll> content;
  };
  const std::vector<Block>& blocks() const { return blocks_; }

 private:
  template <typename Content>
  void add(std::int64_t columns, Content content, bool from_zero = false);

  std::int64_t nodes_;
  std::int64_t width_ = 0;
  std::vector<Block> blocks_;
};

/// X w for the matrix X that the input stands for: w [input.width(), out], float or double; returns [nodes, out]
/// with a gradient for w. `input` must outlive the backward pass. O(nodes * out) for one-hot blocks, O(values * out)
/// for sparse ones, a matrix product for dense ones.
at::Tensor input_linear(const NodeInput& input, const at::Tensor& w);

}  // namespace gir
