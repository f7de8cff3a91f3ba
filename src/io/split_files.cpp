#include "gir/io/split_files.h"

#include <algorithm>
#include <array>
#include <optional>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/hash.h"
#include "gir/core/text.h"
#include "gir/io/csv_cell.h"
#include "gir/io/gzip.h"
#include "gir/io/tables.h"
#include "missing_ids.h"
#include "split_arrays.h"
#include "whole_numbers.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 4> kEndings = {".txt", ".txt.gz", ".csv", ".tsv"};

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

PairLists read_folder(const fs::path& folder, const NodeNames& names, const PairHeader& header) {
  reject_other_parts(folder);
  static_cast<void>(part_of_folder(folder, "train"));
  PairLists lists;
  for (const PartNames& part : part_names()) {
    const auto path = find_part(folder, part.files);
    if (!path) continue;
    auto read = read_node_pair_lines(*path, names, header);
    lists.*part.part = {.where = path->string(), .items = std::move(read.items), .lines = std::move(read.lines)};
    lists.notes.insert(lists.notes.end(), read.notes.begin(), read.notes.end());
  }
  return lists;
}

enum class SplitKind { kFolder, kMat, kNpz };

SplitKind kind_of(const fs::path& path) {
  if (!fs::exists(path)) throw UserError(path, "no such file or folder [give a split as a folder, .mat or .npz file]");
  if (fs::is_directory(path)) return SplitKind::kFolder;
  if (path.extension() == ".mat") return SplitKind::kMat;
  if (path.extension() == ".npz") return SplitKind::kNpz;
  throw UserError(path, "is not a split [a folder with train.txt, or a .mat or .npz file]");
}

ArrayFile array_file(SplitKind kind) { return kind == SplitKind::kMat ? ArrayFile::kMat : ArrayFile::kNpz; }

/// Whether the first two ids that are no missing values are whole numbers, as all others have to be then.
bool begins_with_numbers(const std::vector<PlacedId>& ids) {
  constexpr std::int64_t kFirst = 2;
  std::int64_t numbers = 0;
  for (auto id = ids.begin(); id != ids.end() && numbers < kFirst; ++id) {
    if (is_missing(id->id)) continue;
    if (!parse_whole_number(id->id)) return false;
    ++numbers;
  }
  return numbers > 0;
}

std::int64_t integer_id(const PlacedId& placed) {
  const std::string_view id = placed.id;
  if (const auto number = parse_whole_number(id)) return *number;
  throw UserError(placed.path, placed.line, "node id {} {}", quoted(id),
                  is_missing(id) ? "stands for a missing value [remove the line]"
                                 : "is not a whole number [the ids before are; `text-ids` reads ids as text]");
}

}  // namespace

PairLists read_pair_lists(const fs::path& path, const NodeNames& names, const PairHeader& header) {
  const SplitKind kind = kind_of(path);
  return kind == SplitKind::kFolder ? read_folder(path, names, header)
                                    : read_pair_arrays(path, array_file(kind), names);
}

NodeLists read_node_lists(const fs::path& path, const NodeNames& names, std::uint64_t column) {
  switch (kind_of(path)) {
    case SplitKind::kMat:
      throw UserError(path, "is a split of pairs, not of nodes [use a folder or a .npz file with masks, or `task` lp]");
    case SplitKind::kNpz:
      return read_node_masks(path, names, column);
    case SplitKind::kFolder:
      break;
  }
  reject_other_parts(path);
  static_cast<void>(part_of_folder(path, "train"));
  const auto read = [&](const std::vector<const char*>& files) -> ListedNodes {
    const auto file = find_part(path, files);
    if (!file) return {};
    auto listed = read_node_lines(*file, names);
    return {.where = file->string(), .items = std::move(listed.items), .lines = std::move(listed.lines)};
  };
  return {.train = read({"train"}), .valid = read({"valid", "val"}), .test = read({"test"}), .columns = 1};
}

NodeNames names_of_split(const fs::path& path, const ReadOptions& options, std::vector<std::string>* notes) {
  const SplitKind kind = kind_of(path);
  if (kind != SplitKind::kFolder) {
    std::int64_t largest = 0;
    read_array_parts(path, array_file(kind), [&](ListedPairs PairLists::*, const NumberList& numbers) {
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
  const std::vector<PlacedId> ids = read_pair_ids(files, options.header);
  if (options.text_ids || !begins_with_numbers(ids)) {
    std::vector<std::string> texts;
    for (const PlacedId& id : ids) texts.push_back(id.id);
    std::sort(texts.begin(), texts.end());
    NodeNames names = NodeNames::strings(texts);
    if (notes != nullptr) note_missing_ids(path, names, *notes);
    return names;
  }
  std::vector<std::int64_t> values;
  for (const PlacedId& id : ids) values.push_back(integer_id(id));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return NodeNames::integers(Array<std::int64_t>(std::span<const std::int64_t>(values)));
}

void write_split_files(const fs::path& folder, const std::vector<SplitFile>& files, const NodeNames& names) {
  char separator = ' ';
  for (NodeId node = 0; node < names.size() && separator == ' '; ++node) {
    if (names.kind() != NodeNames::Kind::kStrings) break;
    const std::string name = names.name(node);
    if (id_cell(name, ' ') != name) separator = '\t';
  }
  for (const SplitFile& file : files) {
    if (file.pairs.empty() && file.nodes.empty()) continue;
    TextFileWriter writer(folder / file.name);
    for (const auto& [first, second] : file.pairs)
      writer.line("{}{}{}", id_cell(names.name(first), separator), separator, id_cell(names.name(second), separator));
    for (const NodeId node : file.nodes) writer.line("{}", id_cell(names.name(node), '\t'));
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
