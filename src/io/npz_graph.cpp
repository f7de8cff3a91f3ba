#include <algorithm>
#include <map>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/io/format.h"
#include "gir/io/npz.h"
#include "graph_arrays.h"
#include "sparse_rows.h"

namespace gir {
namespace {

/// The number of rows of a square matrix, from its shape array.
std::int64_t square_side(const NpyArray& shape) {
  if (shape.size() != 2) throw UserError("{}: has {} items, two were expected", shape.where(), shape.size());
  const auto sides = shape.to<std::int64_t>();
  if (sides[0] != sides[1]) {
    throw UserError("{}: the matrix has {} rows but {} columns [a graph's matrix is square]", shape.where(), sides[0],
                    sides[1]);
  }
  return sides[0];
}

/// The entries of a CSR matrix, or of a CSC matrix where `by_column`.
AdjacencyInput adjacency_of(SparseMatrix matrix, bool by_column) {
  AdjacencyInput input;
  input.nodes = matrix.rows;
  input.arcs = Array<Arc>(matrix.column_indices.size());
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    for (std::int64_t i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i) {
      const auto major = static_cast<NodeId>(row);
      const NodeId minor = matrix.column_indices[i];
      input.arcs[i] = by_column ? Arc{minor, major} : Arc{major, minor};
    }
  }
  input.weights = std::move(matrix.values);
  return input;
}

AdjacencyInput read_compressed(const ArraySource& source, const std::string& prefix, bool by_column) {
  const std::int64_t side = square_side(source.read(prefix + "shape"));
  return adjacency_of(sparse_from_arrays(side, side, source.read(prefix + "indptr"), source.read(prefix + "indices"),
                                         source.read(prefix + "data")),
                      by_column);
}

AdjacencyInput read_coordinates(const ArraySource& source) {
  AdjacencyInput input;
  input.nodes = square_side(source.read("shape"));
  const NpyArray rows = source.read("row");
  const NpyArray columns = source.read("col");
  const NpyArray values = source.read("data");
  if (rows.size() != columns.size() || rows.size() != values.size()) {
    throw UserError("{}: row, col and data have {}, {} and {} items, as many of each were expected", source.where,
                    rows.size(), columns.size(), values.size());
  }
  const auto sources = rows.to<std::int32_t>();
  const auto targets = columns.to<std::int32_t>();
  input.arcs = Array<Arc>(rows.size());
  for (std::int64_t i = 0; i < input.arcs.size(); ++i) input.arcs[i] = {sources[i], targets[i]};
  input.weights = values.to<float>();
  check_finite(input.weights.span(), values);
  return input;
}

/// A matrix as scipy.sparse.save_npz stores it.
AdjacencyInput read_scipy(const ArraySource& source) {
  const NpyArray array = source.read("format");
  const auto strings = array.to_strings();
  const std::string format = strings.size() == 1 ? strings[0] : "";
  if (format == "csr" || format == "csc") return read_compressed(source, "", format == "csc");
  if (format == "coo") return read_coordinates(source);
  throw UserError("{}: is {}, gir reads csr, csc and coo [save the matrix with save_npz(..., matrix.tocsr())]",
                  array.where(), quoted(format));
}

/// The features and labels of PyTorch Geometric under the names that gir has for them, without its arrays of edges.
ArraySource with_own_names(const ArraySource& source) {
  static const std::map<std::string, std::string, std::less<>> kTheirs = {{"features", "x"}, {"labels", "y"}};
  ArraySource own = source;
  std::erase_if(own.names, [](const std::string& name) {
    return name == "edge_index" || name == "edge_weight" || name == "num_nodes";
  });
  for (const auto& [name, theirs] : kTheirs) {
    std::replace(own.names.begin(), own.names.end(), theirs, name);
  }
  own.read = [&source](const std::string& name) {
    const auto theirs = kTheirs.find(name);
    return source.read(theirs != kTheirs.end() && source.has(theirs->second) ? theirs->second : name);
  };
  return own;
}

/// The number of nodes of a graph of PyTorch Geometric: as it says, that of the rows of x or y, or those with edges.
std::int64_t count_nodes(const ArraySource& source, const Array<std::int32_t>& ends) {
  if (source.has("num_nodes")) return source.read("num_nodes").to_integer();
  for (const char* name : {"x", "y"}) {
    if (!source.has(name)) continue;
    const NpyArray array = source.read(name);
    if (!array.shape().empty()) return array.shape()[0];
  }
  return ends.empty() ? 0 : *std::max_element(ends.begin(), ends.end()) + std::int64_t{1};
}

/// The edges of PyTorch Geometric: edge_index [2, m], where undirected edges appear in both directions.
AdjacencyInput read_edge_index(const ArraySource& source) {
  const NpyArray array = source.read("edge_index");
  if (array.shape().size() != 2 || array.shape()[0] != 2) {
    throw UserError("{}: has shape {}, expected [2, edges] [save the transpose, or name it edges]", array.where(),
                    array.shape_text());
  }
  const auto ends = array.to<std::int32_t>();
  const std::int64_t edges = array.shape()[1];
  AdjacencyInput input{.nodes = count_nodes(source, ends), .arcs = Array<Arc>(edges), .weights = {}};
  for (std::int64_t i = 0; i < edges; ++i) input.arcs[i] = {ends[i], ends[edges + i]};
  if (!source.has("edge_weight")) return input;
  const NpyArray weights = source.read("edge_weight");
  if (weights.size() != edges) {
    throw UserError("{}: has shape {}, one weight for each of the {} edges was expected", weights.where(),
                    weights.shape_text(), edges);
  }
  input.weights = weights.to<float>();
  check_finite(input.weights.span(), weights);
  return input;
}

/// Reads one of four layouts, which the names of the arrays show: that of gir, that of PyTorch Geometric (edge_index),
/// that of scipy.sparse.save_npz, and that of gnn-benchmark (adj_data, ...).
AttributedGraph read_npz_graph(const std::filesystem::path& path, const ReadOptions& options) {
  const NpzFile file(path);
  const ArraySource source{
      .where = path.string(), .names = file.names(), .read = [&](const std::string& name) { return file.read(name); }};
  const auto has_all = [&](std::initializer_list<const char*> names) {
    return std::all_of(names.begin(), names.end(), [&](const char* name) { return source.has(name); });
  };
  if (source.has("edges")) return read_edge_arrays(source, options);
  if (source.has("edge_index")) return read_adjacency(read_edge_index(source), with_own_names(source), options);
  if (has_all({"format", "shape", "data"})) return read_adjacency(read_scipy(source), source, options);
  if (has_all({"adj_data", "adj_indices", "adj_indptr", "adj_shape"})) {
    return read_adjacency(read_compressed(source, "adj_", false), source, options);
  }
  throw UserError(
      path,
      "holds no graph in a known layout; its arrays are: {} [known: edges with num_nodes, features, labels; "
      "edge_index with x and y; "
      "a square matrix of scipy.sparse.save_npz; adj_data, adj_indices, adj_indptr, adj_shape]",
      file.names().empty() ? "none" : join(file.names(), ", "));
}

void write_npz_graph(const std::filesystem::path& path, const AttributedGraph& graph) {
  write_npz(path, GraphArrays(graph, path.string()).members());
}

const Registered<GraphFormat> npz{{.name = "npz",
                                   .summary = "NumPy arrays in one file: edges, features, labels, split; or a "
                                              "SciPy sparse matrix",
                                   .endings = {".npz"},
                                   .read = read_npz_graph,
                                   .holds_attributes = true,
                                   .write = write_npz_graph}};

}  // namespace
}  // namespace gir
