#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <span>

#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/graph/node_names.h"

namespace gir {

/// The embedding of one node: its row of `embeddings`, float [nodes, width] in host memory. A view, not a copy.
GIR_API std::span<const float> embedding_of(const at::Tensor& embeddings, NodeId node);

/// Writes embeddings, one row per node, in the format given by the extension of `path`:
///   .npy         float32 [nodes, width], without node ids; see write_node_names()
///   .csv, .tsv   a header line, then one line per node with its id and its values
///   .vec         word2vec text format: number of nodes and width, then one line per node, separated by spaces
/// All but .npy may be followed by .gz. UserError for other extensions, and for ids that the format cannot represent.
GIR_API void write_embeddings(const std::filesystem::path& path, const at::Tensor& embeddings, const NodeNames& names);

/// Writes the node ids, one per line.
GIR_API void write_node_names(const std::filesystem::path& path, const NodeNames& names);

/// Whether the format of `path` includes the node ids.
GIR_API bool holds_node_names(const std::filesystem::path& path);

}  // namespace gir
