#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "gir/io/split_files.h"

namespace gir {

/// A part of a split of pairs, and the names that its file or variable may have.
struct PartNames {
  ListedPairs PairLists::*part;
  std::vector<const char*> files;   ///< in a folder, without ending
  std::vector<const char*> arrays;  ///< in a .mat or .npz file
};
const std::vector<PartNames>& part_names();

/// The pairs of a part as numbers, and where they stand.
struct NumberList {
  std::string where;
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
};

/// Whether a file of arrays is one of MATLAB, which counts nodes from 1, or of NumPy.
enum class ArrayFile { kMat, kNpz };

/// Calls `use(part, numbers)` for every part in a file of arrays.
void read_array_parts(const std::filesystem::path& path, ArrayFile kind,
                      const std::function<void(ListedPairs PairLists::*part, const NumberList&)>& use);

/// The split of pairs in a file of arrays.
PairLists read_pair_arrays(const std::filesystem::path& path, ArrayFile kind, const NodeNames& names);

/// The split of nodes in a .npz file of masks; of masks with several columns, `column` is read.
NodeLists read_node_masks(const std::filesystem::path& path, const NodeNames& names, std::uint64_t column);

}  // namespace gir
