#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/io/format.h"
#include "graph_arrays.h"
#include "mat_file.h"

namespace gir {
namespace {

/// The variable "net", which holds the adjacency matrix.
const MatVariable& find_matrix(const std::filesystem::path& path, const MatFile& file) {
  const MatVariable* matrix = file.find("net");
  const auto& all = file.variables();
  if (matrix == nullptr) {
    std::vector<std::string> found;
    for (const MatVariable& variable : all) found.push_back(variable.describe());
    if (file.find("train_pos") != nullptr) {
      throw UserError(path, "is a split of pairs, not a graph [give it as `split-from`]");
    }
    throw UserError(path, "has no variable \"net\" with the graph's matrix, only {} [save the matrix as net]",
                    found.empty() ? "nothing" : join(found, ", "));
  }
  if (!matrix->is_sparse() && !matrix->is_full()) {
    throw UserError(path, "variable {} is not a numeric matrix [save the graph's matrix as net]", matrix->describe());
  }
  if (!matrix->is_square()) {
    throw UserError(path, "variable {} is not square [a graph's matrix has a row and a column for every node]",
                    matrix->describe());
  }
  if (matrix->shape[0] > kMaxNodes) {
    throw UserError(path, "variable {} is larger than the {} nodes that a graph can have", matrix->describe(),
                    kMaxNodes);
  }
  return *matrix;
}

AdjacencyInput read_matrix(const std::filesystem::path& path, const MatFile& file, const MatVariable& matrix) {
  const auto entries = file.entries(matrix);
  AdjacencyInput input;
  input.nodes = matrix.shape[0];
  input.arcs = Array<Arc>(static_cast<std::int64_t>(entries.size()));
  input.weights = Array<float>(input.arcs.size());
  for (std::int64_t i = 0; i < input.arcs.size(); ++i) {
    const MatEntry& entry = entries[static_cast<std::size_t>(i)];
    input.arcs[i] = {static_cast<NodeId>(entry.row), static_cast<NodeId>(entry.column)};
    input.weights[i] = static_cast<float>(entry.value);
    if (!std::isfinite(input.weights[i])) {
      throw UserError(path, "variable {}: the entry in row {}, column {} is {}, not a finite number [fix the matrix]",
                      quoted(matrix.name), entry.row + 1, entry.column + 1, entry.value);
    }
  }
  return input;
}

/// Integers as an array, for the readers that take arrays.
NpyArray integer_array(std::string where, std::span<const std::int64_t> values) {
  Array<char> bytes(static_cast<std::int64_t>(values.size_bytes()));
  std::copy_n(reinterpret_cast<const char*>(values.data()), values.size_bytes(), bytes.data());
  return NpyArray(std::move(where), NpyType{}, {static_cast<std::int64_t>(values.size())}, std::move(bytes));
}

/// The values of a variable, if it has one integer per node.
std::optional<std::vector<std::int64_t>> one_per_node(const MatFile& file, const MatVariable& variable,
                                                      std::int64_t nodes) {
  constexpr double kMaxExact = 9007199254740992.0;  // 2^53: doubles are exact for integers up to here
  const bool is_vector = variable.shape.size() == 2 && std::min(variable.shape[0], variable.shape[1]) == 1 &&
                         std::max(variable.shape[0], variable.shape[1]) == nodes;
  if (!variable.is_full() || variable.complex || !is_vector) return std::nullopt;
  std::vector<std::int64_t> whole;
  for (const double value : file.values(variable)) {
    if (!(std::abs(value) <= kMaxExact) || value != std::floor(value)) return std::nullopt;
    whole.push_back(static_cast<std::int64_t>(value));
  }
  return whole;
}

AttributedGraph read_mat(const std::filesystem::path& path, const ReadOptions& options) {
  const MatFile file(path);
  const MatVariable& matrix = find_matrix(path, file);
  AdjacencyInput input = read_matrix(path, file, matrix);
  std::vector<std::string> notes;
  std::vector<std::int64_t> labels;
  for (const char* name : {"group", "label", "labels"}) {
    const MatVariable* variable = file.find(name);
    if (variable == nullptr || variable == &matrix) continue;
    if (auto values = one_per_node(file, *variable, input.nodes)) {
      labels = *std::move(values);
      break;
    }
    notes.push_back(fmt::format("{}: variable {} does not have one whole number per node and was not read as labels",
                                path.string(), variable->describe()));
  }
  std::vector<std::int64_t> ids(static_cast<std::size_t>(input.nodes));
  std::iota(ids.begin(), ids.end(), std::int64_t{1});  // MATLAB counts from 1

  ArraySource about{.where = path.string(), .names = {}, .read = {}};
  about.names.emplace_back("node_ids");
  if (!labels.empty()) about.names.emplace_back("labels");
  about.read = [&](const std::string& name) {
    return integer_array(fmt::format("{}: {}", path.string(), name), name == "labels" ? labels : ids);
  };
  AttributedGraph result = read_adjacency(std::move(input), about, options);
  result.notes.insert(result.notes.end(), notes.begin(), notes.end());
  return result;
}

const Registered<GraphFormat> mat{{
    .name = "mat",
    .summary = "MATLAB 5 to 7 file with the graph's matrix as net, labels as group or label (read only)",
    .endings = {".mat"},
    .read = read_mat,
}};

}  // namespace
}  // namespace gir
