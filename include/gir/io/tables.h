#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/export.h"
#include "gir/graph/attributes.h"
#include "gir/graph/node_names.h"
#include "gir/io/format.h"

namespace gir {

/// Features of the nodes with these names, one row per node, from
///   .npy    an array [nodes, columns], rows in node order;
///   .npz    an array `features`, or a CSR matrix attr_indptr, attr_indices, attr_data, attr_shape;
///   text    (.csv, .tsv, .txt and everything else, gzip or not) one row per line; cells are separated by tabs,
///           commas, semicolons, pipes or blanks and may be quoted; lines that begin with # are comments.
///
/// The first line of a text file is a header when none of its cells is a number, or when the first cell is missing. The
/// first column holds node ids, and rows may have any order, when its name says so (node, id, name), when it is not
/// numeric, or when it lists all nodes of the graph; otherwise rows are in node order. UserError for a number of rows
/// other than the number of nodes, rows of different lengths, unknown or repeated ids and values that are missing or
/// not finite. What a user should know is appended to `notes`. O(size of the file), in parallel.
Features read_features(const std::filesystem::path& path, const NodeNames& names,
                       std::vector<std::string>* notes = nullptr);

/// How to read labels from a text file.
struct GIR_API LabelTableOptions {
  std::string columns = {};               ///< see ReadOptions
  HeaderLine header = HeaderLine::kAuto;  ///< whether the first line is a header
};

/// Labels of the nodes with these names, from
///   .npy    one item per node in node order: integers, -1 for no label, or strings;
///   .npz    such an array `labels` (and optionally `class_names`);
///   text    as above, with two columns, node id and label, or with one: a label per node in node order. Of more
///           columns under a header, those that `columns` chooses (see ReadOptions) or whose names say what they are.
///
/// With two columns, the first line is a header when its first cell is not a node of the graph and is node, id, name or
/// the like, or, where the graph's ids are numbers, is not a number; or when the other lines say so. With one column,
/// it is a header when it is label, labels or class and there is one line more than nodes. Nodes that do not occur have
/// no label, and those where is_missing() is true; nor those with -1 where all others are 0 or more, of several
/// classes. UserError for unknown or repeated ids, and for too few or too many labels.
Labels read_labels(const std::filesystem::path& path, const NodeNames& names, const LabelTableOptions& options = {},
                   std::vector<std::string>* notes = nullptr);

/// The options for the graph whose labels are in a file of their own: without node and label in `columns`, and without
/// `header` for a graph in another format than an edge list.
GIR_API ReadOptions without_label_options(const std::filesystem::path& graph, const ReadOptions& options);

/// Whether a cell stands for a missing value: empty, NaN, NA, N/A, ?, null, None or \N.
bool is_missing(std::string_view cell);

/// The node ids in a file of features or labels, in the order of the rows; empty where it has none. They may be unknown
/// to the graph.
std::vector<std::string> ids_of_features(const std::filesystem::path& path, const NodeNames& names);
std::vector<std::string> ids_of_labels(const std::filesystem::path& path, const NodeNames& names,
                                       const LabelTableOptions& options = {});

}  // namespace gir
