#include "gir/nn/node_input.h"

#include "gir/core/error.h"

namespace gir {
namespace {

SparseMatrix transpose(const SparseMatrix& matrix) {
  SparseMatrix result{.rows = matrix.columns,
                      .columns = matrix.rows,
                      .offsets = Array<std::int64_t>(matrix.columns + 1, 0),
                      .column_indices = Array<std::int32_t>(matrix.values.size()),
                      .values = Array<float>(matrix.values.size())};
  for (const std::int32_t column : matrix.column_indices) ++result.offsets[column + 1];
  for (std::int64_t i = 0; i < result.rows; ++i) result.offsets[i + 1] += result.offsets[i];
  Array<std::int64_t> next = result.offsets.clone();
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    for (std::int64_t i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i) {
      const std::int64_t place = next[matrix.column_indices[i]]++;
      result.column_indices[place] = static_cast<std::int32_t>(row);
      result.values[place] = matrix.values[i];
    }
  }
  return result;
}

}  // namespace

template <typename Content>
void NodeInput::add(std::int64_t columns, Content content, bool from_zero) {
  blocks_.push_back(
      {.first_column = width_, .columns = columns, .from_zero = from_zero, .content = std::move(content)});
  width_ += columns;
}

void NodeInput::add_constant() { add(1, Constant{}); }

void NodeInput::add_features(const Features& features) {
  if (const auto* dense = std::get_if<DenseMatrix>(&features)) {
    ensure(dense->rows == nodes_, "a row of features a node");
    add(dense->columns, Dense{.values = dense->values.data()});
  } else if (const auto* sparse = std::get_if<SparseMatrix>(&features)) {
    ensure(sparse->rows == nodes_, "a row of features a node");
    add(sparse->columns, Sparse{sparse, transpose(*sparse)});
  } else {
    add_constant();
  }
}

void NodeInput::add_dense(DenseMatrix matrix) {
  ensure(matrix.rows == nodes_, "a row of features a node");
  const float* values = matrix.values.data();
  add(matrix.columns, Dense{.values = values, .own = std::move(matrix.values)});
}

void NodeInput::add_one_hot(std::span<const NodeId> nodes) {
  OneHot content{.nodes = {nodes.begin(), nodes.end()}, .column_of = Array<std::int32_t>(nodes_, -1)};
  for (std::size_t i = 0; i < nodes.size(); ++i) content.column_of[nodes[i]] = static_cast<std::int32_t>(i);
  add(std::ssize(nodes), std::move(content));
}

void NodeInput::add_one_hot_of_all(bool from_zero) { add(nodes_, OneHotOfAll{}, from_zero); }

}  // namespace gir
