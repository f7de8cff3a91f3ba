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

/// Input matrix of the first layer, [nodes, width], as concatenated blocks of columns. A one-hot block takes four bytes
/// per node. Sparse features stay sparse unless more than a quarter of their entries are nonzero; such features are
/// multiplied as a dense matrix, of which all inputs of a data set share one copy.
class GIR_API NodeInput {
 public:
  explicit NodeInput(std::int64_t nodes) : nodes_(nodes) {}

  /// One column of ones.
  void add_constant();

  /// The given features, which must outlive this object; a constant column if there are none.
  void add_features(const Features& features);

  /// A dense block that this object owns.
  void add_dense(DenseMatrix matrix);

  /// One-hot labels of `nodes` (distinct): one column per node, 1 in the row of that node.
  void add_one_hot(std::span<const NodeId> nodes);

  /// One-hot labels of all nodes. With `zero_initialised` the weights of these columns are initialised to 0, so that a
  /// node whose label receives no gradient is treated like any other.
  void add_one_hot_of_all(bool zero_initialised = false);

  /// The rows of the given nodes (ascending), with all columns.
  NodeInput rows_of(std::span<const NodeId> nodes) const;

  /// Whether there are one-hot labels of all nodes.
  bool has_one_hot_of_all() const;

  std::int64_t num_nodes() const { return nodes_; }
  std::int64_t width() const { return width_; }

  struct Constant {};
  struct Dense {
    const Array<float>* given = nullptr;  ///< [nodes, columns]; null if `own` holds the values
    Array<float> own = {};

    const Array<float>& values() const { return given == nullptr ? own : *given; }
  };
  struct Sparse {
    const SparseMatrix* rows;
    SparseMatrix columns;                          ///< transposed, for gradients
    std::unique_ptr<const SparseMatrix> own = {};  ///< owner of `rows`, if this block owns them
  };
  struct OneHot {
    Array<NodeId> nodes;            ///< node of each column; -1 for none
    Array<std::int32_t> column_of;  ///< column of each node; -1 for none
  };
  struct OneHotOfAll {};
  using Content = std::variant<Constant, Dense, Sparse, OneHot, OneHotOfAll>;
  struct Block {
    std::int64_t first_column;
    std::int64_t columns;
    bool zero_initialised;  ///< initial weights are 0
    Content content;
  };
  const std::vector<Block>& blocks() const { return blocks_; }

  /// The values of a feature block; null for constant and one-hot blocks.
  struct Values {
    const float* by_row = nullptr;     ///< row-major, or in CSR order
    const float* by_column = nullptr;  ///< sparse blocks: the same values in the order of the transpose
  };
  Values values(std::size_t block) const;

 private:
  template <typename Kind>
  void add(std::int64_t columns, Kind content, bool zero_initialised = false);

  std::int64_t nodes_;
  std::int64_t width_ = 0;
  std::vector<Block> blocks_;
};

/// The aggregate of the input itself over linear `messages`: A X for an input matrix X with dense feature blocks only.
GIR_API NodeInput summed_input(const NodeInput& input, const Messages& messages);

/// Inverted dropout of the features of an input, with a new mask in every draw. Constants and one-hot labels are not
/// dropped. Stores a second copy of the values, but not of the sparse indices.
class GIR_API InputDropout {
 public:
  /// `input` must outlive this object. At rate 0 no masks are drawn and no copy is stored.
  InputDropout(const NodeInput& input, double rate);

  /// Uses the mask of (seed, epoch) until the next draw. On the CPU the masked values are computed here; a GPU computes
  /// them in its kernels.
  void draw(std::uint64_t seed, std::uint64_t epoch, const at::Device& device);

  /// The masked values, on the CPU.
  NodeInput::Values values(std::size_t block) const;

  double rate() const { return rate_; }
  bool has_drawn() const { return drawn_; }

  /// The random stream of the mask of a block, indexed by the position in Values::by_row as in relu_dropout().
  RandomStream stream(std::size_t block) const;

  /// For a sparse block: the index in Values::by_row of each value in Values::by_column.
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
  std::vector<Dropped> blocks_;                       ///< per block; allocated by the first draw on the CPU
  mutable std::vector<Array<std::int64_t>> origins_;  ///< per block; computed on first use
};

struct GIR_API InputLinearOptions {
  at::Tensor base = {};                   ///< added to the product: [out] or [nodes, out]; undefined for zeros
  const InputDropout* dropout = nullptr;  ///< if set, X is the masked input; no draw() before the backward pass is done
};

/// base + X w for the matrix X that the input stands for: w [input.width(), out], float or double; returns [nodes,
/// out], differentiable in w and the base. `input` must outlive the backward pass. O(nodes * out) for one-hot blocks,
/// O(values * out) for sparse ones, a matrix product for dense ones.
GIR_API at::Tensor input_linear(const NodeInput& input, const at::Tensor& w, const InputLinearOptions& options = {});

}  // namespace gir
