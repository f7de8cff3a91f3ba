#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <span>

#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/graph/node_names.h"

namespace gir {

/// The vector of one node: its row of `embeddings`, float [nodes, width] as Experiment::forward() gives them, on the
/// processor. The same memory, not a copy.
GIR_API std::span<const float> embedding_of(const at::Tensor& embeddings, NodeId node);

/// Writes vectors, one row a node, in the format that the ending of `path` names:
///   .npy         float32 [nodes, width]; the ids are the caller's business
///   .csv, .tsv   a header, then the node's id and its values
///   .vec         word2vec's text format: nodes and width, then the same with blanks between
/// (.gz may follow but for .npy.) UserError for other endings, and for ids that the format cannot hold.
GIR_API void write_embeddings(const std::filesystem::path& path, const at::Tensor& embeddings, const NodeNames& names);

/// Writes the nodes' ids, one a line.
GIR_API void write_node_names(const std::filesystem::path& path, const NodeNames& names);

/// Whether vectors written to `path` carry the ids with them.
GIR_API bool holds_node_names(const std::filesystem::path& path);

}  // namespace gir
