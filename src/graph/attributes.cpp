#include "gir/graph/attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "gir/core/hash.h"
#include "gir/core/text.h"
#include "gir/graph/select_rows.h"

namespace gir {

SparseMatrix select_rows(const SparseMatrix& whole, std::span<const NodeId> nodes) {
  SparseMatrix part{.rows = static_cast<std::int64_t>(nodes.size()),
                    .columns = whole.columns,
                    .offsets = {},
                    .column_indices = {},
                    .values = {}};
  part.offsets = Array<std::int64_t>(part.rows + 1);
  part.offsets[0] = 0;
  for (std::int64_t i = 0; i < part.rows; ++i) {
    const NodeId node = nodes[static_cast<std::size_t>(i)];
    part.offsets[i + 1] = part.offsets[i] + whole.offsets[node + 1] - whole.offsets[node];
  }
  part.column_indices = Array<std::int32_t>(part.offsets[part.rows]);
  part.values = Array<float>(part.offsets[part.rows]);
  for (std::int64_t i = 0; i < part.rows; ++i) {
    const std::int64_t from = whole.offsets[nodes[static_cast<std::size_t>(i)]];
    const std::int64_t length = part.offsets[i + 1] - part.offsets[i];
    std::copy_n(whole.column_indices.data() + from, length, part.column_indices.data() + part.offsets[i]);
    std::copy_n(whole.values.data() + from, length, part.values.data() + part.offsets[i]);
  }
  return part;
}

namespace {

/// Numbers the distinct values in ascending order; nothing stands for a node without a label.
template <typename Key>
Labels number_classes(const std::vector<std::optional<Key>>& values) {
  std::map<Key, std::int32_t> classes;
  for (const auto& value : values) {
    if (value) classes.emplace(*value, 0);
  }
  Labels labels;
  for (auto& [key, number] : classes) {
    number = static_cast<std::int32_t>(labels.names.size());
    labels.names.push_back(fmt::format("{}", key));
  }
  labels.classes = Array<std::int32_t>(static_cast<std::int64_t>(values.size()));
  std::transform(values.begin(), values.end(), labels.classes.begin(),
                 [&](const auto& value) { return value ? classes.at(*value) : Labels::kNone; });
  return labels;
}

/// `text` as an integer, but only where formatting the integer gives `text` back ("7", not "07"): class names are
/// written to files as they were read.
std::optional<std::int64_t> plain_integer(const std::string& text) {
  const auto value = parse_integer(text);
  return value && std::to_string(*value) == text ? value : std::nullopt;
}

DenseMatrix select_rows(const DenseMatrix& whole, std::span<const NodeId> nodes) {
  DenseMatrix part{.rows = static_cast<std::int64_t>(nodes.size()), .columns = whole.columns, .values = {}};
  part.values = Array<float>(part.rows * part.columns);
  float* next = part.values.data();
  for (const NodeId node : nodes) {
    next = std::copy_n(whole.values.data() + node * whole.columns, whole.columns, next);
  }
  return part;
}

Features select_rows(const Features& whole, std::span<const NodeId> nodes) {
  if (const auto* dense = std::get_if<DenseMatrix>(&whole)) return select_rows(*dense, nodes);
  if (const auto* sparse = std::get_if<SparseMatrix>(&whole)) return gir::select_rows(*sparse, nodes);
  return {};
}

/// Labels of `nodes`; classes without a node are dropped, the others keep their order.
Labels select_rows(const Labels& whole, std::span<const NodeId> nodes) {
  if (whole.empty()) return {};
  std::vector<std::int32_t> new_class(whole.names.size(), Labels::kNone);
  for (const NodeId node : nodes) {
    const std::int32_t old_class = whole.classes[node];
    if (old_class != Labels::kNone) new_class[static_cast<std::size_t>(old_class)] = 0;
  }
  Labels part;
  for (std::size_t c = 0; c < new_class.size(); ++c) {
    if (new_class[c] == Labels::kNone) continue;
    new_class[c] = static_cast<std::int32_t>(part.names.size());
    part.names.push_back(whole.names[c]);
  }
  part.classes = Array<std::int32_t>(static_cast<std::int64_t>(nodes.size()));
  std::transform(nodes.begin(), nodes.end(), part.classes.begin(), [&](NodeId node) {
    const std::int32_t old_class = whole.classes[node];
    return old_class == Labels::kNone ? Labels::kNone : new_class[static_cast<std::size_t>(old_class)];
  });
  return part;
}

}  // namespace

std::int64_t num_features(const Features& features) {
  if (const auto* dense = std::get_if<DenseMatrix>(&features)) return dense->columns;
  if (const auto* sparse = std::get_if<SparseMatrix>(&features)) return sparse->columns;
  return 0;
}

Labels labels_from_integers(const std::vector<std::int64_t>& values, std::optional<std::int64_t> none) {
  std::vector<std::optional<std::int64_t>> keys;
  for (const std::int64_t value : values) keys.push_back(value == none ? std::nullopt : std::optional(value));
  return number_classes(keys);
}

Labels labels_from_strings(const std::vector<std::string>& values) {
  std::vector<std::optional<std::string>> texts;
  std::vector<std::optional<std::int64_t>> numbers;
  bool all_numbers = true;
  for (const std::string& value : values) {
    texts.push_back(value.empty() ? std::nullopt : std::optional(value));
    numbers.push_back(plain_integer(value));
    all_numbers = all_numbers && (value.empty() || numbers.back());
  }
  return all_numbers ? number_classes(numbers) : number_classes(texts);
}

AttributedGraph induced_subgraph(const AttributedGraph& whole, std::span<const NodeId> nodes) {
  return {.graph = induced_subgraph(whole.graph, nodes),
          .features = select_rows(whole.features, nodes),
          .labels = select_rows(whole.labels, nodes),
          .split = std::nullopt,
          .notes = whole.notes};
}

const DenseMatrix& full_rows(const SparseMatrix& matrix) {
  // One mutex for all matrices: this is called once per matrix in practice, and a mutex member would make the struct
  // neither movable nor an aggregate.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (matrix.full == nullptr) {
    DenseMatrix full{
        .rows = matrix.rows, .columns = matrix.columns, .values = Array<float>(matrix.rows * matrix.columns, 0.0F)};
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
      for (std::int64_t i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i) {
        full.values[row * matrix.columns + matrix.column_indices[i]] = matrix.values[i];
      }
    }
    matrix.full = std::make_shared<const DenseMatrix>(std::move(full));
  }
  return *matrix.full;
}

std::string fingerprint(const AttributedGraph& data) {
  Fingerprint print;
  print.add("graph", data.graph.fingerprint());
  if (const auto* dense = std::get_if<DenseMatrix>(&data.features)) {
    print.add("dense", dense->values.span());
  } else if (const auto* sparse = std::get_if<SparseMatrix>(&data.features)) {
    print.add("offsets", sparse->offsets.span());
    print.add("columns", sparse->column_indices.span());
    print.add("values", sparse->values.span());
  }
  print.add("labels", data.labels.classes.span());
  for (const std::string& name : data.labels.names) print.add("class", name);
  if (data.split) {
    print.add("train", std::span(data.split->train));
    print.add("valid", std::span(data.split->valid));
    print.add("test", std::span(data.split->test));
  }
  return print.hex();
}

}  // namespace gir
