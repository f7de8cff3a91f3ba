#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/enum_names.h"
#include "gir/core/export.h"
#include "gir/core/registry.h"
#include "gir/graph/attributes.h"

namespace gir {

/// Whether the first line of an edge list names its columns.
enum class HeaderLine { kAuto, kYes, kNo };

template <>
struct EnumNames<HeaderLine> {
  static constexpr std::string_view kKind = "answer";
  static constexpr auto kAll =
      enum_names<HeaderLine>({{HeaderLine::kAuto, "auto"}, {HeaderLine::kYes, "yes"}, {HeaderLine::kNo, "no"}});
};

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

  /// `columns`: which columns to read, by their names or by numbers from 1: "source=from,target=to,weight=w" in edge
  /// lists, "node=id,label=team" in files of labels; "weight=value,label=club" chooses attributes of
  /// GraphML, GML, GEXF and JSON. Columns that are not mentioned are found by their names or places.
  std::string columns = {};

  /// `header`, for edge lists.
  HeaderLine header = HeaderLine::kAuto;
};

/// Whether the setting `columns` says how to read edges, not only labels. UserError where it cannot be parsed.
GIR_API bool chooses_edge_columns(const ReadOptions& options);

/// A way to store a graph. Formats register themselves; adding one is one file.
struct GIR_API GraphFormat {
  static constexpr std::string_view kKind = "format";

  std::string name;
  std::string summary;
  std::vector<std::string> endings;  ///< of file names, such as ".mtx"; empty: recognised in another way

  /// Whether nodes and edges have attributes with names, of which `columns` weight=NAME and label=NAME choose.
  bool has_named_attributes = false;

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
