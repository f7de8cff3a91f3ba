#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/export.h"
#include "gir/core/registry.h"
#include "gir/graph/attributes.h"

namespace gir {

/// How to read a graph. The names in backticks are those of the settings in messages, see UserError.
struct GIR_API ReadOptions {
  /// `read-as`: name of a registered format. Empty: chosen by the path.
  std::string format = {};

  /// `directed`, `undirected`. Unset: as the file says, undirected where it does not say.
  std::optional<bool> directed = {};

  /// `text-ids`: read node ids of edge lists as strings even where they look like numbers.
  bool text_ids = false;

  /// `num-nodes`, for edge lists: the nodes are 0 .. num_nodes-1, with or without edges. Unset: the ids that occur.
  std::optional<std::int64_t> num_nodes = {};
};

/// A way to store a graph. Formats register themselves; adding one is one file.
struct GIR_API GraphFormat {
  static constexpr std::string_view kKind = "format";

  std::string name;
  std::string summary;
  std::vector<std::string> endings;  ///< of file names, such as ".mtx"; empty: recognised in another way

  /// For formats that are not recognised by the ending of the name (folders): whether `path` has this format.
  bool (*recognises)(const std::filesystem::path& path) = nullptr;

  AttributedGraph (*read)(const std::filesystem::path& path, const ReadOptions& options) = nullptr;

  /// Whether features, labels and the split are stored, too, not only the graph.
  bool holds_attributes = false;

  /// Null for formats that can only be read.
  void (*write)(const std::filesystem::path& path, const AttributedGraph& graph) = nullptr;
};

/// Reads a graph from a file or folder of any registered format. The format of a folder is recognised by its files,
/// that of a file by the ending of its name; files with other endings are edge lists.
GIR_API AttributedGraph read_graph(const std::filesystem::path& path, const ReadOptions& options = {});

/// The format that write_graph() uses. UserError when there is none or it can only be read.
GIR_API const GraphFormat& format_to_write(const std::filesystem::path& path, std::string_view format = "");

/// Writes in `format`, or in the format of the ending of `path`. The file appears complete or not at all.
GIR_API void write_graph(const std::filesystem::path& path, const AttributedGraph& graph, std::string_view format = "");

}  // namespace gir
