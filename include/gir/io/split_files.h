#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/graph/node_names.h"
#include "gir/io/format.h"
#include "gir/io/node_lists.h"

namespace gir {

/// A part of a split as its file lists it, with the places of its items for messages.
template <typename Item>
struct ListedItems {
  std::string where = {};  ///< "DIR/train.txt", "FILE.mat: train_pos"; empty: the split does not have this part
  std::vector<Item> items = {};
  std::vector<std::int64_t> lines = {};  ///< of a text file, one per item; empty: items are counted in rows from 1

  bool given() const { return !where.empty(); }

  std::string place(std::size_t item) const {
    return lines.empty() ? where + ": row " + std::to_string(item + 1) : where + ":" + std::to_string(lines[item]);
  }
};

using ListedPairs = ListedItems<std::pair<NodeId, NodeId>>;
using ListedNodes = ListedItems<NodeId>;

/// The parts of a split of pairs of nodes.
struct GIR_API PairLists {
  ListedPairs train;
  ListedPairs train_negatives;
  ListedPairs valid;
  ListedPairs valid_negatives;
  ListedPairs test;
  ListedPairs test_negatives;
  std::vector<std::string> notes = {};  ///< such as on headers that were skipped
};

/// The parts of a split of nodes.
struct GIR_API NodeLists {
  ListedNodes train;
  ListedNodes valid;
  ListedNodes test;
  std::int64_t columns = 1;  ///< of the masks: the number of splits that the file holds
};

/// Reads a split of pairs; only the training pairs must be there. `path` is
///   a folder    with train.txt, valid.txt, test.txt, train_neg.txt, ...: two node ids per line, as read_node_pairs()
///   a .mat file with train_pos, train_neg, valid_pos, ..., [pairs, 2]: numbers of nodes, from 1
///   a .npz file with train_edges, train_neg, valid_edges, ..., [pairs, 2] or [2, pairs]: numbers of nodes, from 0
/// A number in a .mat file is the id of the node, except in a graph whose ids are 0 .. n-1: there, 1 is the first node.
/// UserError with the place for ids that are not in `names`, and for files that are something else.
GIR_API PairLists read_pair_lists(const std::filesystem::path& path, const NodeNames& names,
                                  const PairHeader& header = {});

/// Reads a split of nodes; only the training nodes must be there. `path` is a folder as above with one id per line, or
/// a .npz file with train_mask, val_mask, test_mask, one boolean per node in the order of the graph. Of masks with
/// several columns, `column` is read. UserError as above.
GIR_API NodeLists read_node_lists(const std::filesystem::path& path, const NodeNames& names, std::uint64_t column);

/// The nodes of a split of pairs that comes without a graph: those of a folder are the ids that occur in it
/// (`text-ids`, `num-nodes` and `header` apply as for edge lists, and ids after whole numbers have to be some, too),
/// those of a file all numbers up to the largest one. What a user should know is appended to `notes`.
GIR_API NodeNames names_of_split(const std::filesystem::path& path, const ReadOptions& options,
                                 std::vector<std::string>* notes = nullptr);

/// Files of a split, to be written: one per part that is not empty.
struct GIR_API SplitFile {
  std::string name;  ///< "train.txt"
  std::vector<std::pair<NodeId, NodeId>> pairs = {};
  std::vector<NodeId> nodes = {};
};

/// Writes the parts of a split into a folder that read_pair_lists() or read_node_lists() reads: the ids of a pair are
/// separated by a blank, or by a tab where ids contain blanks, commas or quotes; they are quoted as id_cell() does it.
GIR_API void write_split_files(const std::filesystem::path& folder, const std::vector<SplitFile>& files,
                               const NodeNames& names);

/// Content hash of all files of a split.
GIR_API std::string split_fingerprint(const std::filesystem::path& path);

}  // namespace gir
