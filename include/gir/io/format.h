#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/registry.h"
#include "gir/graph/attributes.h"

namespace gir {

struct ReadOptions {
  /// Name of a registered format; empty: told from the path.
  std::string format = {};

  /// Unset: what the file says about itself, undirected where it says nothing.
  std::optional<bool> directed = {};

  /// Read node ids of edge lists as text even where they look like numbers.
  bool text_ids = false;

  /// For edge lists: the nodes are 0 .. num_nodes-1, those without an edge included. Unset: the ids that occur.
  std::optional<std::int64_t> num_nodes = {};
};

/// A way to store a graph. Formats register themselves; adding one is one file.
struct GraphFormat {
  static constexpr std::string_view kKind = "format";

  std::string name;
  std::string summary;
  std::vector<std::string> endings;  ///< of file names, ".mtx"; empty: recognised some other way

  /// For formats that are not known by a name's ending (folders): does `path` look like one?
  bool (*recognises)(const std::filesystem::path& path) = nullptr;

  AttributedGraph (*read)(const std::filesystem::path& path, const ReadOptions& options) = nullptr;

  /// Features, labels and the split are stored too, not only the graph.
  bool holds_attributes = false;

  /// Null for formats that are only read.
  void (*write)(const std::filesystem::path& path, const AttributedGraph& graph) = nullptr;
};

/// Reads a graph from a file or folder of any registered format: folders by what is in them, files by the
/// ending of their name, everything else as an edge list.
AttributedGraph read_graph(const std::filesystem::path& path, const ReadOptions& options = {});

/// The format that write_graph would write. UserError when there is none or it is only read.
const GraphFormat& format_to_write(const std::filesystem::path& path, std::string_view format = "");

/// Writes in `format`, or in the one that the ending of `path` names. The file appears whole or not at all.
void write_graph(const std::filesystem::path& path, const AttributedGraph& graph, std::string_view format = "");

}  // namespace gir
