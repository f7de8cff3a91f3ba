#include "gir/io/split_files.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/hash.h"
#include "gir/core/text.h"
#include "gir/io/gzip.h"
#include "gir/io/node_lists.h"
#include "gir/io/npz.h"
#include "mat_file.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

using Pair = std::pair<NodeId, NodeId>;

constexpr std::array<const char*, 4> kEndings = {".txt", ".txt.gz", ".csv", ".tsv"};

/// A part, the names that its file or variable may have, and whether all names of a part are known.
struct PartNames {
  ListedPairs PairLists::*part;
  std::vector<const char*> files;   ///< in a folder, without ending
  std::vector<const char*> arrays;  ///< in a .mat or .npz file
};

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

/// The file of a part in a folder; nothing where there is none. UserError where there are several.
std::optional<fs::path> find_part(const fs::path& folder, const std::vector<const char*>& names) {
  std::optional<fs::path> found;
  for (const char* name : names) {
    for (const char* ending : kEndings) {
      const fs::path path = folder / (std::string(name) + ending);
      if (!fs::exists(path)) continue;
      if (found) throw UserError(path, "is the same part as {} [remove one of them]", found->filename().string());
      found = path;
    }
  }
  return found;
}

/// UserError for files that look like a part of a split but have another name: they would be ignored.
void reject_other_parts(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool looks_like_part =
        name.starts_with("train") || name.starts_with("val") || name.starts_with("dev") || name.starts_with("test");
    const auto is_known = [&](const PartNames& part) {
      return std::any_of(part.files.begin(), part.files.end(), [&](const char* file) {
        return std::any_of(kEndings.begin(), kEndings.end(),
                           [&](const char* ending) { return name == std::string(file) + ending; });
      });
    };
    if (looks_like_part && std::none_of(part_names().begin(), part_names().end(), is_known)) {
      throw UserError(entry.path(),
                      "is not a known part of a split [train.txt, valid.txt, test.txt, train_neg.txt, valid_neg.txt, "
                      "test_neg.txt]");
    }
  }
}

fs::path part_of_folder(const fs::path& folder, const char* name) {
  const auto found = find_part(folder, {name});
  if (!found)
    throw UserError(folder, "has no {}.txt [a split has train.txt, and may have valid.txt and test.txt]", name);
  return *found;
}

PairLists read_folder(const fs::path& folder, const NodeNames& names) {
  reject_other_parts(folder);
  static_cast<void>(part_of_folder(folder, "train"));
  PairLists lists;
  for (const PartNames& part : part_names()) {
    const auto path = find_part(folder, part.files);
    if (!path) continue;
    auto [pairs, lines] = read_node_pair_lines(*path, names);
    lists.*part.part = {.where = path->string(), .items = std::move(pairs), .lines = std::move(lines)};
  }
  return lists;
}

/// The pairs of a part as numbers, and where they stand.
struct NumberList {
  std::string where;
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
};

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

enum class SplitKind { kFolder, kMat, kNpz };

SplitKind kind_of(const fs::path& path) {
  if (!fs::exists(path)) throw UserError(path, "no such file or folder [give a split as a folder, .mat or .npz file]");
  if (fs::is_directory(path)) return SplitKind::kFolder;
  if (path.extension() == ".mat") return SplitKind::kMat;
  if (path.extension() == ".npz") return SplitKind::kNpz;
  throw UserError(path, "is not a split [a folder with train.txt, or a .mat or .npz file]");
}

void read_parts(const fs::path& path, SplitKind kind,
                const std::function<void(ListedPairs PairLists::*part, const NumberList&)>& use) {
  kind == SplitKind::kMat ? read_mat_parts(path, use) : read_npz_parts(path, use);
}

/// Finds nodes by the numbers of a file.
class NodesByNumber {
 public:
  NodesByNumber(const NodeNames& names, SplitKind kind) : names_(names), kind_(kind) {}

  NodeId find(std::int64_t number, const NumberList& list, std::size_t row) const {
    const bool by_id = kind_ == SplitKind::kMat && names_.kind() != NodeNames::Kind::kPositions;
    if (by_id) {
      if (const auto node = names_.find(std::to_string(number))) return *node;
    } else {
      const std::int64_t position = kind_ == SplitKind::kMat ? number - 1 : number;
      if (position < names_.size()) return static_cast<NodeId>(position);
    }
    throw UserError("{}: row {}: the graph has no node {} [it has {} nodes{}]", list.where, row + 1, number,
                    names_.size(),
                    by_id                      ? ""
                    : kind_ == SplitKind::kMat ? ", counted from 1"
                                               : ", counted from 0");
  }

 private:
  const NodeNames& names_;
  SplitKind kind_;
};

/// One mask of a .npz file; nothing where the file has none of `names`. Sets `numbered` where it has several columns.
ListedNodes read_mask(const NpzFile& file, std::initializer_list<const char*> names, std::int64_t nodes,
                      std::uint64_t column, bool& numbered) {
  for (const char* name : names) {
    if (!file.has(name)) continue;
    const NpyArray array = file.read(name);
    const auto& shape = array.shape();
    const bool has_columns = shape.size() == 2;
    if (shape.empty() || shape.size() > 2 || shape[0] != nodes) {
      throw UserError("{}: has the shape {}, expected one boolean for each of the {} nodes", array.where(),
                      array.shape_text(), nodes);
    }
    if (array.type().kind != NpyType::Kind::kBool) {
      throw UserError("{}: is not a mask [booleans, one per node]", array.where());
    }
    const std::int64_t columns = has_columns ? shape[1] : 1;
    numbered = numbered || columns > 1;
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

/// Why an id cannot stand in a text file of a split; nullptr where it can.
const char* problem_of(std::string_view id) {
  if (id.empty()) return "is empty";
  if (id.find_first_of("\t\r\n") != std::string_view::npos) return "contains a tab or a line break";
  if (id.front() == '#') return "begins like a comment";
  if (id.front() == ' ' || id.back() == ' ') return "begins or ends with a blank";
  return nullptr;
}

}  // namespace

PairLists read_pair_lists(const fs::path& path, const NodeNames& names) {
  const SplitKind kind = kind_of(path);
  if (kind == SplitKind::kFolder) return read_folder(path, names);
  PairLists lists;
  const NodesByNumber nodes(names, kind);
  read_parts(path, kind, [&](ListedPairs PairLists::*part, const NumberList& numbers) {
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
                    kind == SplitKind::kMat ? "train_pos" : "train_edges");
  }
  return lists;
}

NodeLists read_node_lists(const fs::path& path, const NodeNames& names, std::uint64_t column) {
  switch (kind_of(path)) {
    case SplitKind::kMat:
      throw UserError(path, "is a split of pairs, not of nodes [use a folder or a .npz file with masks, or `task` lp]");
    case SplitKind::kNpz: {
      const NpzFile file(path);
      NodeLists lists;
      const auto read = [&](std::initializer_list<const char*> masks) {
        return read_mask(file, masks, names.size(), column, lists.numbered);
      };
      lists.train = read({"train_mask"});
      lists.valid = read({"val_mask", "valid_mask"});
      lists.test = read({"test_mask"});
      if (!lists.train.given()) {
        throw UserError(path,
                        "has no train_mask [a split of nodes has train_mask, and may have val_mask and test_mask]");
      }
      return lists;
    }
    case SplitKind::kFolder:
      break;
  }
  reject_other_parts(path);
  static_cast<void>(part_of_folder(path, "train"));
  const auto read = [&](const std::vector<const char*>& files) -> ListedNodes {
    const auto file = find_part(path, files);
    if (!file) return {};
    auto [nodes, lines] = read_node_lines(*file, names);
    return {.where = file->string(), .items = std::move(nodes), .lines = std::move(lines)};
  };
  return {.train = read({"train"}), .valid = read({"valid", "val"}), .test = read({"test"}), .numbered = false};
}

NodeNames names_of_split(const fs::path& path, const ReadOptions& options) {
  const SplitKind kind = kind_of(path);
  if (kind != SplitKind::kFolder) {
    std::int64_t largest = 0;
    read_parts(path, kind, [&](ListedPairs PairLists::*, const NumberList& numbers) {
      for (const auto& [first, second] : numbers.pairs) largest = std::max({largest, first, second});
    });
    if (kind == SplitKind::kNpz) return NodeNames::positions(largest + 1);
    Array<std::int64_t> ids(largest);
    for (std::int64_t i = 0; i < largest; ++i) ids[i] = i + 1;
    return NodeNames::integers(std::move(ids));
  }
  if (options.num_nodes) return NodeNames::positions(*options.num_nodes);
  reject_other_parts(path);
  std::vector<fs::path> files;
  for (const PartNames& part : part_names()) {
    if (const auto file = find_part(path, part.files)) files.push_back(*file);
  }
  std::vector<std::string> ids = read_pair_ids(files);
  const bool numbers = !options.text_ids && std::all_of(ids.begin(), ids.end(), [](const std::string& id) {
    return parse_integer(id).has_value();
  });
  if (!numbers) {
    std::sort(ids.begin(), ids.end());
    return NodeNames::strings(ids);
  }
  std::vector<std::int64_t> values;
  for (const std::string& id : ids) values.push_back(*parse_integer(id));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return NodeNames::integers(Array<std::int64_t>(std::span<const std::int64_t>(values)));
}

void write_split_files(const fs::path& folder, const std::vector<SplitFile>& files, const NodeNames& names) {
  char separator = ' ';
  for (NodeId node = 0; node < names.size(); ++node) {
    if (names.kind() != NodeNames::Kind::kStrings) break;
    const std::string name = names.name(node);
    if (const char* problem = problem_of(name)) {
      throw UserError("node id {} {}, which a text file of a split cannot hold [rename the node]", quoted(name),
                      problem);
    }
    if (name.find_first_of(" ,") != std::string::npos) separator = '\t';
  }
  for (const SplitFile& file : files) {
    if (file.pairs.empty() && file.nodes.empty()) continue;
    TextFileWriter writer(folder / file.name);
    for (const auto& [first, second] : file.pairs)
      writer.line("{}{}{}", names.name(first), separator, names.name(second));
    for (const NodeId node : file.nodes) writer.line("{}", names.name(node));
    writer.commit();
  }
}

std::string split_fingerprint(const fs::path& path) {
  Fingerprint print;
  if (kind_of(path) != SplitKind::kFolder) return print.add("file", MappedFile(path).text()).hex();
  for (const PartNames& part : part_names()) {
    if (const auto file = find_part(path, part.files)) print.add(part.files.front(), TextFile(*file).text());
  }
  return print.hex();
}

}  // namespace gir
