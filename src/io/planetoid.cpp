#include "gir/io/planetoid.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "fields.h"
#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/text.h"
#include "gir/io/npz.h"
#include "gir/io/pickle.h"
#include "line_blocks.h"

// The files of Planetoid (Yang, Cohen and Salakhutdinov, "Revisiting semi-supervised learning with graph embeddings",
// 2016): allx and ally hold the features and one-hot labels of all nodes but the test nodes, of which x and y are the
// first, the training nodes; tx and ty hold those of the test nodes in the order of test.index, which lists their node
// numbers; graph is a dict from every node to its neighbours.

namespace gir {
namespace {

/// A file that holds one pickle.
struct PickleFile {
  explicit PickleFile(const std::filesystem::path& path) : file(path), pickle(file.text(), path.string()) {}

  MappedFile file;
  Pickle pickle;
};

/// The files of one graph.
struct Planetoid {
  std::filesystem::path directory;
  std::string name;

  std::filesystem::path path(std::string_view part) const { return directory / fmt::format("ind.{}.{}", name, part); }

  SparseMatrix features(std::string_view part) const {
    PickleFile file(path(part));
    return file.pickle.take_matrix(file.pickle.root(), "a csr_matrix");
  }
};

/// Classes from a one-hot matrix: the column of the largest item of every row, the first of equals.
std::vector<std::int64_t> read_classes(const std::filesystem::path& path) {
  const PickleFile file(path);
  const NpyArray& array = file.pickle.array(file.pickle.root(), "an array of one-hot labels");
  if (array.shape().size() != 2 || array.shape()[1] == 0) {
    throw UserError(path, "has shape {}, expected one row per node", array.shape_text());
  }
  const auto items = array.to<float>();
  const std::int64_t columns = array.shape()[1];
  std::vector<std::int64_t> classes;
  for (const float* row = items.begin(); row != items.end(); row += columns) {
    classes.push_back(std::max_element(row, row + columns) - row);
  }
  return classes;
}

std::vector<NodeId> read_test_nodes(const std::filesystem::path& path, std::int64_t first) {
  const MappedFile file(path);
  std::vector<NodeId> nodes;
  std::int64_t line_number = 0;
  for (std::string_view rest = file.text(); !rest.empty();) {
    const std::string_view line = trimmed(take_line(rest));
    ++line_number;
    const auto node = parse_integer(line);
    if (!node || *node < first || *node >= kMaxNodes) {
      throw UserError(path, line_number, "expected a node from {} on, got {}", first, quoted(line));
    }
    nodes.push_back(static_cast<NodeId>(*node));
  }
  return nodes;
}

/// For every node after those of allx: its row in tx and ty, or nothing for nodes that no file describes.
std::vector<std::optional<std::int64_t>> rows_of_test_nodes(const std::vector<NodeId>& test, std::int64_t first,
                                                            const std::filesystem::path& path) {
  // The collection omits a few nodes at most; a much larger node number is an error in the file.
  constexpr std::int64_t kMaxGap = 16;
  const std::int64_t end = test.empty() ? first : std::int64_t{*std::max_element(test.begin(), test.end())} + 1;
  const auto count = static_cast<std::int64_t>(test.size());
  if (end - first > kMaxGap * count) {
    throw UserError(path, "names node {}, but has only {} nodes in total", end - 1, count);
  }
  std::vector<std::optional<std::int64_t>> rows(static_cast<std::size_t>(end - first));
  for (std::int64_t i = 0; i < count; ++i) {
    const NodeId node = test[static_cast<std::size_t>(i)];
    auto& row = rows[static_cast<std::size_t>(node - first)];
    if (row) throw UserError(path, "names node {} twice", node);
    row = i;
  }
  return rows;
}

/// The rows of `head`, followed by those of `tail` in the order of `tail_rows`, where nothing stands for an empty row.
SparseMatrix stack_rows(const SparseMatrix& head, const SparseMatrix& tail,
                        const std::vector<std::optional<std::int64_t>>& tail_rows) {
  SparseMatrix all{.rows = head.rows + static_cast<std::int64_t>(tail_rows.size()),
                   .columns = head.columns,
                   .offsets = {},
                   .column_indices = Array<std::int32_t>(head.values.size() + tail.values.size()),
                   .values = Array<float>(head.values.size() + tail.values.size())};
  all.offsets = Array<std::int64_t>(all.rows + 1);
  std::copy(head.offsets.begin(), head.offsets.end(), all.offsets.begin());
  std::copy(head.column_indices.begin(), head.column_indices.end(), all.column_indices.begin());
  std::copy(head.values.begin(), head.values.end(), all.values.begin());
  std::int64_t place = head.values.size();
  for (std::size_t i = 0; i < tail_rows.size(); ++i) {
    if (const auto row = tail_rows[i]) {
      const std::int64_t begin = tail.offsets[*row];
      const std::int64_t length = tail.offsets[*row + 1] - begin;
      std::copy_n(tail.column_indices.data() + begin, length, all.column_indices.data() + place);
      std::copy_n(tail.values.data() + begin, length, all.values.data() + place);
      place += length;
    }
    all.offsets[head.rows + static_cast<std::int64_t>(i) + 1] = place;
  }
  return all;
}

/// Collects arcs without self loops, whose number goes into the notes.
class ArcCollector {
 public:
  void add(std::int64_t source, std::int64_t target) {
    if (source == target) {
      ++self_loops_;
    } else {
      arcs_.push_back({static_cast<NodeId>(source), static_cast<NodeId>(target)});
    }
  }

  AttributedGraph build(std::int64_t nodes) const {
    AttributedGraph result;
    result.graph = build_graph({.arcs = Array<Arc>(std::span<const Arc>(arcs_)),
                                .weights = {},
                                .directed = false,
                                .names = NodeNames::positions(nodes)});
    if (self_loops_ > 0) {
      result.notes.push_back(self_loops_ == 1 ? "1 self loop was dropped"
                                              : fmt::format("{} self loops were dropped", self_loops_));
    }
    return result;
  }

 private:
  std::vector<Arc> arcs_;
  std::int64_t self_loops_ = 0;
};

/// The graph file: a dict of node to list of neighbours.
AttributedGraph read_neighbors(const std::filesystem::path& path, std::int64_t nodes) {
  const PickleFile file(path);
  const Pickle& pickle = file.pickle;
  const auto node = [&](PickleId id) {
    const auto number = pickle.get<std::int64_t>(id, "the number of a node");
    if (number < 0 || number >= nodes) throw UserError(path, "names node {}, nodes are 0 .. {}", number, nodes - 1);
    return number;
  };
  ArcCollector arcs;
  for (const auto& [source, neighbors] : pickle.get<PickleDict>(pickle.root(), "a dict of neighbours").entries) {
    for (const PickleId target : pickle.get<PickleSequence>(neighbors, "a list of neighbours").items) {
      arcs.add(node(source), node(target));
    }
  }
  return arcs.build(nodes);
}

/// UserError where two files that describe the same nodes have different numbers of rows.
void check_rows(const std::filesystem::path& path, std::int64_t rows, std::string_view other, std::size_t expected) {
  if (rows != static_cast<std::int64_t>(expected)) {
    throw UserError(path, "has {} rows, but {} has {} [get all files from one place]", rows, other, expected);
  }
}

/// The object of a member, which numpy.savez stores as an array of one object.
struct PickledMember {
  PickledMember(const NpzFile& file, std::string_view name)
      : where(fmt::format("{}: {}", file.path().string(), name)),
        bytes(file.read_bytes(name)),
        pickle(content(), where) {
    const auto& items = pickle.get<PickleSequence>(pickle.root(), "an array of one object").items;
    if (items.size() != 1) throw UserError("{}: holds {} objects, one was expected", where, items.size());
    object = items[0];
  }

  std::string_view content() const {
    const auto inside = npy_pickle({bytes.data(), static_cast<std::size_t>(bytes.size())}, where);
    if (!inside) throw UserError("{}: holds plain items, an object was expected", where);
    return *inside;
  }

  std::string where;
  Array<char> bytes;
  Pickle pickle;
  PickleId object = 0;
};

/// The class names of the metadata, a list or an array; empty where there are none.
std::vector<std::string> read_class_names(const NpzFile& file) {
  if (!file.has("metadata")) return {};
  const PickledMember member(file, "metadata");
  const Pickle& pickle = member.pickle;
  const auto names = pickle.find(pickle.get<PickleDict>(member.object, "a dict"), "class_names");
  if (!names) return {};
  if (std::holds_alternative<std::unique_ptr<NpyArray>>(pickle.value(*names))) {
    return pickle.array(*names, "class names").to_strings();
  }
  std::vector<std::string> strings;
  for (const PickleId name : pickle.get<PickleSequence>(*names, "class names").items) {
    strings.emplace_back(pickle.get<PickleText>(name, "the name of a class").bytes);
  }
  return strings;
}

AttributedGraph read_graphdata_edges(const NpzFile& file) {
  const PickledMember member(file, "adj_matrix");
  const SparseMatrix& matrix = member.pickle.matrix(member.object, "a csr_matrix");
  if (matrix.rows != matrix.columns || matrix.rows > kMaxNodes) {
    throw UserError("{}: has shape [{}, {}], a graph's matrix is square", member.where, matrix.rows, matrix.columns);
  }
  ArcCollector arcs;
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    for (std::int64_t i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i)
      arcs.add(row, matrix.column_indices[i]);
  }
  return arcs.build(matrix.rows);
}

}  // namespace

AttributedGraph read_planetoid(const std::filesystem::path& directory, std::string_view name) {
  constexpr std::int64_t kValidationNodes = 500;
  const Planetoid files{directory, std::string(name)};
  const SparseMatrix known = files.features("allx");
  const SparseMatrix unknown = files.features("tx");
  std::vector<std::int64_t> classes = read_classes(files.path("ally"));
  const auto test_classes = read_classes(files.path("ty"));
  const auto train_classes = read_classes(files.path("y"));
  std::vector<NodeId> test = read_test_nodes(files.path("test.index"), known.rows);
  check_rows(files.path("x"), files.features("x").rows, "y", train_classes.size());
  check_rows(files.path("allx"), known.rows, "ally", classes.size());
  check_rows(files.path("tx"), unknown.rows, "ty", test_classes.size());
  check_rows(files.path("tx"), unknown.rows, "test.index", test.size());
  if (known.columns != unknown.columns || train_classes.size() > classes.size()) {
    throw UserError(directory, "allx and tx differ in columns, or y has more rows than ally [get all files again]");
  }
  const auto test_rows = rows_of_test_nodes(test, known.rows, files.path("test.index"));
  for (const auto& row : test_rows) classes.push_back(row ? test_classes[static_cast<std::size_t>(*row)] : 0);

  AttributedGraph result = read_neighbors(files.path("graph"), static_cast<std::int64_t>(classes.size()));
  result.features = stack_rows(known, unknown, test_rows);
  result.labels = labels_from_integers(classes);
  std::sort(test.begin(), test.end());
  const auto train_size = static_cast<std::int64_t>(train_classes.size());
  NodeSplit split{
      .train = std::vector<NodeId>(train_classes.size()),
      .valid = std::vector<NodeId>(static_cast<std::size_t>(std::min(kValidationNodes, known.rows - train_size))),
      .test = std::move(test)};
  std::iota(split.train.begin(), split.train.end(), 0);
  std::iota(split.valid.begin(), split.valid.end(), static_cast<NodeId>(train_size));
  result.split = std::move(split);
  if (const auto missing = std::count(test_rows.begin(), test_rows.end(), std::nullopt); missing > 0) {
    result.notes.push_back(fmt::format("{} nodes have no features and no label; they are given class 0", missing));
  }
  return result;
}

AttributedGraph read_graphdata_npz(const std::filesystem::path& path) {
  const NpzFile file(path);
  AttributedGraph result = read_graphdata_edges(file);
  const std::int64_t nodes = result.graph.num_nodes();
  PickledMember features(file, "node_attr");
  result.features = features.pickle.take_matrix(features.object, "a csr_matrix");
  const NpyArray labels = file.read("node_label");
  if (std::get<SparseMatrix>(result.features).rows != nodes || labels.size() != nodes) {
    throw UserError(path, "adj_matrix has {} rows, node_attr {} and node_label {}, as many of each were expected",
                    nodes, std::get<SparseMatrix>(result.features).rows, labels.size());
  }
  const auto classes = labels.to<std::int64_t>();
  result.labels = labels_from_integers({classes.begin(), classes.end()}, Labels::kNone);
  const auto names = read_class_names(file);
  for (std::string& name : result.labels.names) {
    // A class without a name in the metadata keeps its number.
    const auto number = parse_integer(name).value_or(-1);
    if (number >= 0 && number < static_cast<std::int64_t>(names.size())) name = names[static_cast<std::size_t>(number)];
  }
  return result;
}

}  // namespace gir
