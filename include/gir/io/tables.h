#pragma once

#include <filesystem>

#include "gir/graph/attributes.h"
#include "gir/graph/node_names.h"

namespace gir {

/// Features of the nodes that `names` name, one row a node, from
///   .npy    an array [nodes, columns], rows in node order;
///   .npz    an array `features`, or compressed rows attr_indptr, attr_indices, attr_data, attr_shape;
///   text    (.csv, .tsv, .txt and everything else, gzip or not) a row a line; tabs, commas or blanks between
///           the cells; lines that begin with # are comments.
///
/// The first line of a text is a header when no cell of it is a number. When the header's first cell is node,
/// id or node_id, the first column holds node ids and rows come in any order; otherwise rows come in node order.
/// UserError for a number of rows that is not the number of nodes, for rows of different lengths, for unknown
/// or repeated ids and for values that are not finite. O(size of the file), in parallel.
Features read_features(const std::filesystem::path& path, const NodeNames& names);

/// Labels of the nodes that `names` name, from
///   .npy    one item a node in node order: whole numbers, -1 for no label, or texts;
///   .npz    such an array `labels` (and `class_names` where it is there);
///   text    as above, with two columns, node id and label, or one column: a label a node in node order.
///
/// The first line of a text with two columns is a header when its first cell is no node of the graph and reads
/// node, id, node_id, name or vertex, or, where the graph's ids are numbers, is no number. With one column it is
/// one when it reads label, labels or class and there is one line more than nodes. Nodes that two columns do
/// not name have no label; unknown or repeated ids are a UserError, as are too few or too many labels.
Labels read_labels(const std::filesystem::path& path, const NodeNames& names);

}  // namespace gir
