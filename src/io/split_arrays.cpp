#include "split_arrays.h"

#include <cmath>

#include "gir/core/error.h"
#include "gir/io/npz.h"
#include "mat_file.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

/// Calls `use(part, numbers)` for every part in a .mat file.
void read_mat_parts(const fs::path& path,
                    const std::function<void(ListedPairs PairLists::*part, const NumberList&)>& use) {
  const MatFile file(path);
  for (const PartNames& part : part_names()) {
    for (const char* name : part.arrays) {
      const MatVariable* variable = file.find(name);
      if (variable == nullptr) continue;
      if (!variable->is_full() || variable->complex || variable->shape.size() != 2 || variable->shape[1] != 2) {
        throw UserError(path, "variable {} is not a matrix with two columns [one pair of node numbers per row]",
                        variable->describe());
      }
      const std::vector<double> values = file.values(*variable);
      NumberList numbers{.where = path.string() + ": " + name, .pairs = {}};
      const std::size_t rows = values.size() / 2;
      for (std::size_t i = 0; i < rows; ++i) {
        for (const double value : {values[i], values[rows + i]}) {
          if (value >= 1 && value <= static_cast<double>(kMaxNodes) && value == std::floor(value)) continue;
          throw UserError("{}: row {}: {} is not the number of a node [nodes are numbered from 1]", numbers.where,
                          i + 1, value);
        }
        numbers.pairs.emplace_back(static_cast<std::int64_t>(values[i]), static_cast<std::int64_t>(values[rows + i]));
      }
      use(part.part, numbers);
    }
  }
}

/// The same for a .npz file.
void read_npz_parts(const fs::path& path,
                    const std::function<void(ListedPairs PairLists::*part, const NumberList&)>& use) {
  const NpzFile file(path);
  for (const PartNames& part : part_names()) {
    for (const char* name : part.arrays) {
      if (!file.has(name)) continue;
      const NpyArray array = file.read(name);
      const bool in_rows = array.shape().size() == 2 && array.shape()[1] == 2;
      if (!in_rows && (array.shape().size() != 2 || array.shape()[0] != 2)) {
        throw UserError("{}: has the shape {}, expected [pairs, 2] or [2, pairs]", array.where(), array.shape_text());
      }
      const auto values = array.to<std::int64_t>();
      NumberList numbers{.where = array.where(), .pairs = {}};
      const std::int64_t rows = values.size() / 2;
      for (std::int64_t i = 0; i < rows; ++i) {
        numbers.pairs.emplace_back(values[in_rows ? 2 * i : i], values[in_rows ? 2 * i + 1 : rows + i]);
        for (const std::int64_t value : {numbers.pairs.back().first, numbers.pairs.back().second}) {
          if (value >= 0 && value < kMaxNodes) continue;
          throw UserError("{}: row {}: {} is not the number of a node [nodes are numbered from 0]", numbers.where,
                          i + 1, value);
        }
      }
      use(part.part, numbers);
    }
  }
}

/// Finds nodes by the numbers of a file.
class NodesByNumber {
 public:
  NodesByNumber(const NodeNames& names, ArrayFile kind) : names_(names), kind_(kind) {}

  NodeId find(std::int64_t number, const NumberList& list, std::size_t row) const {
    const bool by_id = kind_ == ArrayFile::kMat && names_.kind() != NodeNames::Kind::kPositions;
    if (by_id) {
      if (const auto node = names_.find(std::to_string(number))) return *node;
    } else {
      const std::int64_t position = kind_ == ArrayFile::kMat ? number - 1 : number;
      if (position < names_.size()) return static_cast<NodeId>(position);
    }
    throw UserError("{}: row {}: the graph has no node {} [it has {} nodes{}]", list.where, row + 1, number,
                    names_.size(),
                    by_id                      ? ""
                    : kind_ == ArrayFile::kMat ? ", counted from 1"
                                               : ", counted from 0");
  }

 private:
  const NodeNames& names_;
  ArrayFile kind_;
};

/// One mask of a .npz file; nothing where the file has none of `names`. Raises `max_columns` to the number of its
/// columns.
ListedNodes read_mask(const NpzFile& file, std::initializer_list<const char*> names, std::int64_t nodes,
                      std::uint64_t column, std::int64_t& max_columns) {
  for (const char* name : names) {
    if (!file.has(name)) continue;
    const NpyArray array = file.read(name);
    const auto& shape = array.shape();
    const bool has_columns = shape.size() == 2;
    if (shape.empty() || shape.size() > 2 || shape[0] != nodes) {
      throw UserError(
          "{}: has the shape {}, expected one boolean for each of the {} nodes [save a row per node, in the "
          "order of the graph's nodes]",
          array.where(), array.shape_text(), nodes);
    }
    if (array.type().kind != NpyType::Kind::kBool) {
      throw UserError("{}: is not a mask [booleans, one per node]", array.where());
    }
    const std::int64_t columns = has_columns ? shape[1] : 1;
    max_columns = std::max(max_columns, columns);
    if (has_columns && static_cast<std::int64_t>(column) >= columns) {
      throw UserError("{}: has {} columns, so there is no split {} [`split` 0 to {}]", array.where(), columns, column,
                      columns - 1);
    }
    const std::int64_t chosen = has_columns ? static_cast<std::int64_t>(column) : 0;
    ListedNodes list{.where = array.where(), .items = {}, .lines = {}};
    for (std::int64_t node = 0; node < nodes; ++node) {
      if (array.bytes()[static_cast<std::size_t>(node * columns + chosen)] == 0) continue;
      list.items.push_back(static_cast<NodeId>(node));
    }
    return list;
  }
  return {};
}

}  // namespace

const std::vector<PartNames>& part_names() {
  static const std::vector<PartNames> all = {
      {&PairLists::train, {"train"}, {"train_pos", "train_edges"}},
      {&PairLists::train_negatives, {"train_neg"}, {"train_neg"}},
      {&PairLists::valid, {"valid", "val"}, {"valid_pos", "val_pos", "valid_edges", "val_edges"}},
      {&PairLists::valid_negatives, {"valid_neg", "val_neg"}, {"valid_neg", "val_neg"}},
      {&PairLists::test, {"test"}, {"test_pos", "test_edges"}},
      {&PairLists::test_negatives, {"test_neg"}, {"test_neg"}},
  };
  return all;
}

void read_array_parts(const fs::path& path, ArrayFile kind,
                      const std::function<void(ListedPairs PairLists::*part, const NumberList&)>& use) {
  kind == ArrayFile::kMat ? read_mat_parts(path, use) : read_npz_parts(path, use);
}

PairLists read_pair_arrays(const fs::path& path, ArrayFile kind, const NodeNames& names) {
  PairLists lists;
  const NodesByNumber nodes(names, kind);
  read_array_parts(path, kind, [&](ListedPairs PairLists::*part, const NumberList& numbers) {
    ListedPairs& list = lists.*part;
    if (list.given()) throw UserError("{}: is the same part as {} [keep one of them]", numbers.where, list.where);
    list.where = numbers.where;
    for (std::size_t i = 0; i < numbers.pairs.size(); ++i) {
      list.items.emplace_back(nodes.find(numbers.pairs[i].first, numbers, i),
                              nodes.find(numbers.pairs[i].second, numbers, i));
    }
  });
  if (!lists.train.given()) {
    throw UserError(path,
                    "has no {} [a split of pairs has train_pos or train_edges, and may have valid and test parts]",
                    kind == ArrayFile::kMat ? "train_pos" : "train_edges");
  }
  return lists;
}

NodeLists read_node_masks(const fs::path& path, const NodeNames& names, std::uint64_t column) {
  const NpzFile file(path);
  NodeLists lists;
  const auto read = [&](std::initializer_list<const char*> masks) {
    return read_mask(file, masks, names.size(), column, lists.columns);
  };
  lists.train = read({"train_mask"});
  lists.valid = read({"val_mask", "valid_mask"});
  lists.test = read({"test_mask"});
  if (!lists.train.given()) {
    throw UserError(path, "has no train_mask [a split of nodes has train_mask, and may have val_mask and test_mask]");
  }
  return lists;
}

}  // namespace gir
