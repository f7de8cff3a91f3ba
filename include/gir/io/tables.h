#pragma once

#include <filesystem>

#include "gir/graph/attributes.h"
#include "gir/graph/node_names.h"

namespace gir {

/// Features of the nodes with these names, one row per node, from
///   .npy    an array [nodes, columns], rows in node order;
///   .npz    an array `features`, or a CSR matrix attr_indptr, attr_indices, attr_data, attr_shape;
///   text    (.csv, .tsv, .txt and everything else, gzip or not) one row per line; cells are separated by tabs,
///           commas or blanks; lines that begin with # are comments.
///
/// The first line of a text file is a header when none of its cells is a number. When the first cell of the header is
/// node, id or node_id, the first column holds node ids and rows may have any order; otherwise rows are in node order.
/// UserError for a number of rows other than the number of nodes, rows of different lengths, unknown or repeated ids
/// and values that are not finite. O(size of the file), in parallel.
Features read_features(const std::filesystem::path& path, const NodeNames& names);

/// Labels of the nodes with these names, from
///   .npy    one item per node in node order: integers, -1 for no label, or strings;
///   .npz    such an array `labels` (and optionally `class_names`);
///   text    as above, with two columns, node id and label, or with one: a label per node in node order.
///
/// With two columns, the first line is a header when its first cell is not a node of the graph and is node, id,
/// node_id, name or vertex, or, where the graph's ids are numbers, is not a number. With one column, it is a header
/// when it is label, labels or class and there is one line more than nodes. With two columns, nodes that do not occur
/// have no label. UserError for unknown or repeated ids, and for too few or too many labels.
Labels read_labels(const std::filesystem::path& path, const NodeNames& names);

}  // namespace gir
