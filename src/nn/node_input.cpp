#include "gir/nn/node_input.h"

#include "cpu/activation.h"
#include "cpu/add_messages.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/graph/select_rows.h"
#include "message_rows.h"

namespace gir {
namespace {

/// Calls `visit(position, row, i)` for every value i of the matrix, with its row and its position in the transpose.
/// `offsets` are those of the transpose.
template <typename Visit>
void for_each_transposed(const SparseMatrix& matrix, const Array<std::int64_t>& offsets, const Visit& visit) {
  Array<std::int64_t> next = offsets.clone();
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    for (std::int64_t i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i) {
      visit(next[matrix.column_indices[i]]++, row, i);
    }
  }
}

/// Whether a dense product is faster than a sparse one: measured for 35 % nonzero entries.
bool is_faster_dense(const SparseMatrix& matrix) { return 4 * matrix.values.size() > matrix.rows * matrix.columns; }

SparseMatrix transpose(const SparseMatrix& matrix) {
  SparseMatrix result{.rows = matrix.columns,
                      .columns = matrix.rows,
                      .offsets = Array<std::int64_t>(matrix.columns + 1, 0),
                      .column_indices = Array<std::int32_t>(matrix.values.size()),
                      .values = Array<float>(matrix.values.size())};
  for (const std::int32_t column : matrix.column_indices) ++result.offsets[column + 1];
  for (std::int64_t i = 0; i < result.rows; ++i) result.offsets[i + 1] += result.offsets[i];
  for_each_transposed(matrix, result.offsets, [&](std::int64_t position, std::int64_t row, std::int64_t i) {
    result.column_indices[position] = static_cast<std::int32_t>(row);
    result.values[position] = matrix.values[i];
  });
  return result;
}

}  // namespace

template <typename Kind>
void NodeInput::add(std::int64_t columns, Kind content, bool zero_initialised) {
  blocks_.push_back({.first_column = width_,
                     .columns = columns,
                     .zero_initialised = zero_initialised,
                     .content = std::move(content)});
  width_ += columns;
}

void NodeInput::add_constant() { add(1, Constant{}); }

void NodeInput::add_features(const Features& features) {
  if (const auto* dense = std::get_if<DenseMatrix>(&features)) {
    ensure(dense->rows == nodes_, "one row of features per node");
    add(dense->columns, Dense{.given = &dense->values});
  } else if (const auto* sparse = std::get_if<SparseMatrix>(&features)) {
    ensure(sparse->rows == nodes_, "one row of features per node");
    is_faster_dense(*sparse) ? add(sparse->columns, Dense{.given = &full_rows(*sparse).values})
                             : add(sparse->columns, Sparse{sparse, transpose(*sparse)});
  } else {
    add_constant();
  }
}

void NodeInput::add_dense(DenseMatrix matrix) {
  ensure(matrix.rows == nodes_, "one row of features per node");
  const std::int64_t columns = matrix.columns;
  add(columns, Dense{.own = std::move(matrix.values)});
}

void NodeInput::add_one_hot(std::span<const NodeId> nodes) {
  OneHot content{.nodes = Array<NodeId>(nodes), .column_of = Array<std::int32_t>(nodes_, -1)};
  for (std::size_t i = 0; i < nodes.size(); ++i) content.column_of[nodes[i]] = static_cast<std::int32_t>(i);
  add(std::ssize(nodes), std::move(content));
}

void NodeInput::add_one_hot_of_all(bool zero_initialised) { add(nodes_, OneHotOfAll{}, zero_initialised); }

bool NodeInput::has_one_hot_of_all() const {
  return std::any_of(blocks_.begin(), blocks_.end(),
                     [](const Block& block) { return std::holds_alternative<OneHotOfAll>(block.content); });
}

namespace {

/// Selects the rows of some nodes, with one overload per type of block.
class SelectedRows {
 public:
  SelectedRows(std::span<const NodeId> nodes, std::int64_t columns) : nodes_(nodes), columns_(columns) {}

  NodeInput::Constant operator()(const NodeInput::Constant& constant) const { return constant; }

  NodeInput::Dense operator()(const NodeInput::Dense& dense) const {
    Array<float> values(std::ssize(nodes_) * columns_);
    float* next = values.data();
    for (const NodeId node : nodes_) next = std::copy_n(dense.values().data() + node * columns_, columns_, next);
    return NodeInput::Dense{.own = std::move(values)};
  }

  NodeInput::Sparse operator()(const NodeInput::Sparse& sparse) const {
    auto own = std::make_unique<const SparseMatrix>(select_rows(*sparse.rows, nodes_));
    const SparseMatrix* rows = own.get();
    return NodeInput::Sparse{.rows = rows, .columns = transpose(*rows), .own = std::move(own)};
  }

  NodeInput::OneHot operator()(const NodeInput::OneHot& one_hot) const {
    NodeInput::OneHot selected{.nodes = Array<NodeId>(one_hot.nodes.size(), -1),
                               .column_of = Array<std::int32_t>(std::ssize(nodes_))};
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      set_label(selected, static_cast<NodeId>(i), one_hot.column_of[nodes_[i]]);
    }
    return selected;
  }

  NodeInput::OneHot operator()(const NodeInput::OneHotOfAll&) const {
    NodeInput::OneHot selected{.nodes = Array<NodeId>(columns_, -1),
                               .column_of = Array<std::int32_t>(std::ssize(nodes_))};
    for (std::size_t i = 0; i < nodes_.size(); ++i) set_label(selected, static_cast<NodeId>(i), nodes_[i]);
    return selected;
  }

 private:
  static void set_label(NodeInput::OneHot& selected, NodeId node, std::int32_t column) {
    selected.column_of[node] = column;
    if (column >= 0) selected.nodes[column] = node;
  }

  std::span<const NodeId> nodes_;
  std::int64_t columns_;
};

}  // namespace

NodeInput NodeInput::rows_of(std::span<const NodeId> nodes) const {
  NodeInput selected(std::ssize(nodes));
  for (const Block& block : blocks_) {
    const SelectedRows rows(nodes, block.columns);
    std::visit([&](const auto& content) { selected.add(block.columns, rows(content), block.zero_initialised); },
               block.content);
  }
  return selected;
}

NodeInput summed_input(const NodeInput& input, const Messages& messages) {
  const MessageRows rows = message_rows(messages);
  NodeInput sums(input.num_nodes());
  for (const NodeInput::Block& block : input.blocks()) {
    ensure(std::holds_alternative<NodeInput::Dense>(block.content), "dense features");
    DenseMatrix sums_of_block{
        .rows = input.num_nodes(), .columns = block.columns, .values = Array<float>(input.num_nodes() * block.columns)};
    const float* sent = std::get<NodeInput::Dense>(block.content).values().data();
    cpu::add_messages<float>(rows.receivers, rows.incoming, {}, {sent, sums_of_block.rows, sums_of_block.columns},
                             {sums_of_block.values.data(), sums_of_block.rows, sums_of_block.columns});
    sums.add_dense(std::move(sums_of_block));
  }
  return sums;
}

NodeInput::Values NodeInput::values(std::size_t block) const {
  const auto& content = blocks_[block].content;
  if (const auto* dense = std::get_if<Dense>(&content)) return {.by_row = dense->values().data()};
  if (const auto* sparse = std::get_if<Sparse>(&content)) {
    return {.by_row = sparse->rows->values.data(), .by_column = sparse->columns.values.data()};
  }
  return {};
}

InputDropout::InputDropout(const NodeInput& input, double rate) : input_(input), rate_(rate) {}

const Array<std::int64_t>& InputDropout::origins(std::size_t block) const {
  if (origins_.empty()) {
    for (const NodeInput::Block& each : input_.blocks()) {
      Array<std::int64_t>& origins = origins_.emplace_back();
      const auto* sparse = std::get_if<NodeInput::Sparse>(&each.content);
      if (sparse == nullptr) continue;
      origins = Array<std::int64_t>(sparse->rows->values.size());
      for_each_transposed(*sparse->rows, sparse->columns.offsets,
                          [&](std::int64_t position, std::int64_t, std::int64_t i) { origins[position] = i; });
    }
  }
  return origins_[block];
}

RandomStream InputDropout::stream(std::size_t block) const {
  return {seed_, fmt::format("input-dropout/{}", block), epoch_};
}

void InputDropout::draw(std::uint64_t seed, std::uint64_t epoch, const at::Device& device) {
  if (rate_ == 0) return;
  drawn_ = true;
  seed_ = seed;
  epoch_ = epoch;
  if (!device.is_cpu()) return;
  const std::vector<NodeInput::Block>& blocks = input_.blocks();
  blocks_.resize(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Dropped& block = blocks_[i];
    if (const auto* dense = std::get_if<NodeInput::Dense>(&blocks[i].content)) {
      if (block.by_row.empty()) block.by_row = Array<float>(dense->values().size());
    } else if (const auto* sparse = std::get_if<NodeInput::Sparse>(&blocks[i].content)) {
      if (block.by_row.empty()) block.by_row = Array<float>(sparse->rows->values.size());
      if (block.by_column.empty()) block.by_column = Array<float>(sparse->rows->values.size());
    }
    cpu::dropout(input_.values(i).by_row, block.by_row.size(), dropout_at(rate_, stream(i)), block.by_row.data());
    const Array<std::int64_t>& origin = origins(i);  // empty unless the block is sparse
    parallel_for(origin.size(), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) block.by_column[k] = block.by_row[origin[k]];
    });
  }
}

NodeInput::Values InputDropout::values(std::size_t block) const {
  if (blocks_.empty()) return input_.values(block);
  return {.by_row = blocks_[block].by_row.data(), .by_column = blocks_[block].by_column.data()};
}

}  // namespace gir
