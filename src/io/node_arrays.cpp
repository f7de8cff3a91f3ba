#include "node_arrays.h"

#include <algorithm>
#include <array>
#include <set>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "sparse_rows.h"

namespace gir {
namespace {

/// Number of rows of an array with one item per node; [n, 1] is accepted for [n].
std::int64_t column_length(const NpyArray& array, std::string_view what) {
  const auto& shape = array.shape();
  if (shape.size() == 1 || (shape.size() == 2 && shape[1] == 1)) return shape[0];
  throw UserError("{}: has shape {}, expected one {} per node", array.where(), array.shape_text(), what);
}

DenseMatrix read_dense(const NpyArray& array) {
  if (array.shape().size() != 2) {
    throw UserError("{}: has shape {}, expected one row per node [reshape to two dimensions]", array.where(),
                    array.shape_text());
  }
  DenseMatrix matrix{.rows = array.shape()[0], .columns = array.shape()[1], .values = array.to<float>()};
  check_finite(matrix.values.span(), array);
  return matrix;
}

SparseMatrix read_sparse(const ArraySource& source) {
  const NpyArray shape = source.read("attr_shape");
  if (shape.size() != 2) throw UserError("{}: has {} items, two were expected", shape.where(), shape.size());
  const auto lengths = shape.to<std::int64_t>();
  SparseMatrix matrix = sparse_from_arrays(lengths[0], lengths[1], source.read("attr_indptr"),
                                           source.read("attr_indices"), source.read("attr_data"));
  sort_columns(matrix);
  return matrix;
}

/// Dense or sparse features; at most one of both may be present.
Features read_features(const ArraySource& source, NodeCount& count) {
  const bool sparse = source.has("attr_data") || source.has("attr_indptr");
  // The files of gnn-benchmark call dense features attr_matrix.
  const char* dense = source.has("features") ? "features" : source.has("attr_matrix") ? "attr_matrix" : nullptr;
  if (sparse && dense != nullptr) {
    throw UserError("{}: has features twice, as {} and as attr_data [keep one]", source.where, dense);
  }
  if (sparse) {
    SparseMatrix matrix = read_sparse(source);
    count.claim(matrix.rows, fmt::format("{}: attr_shape", source.where));
    return matrix;
  }
  if (dense == nullptr) return {};
  const NpyArray array = source.read(dense);
  DenseMatrix matrix = read_dense(array);
  count.claim(matrix.rows, array.where());
  return matrix;
}

void check_distinct(std::vector<std::string> strings, const std::string& where) {
  std::sort(strings.begin(), strings.end());
  const auto twice = std::adjacent_find(strings.begin(), strings.end());
  if (twice != strings.end()) throw UserError("{}: {} occurs twice [make them distinct]", where, gir::quoted(*twice));
}

/// Labels whose numbers are indices into `names`. Classes without a node are kept.
Labels read_named_classes(const NpyArray& labels, const NpyArray& names) {
  Labels result{.classes = labels.to<std::int32_t>(), .names = names.to_strings()};
  check_distinct(result.names, names.where());
  for (std::int64_t i = 0; i < result.classes.size(); ++i) {
    if (result.classes[i] < Labels::kNone || result.classes[i] >= result.num_classes()) {
      throw UserError("{}: item {} is {}, but class_names has {} names [labels are 0 .. {}, or -1 for none]",
                      labels.where(), i, result.classes[i], result.num_classes(), result.num_classes() - 1);
    }
  }
  return result;
}

Labels read_labels(const ArraySource& source, NodeCount& count) {
  if (!source.has("labels")) return {};
  const NpyArray array = source.read("labels");
  count.claim(column_length(array, "label"), array.where());
  if (source.has("class_names")) return read_named_classes(array, source.read("class_names"));
  if (array.holds_text()) return labels_from_strings(array.to_strings());
  const auto numbers = array.to<std::int64_t>();
  return labels_from_integers({numbers.begin(), numbers.end()}, Labels::kNone);
}

NodeNames read_names(const NpyArray& array) {
  column_length(array, "id");
  if (array.holds_text()) {
    const auto strings = array.to_strings();
    check_distinct(strings, array.where());
    return NodeNames::strings(strings);
  }
  auto numbers = array.to<std::int64_t>();
  auto sorted = numbers.clone();
  std::sort(sorted.begin(), sorted.end());
  const auto* twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) throw UserError("{}: {} occurs twice [make them distinct]", array.where(), *twice);
  return NodeNames::integers(std::move(numbers));
}

/// The official split; all three parts or none must be present.
std::optional<NodeSplit> read_split(const ArraySource& source) {
  constexpr std::array<const char*, 3> kParts = {"train", "val", "test"};
  if (std::none_of(kParts.begin(), kParts.end(), [&](const char* part) { return source.has(part); })) return {};
  const auto read = [&](const char* part) {
    if (!source.has(part)) {
      throw UserError("{}: has a part of a split but no {} [save train, val and test, or none of them]", source.where,
                      part);
    }
    const NpyArray array = source.read(part);
    if (array.type().kind == NpyType::Kind::kBool) {
      throw UserError("{}: is a mask [save the nodes' numbers: numpy.flatnonzero(mask)]", array.where());
    }
    const auto nodes = array.to<std::int32_t>();
    return std::vector<NodeId>(nodes.begin(), nodes.end());
  };
  return NodeSplit{.train = read("train"), .valid = read("val"), .test = read("test")};
}

bool is_mask(const NpyArray& array) {
  const bool has_columns = array.shape().size() == 2 && array.shape()[1] > 1;
  return array.type().kind == NpyType::Kind::kBool && !array.shape().empty() && !has_columns;
}

/// The split in masks as PyTorch Geometric names them. Where there is none that is whole and single, a note says so.
std::optional<NodeSplit> read_masks(const ArraySource& source, NodeCount& count, std::vector<std::string>& notes) {
  const std::string valid = source.has("val_mask") ? "val_mask" : "valid_mask";
  std::vector<std::string> present;
  std::vector<std::vector<NodeId>> parts;
  for (const std::string& name : {std::string("train_mask"), valid, std::string("test_mask")}) {
    if (!source.has(name)) continue;
    present.push_back(name);
    const NpyArray array = source.read(name);
    if (!is_mask(array)) continue;
    count.claim(array.size(), array.where());
    std::vector<NodeId>& nodes = parts.emplace_back();
    for (std::int64_t node = 0; node < array.size(); ++node) {
      if (array.bytes()[static_cast<std::size_t>(node)] != 0) nodes.push_back(static_cast<NodeId>(node));
    }
  }
  constexpr std::size_t kParts = 3;
  if (parts.size() == kParts) return NodeSplit{.train = parts[0], .valid = parts[1], .test = parts[2]};
  if (!present.empty()) {
    notes.push_back(
        fmt::format("{}: {} not used: a split that comes with the data is three masks with one boolean "
                    "per node [`split-from` reads others, also of several columns]",
                    source.where, join(present, ", ")));
  }
  return {};
}

/// A note on the arrays that no reader requests.
void note_unused(const ArraySource& source, std::vector<std::string>& notes) {
  static const std::set<std::string_view> known = {
      "edges",       "weights",      "directed",   "num_nodes",  "node_ids",   "features",    "attr_matrix",
      "attr_indptr", "attr_indices", "attr_data",  "attr_shape", "labels",     "class_names", "train",
      "val",         "test",         "train_mask", "val_mask",   "valid_mask", "test_mask",   "format",
      "shape",       "data",         "indices",    "indptr",     "row",        "col",         "adj_data",
      "adj_indices", "adj_indptr",   "adj_shape",  "node_names", "attr_names"};
  std::vector<std::string> unused;
  for (const std::string& name : source.names) {
    if (!known.contains(name)) unused.push_back(name);
  }
  if (!unused.empty())
    notes.push_back(fmt::format("{}: arrays that are not used: {}", source.where, join(unused, ", ")));
}

/// UserError for nodes that do not exist or occur twice.
void check_split(const NodeSplit& split, std::int64_t nodes, const std::string& where) {
  std::set<NodeId> seen;
  const auto check = [&](const std::vector<NodeId>& part, std::string_view name) {
    for (const NodeId node : part) {
      if (node < 0 || node >= nodes) {
        throw UserError("{}: {} holds node {}, nodes are 0 .. {}", where, name, node, nodes - 1);
      }
      if (!seen.insert(node).second) {
        throw UserError("{}: {} holds node {}, which is in the split already [keep it once]", where, name, node);
      }
    }
  };
  check(split.train, "train");
  check(split.valid, "val");
  check(split.test, "test");
}

}  // namespace

NodeCount::NodeCount(const ReadOptions& options) {
  if (options.num_nodes) claim(*options.num_nodes, "`num-nodes`");
}

void NodeCount::claim(std::int64_t nodes, const std::string& source) {
  constexpr std::int64_t kBytesPerNode = 3 * sizeof(EdgeId);  // offsets of both directions, one more while building
  if (nodes_ && *nodes_ != nodes) {
    throw UserError("{}: implies {} nodes, but {} implies {}", source, nodes, source_, *nodes_);
  }
  if (nodes < 0 || nodes > kMaxNodes) {
    throw UserError("{}: implies {} nodes, a graph has 0 to {}", source, nodes, kMaxNodes);
  }
  if (nodes > memory_limit() / kBytesPerNode) {
    throw UserError("{}: implies {} nodes, more than fit in memory [number the nodes from 0 without gaps]", source,
                    with_thousands(nodes));
  }
  nodes_ = nodes;
  source_ = source;
}

NodeArrays read_node_arrays(const ArraySource& source, NodeCount& count) {
  NodeArrays about;
  about.features = read_features(source, count);
  about.labels = read_labels(source, count);
  about.split = read_split(source);
  if (!about.split) about.split = read_masks(source, count, about.notes);
  about.split_where = source.where;
  if (source.has("node_ids")) {
    const NpyArray array = source.read("node_ids");
    about.names = read_names(array);
    count.claim(about.names->size(), array.where());
  }
  note_unused(source, about.notes);
  return about;
}

AttributedGraph attribute(EdgeInput input, NodeArrays about, const NodeCount& count) {
  if (about.split) check_split(*about.split, count.nodes(), about.split_where);
  input.names = about.names ? *std::move(about.names) : NodeNames::positions(count.nodes());
  return {.graph = build_graph(std::move(input)),
          .features = std::move(about.features),
          .labels = std::move(about.labels),
          .split = std::move(about.split),
          .notes = std::move(about.notes)};
}

}  // namespace gir
