#include "gir/io/format.h"

#include <algorithm>

#include "columns.h"
#include "gir/core/text.h"
#include "reads_header.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

bool has_ending(const GraphFormat& format, const fs::path& path) {
  const std::string name = canonical_name(path.filename().string());
  return std::any_of(format.endings.begin(), format.endings.end(),
                     [&](const std::string& ending) { return name.ends_with(ending); });
}

const GraphFormat* find_by_ending(const fs::path& path) {
  for (const GraphFormat& format : Registry<GraphFormat>::all()) {
    if (has_ending(format, path)) return &format;
  }
  return nullptr;
}

/// Endings of all formats that can be written, for messages.
std::vector<std::string> writable_endings() {
  std::vector<std::string> endings;
  for (const GraphFormat& format : Registry<GraphFormat>::all()) {
    if (format.write == nullptr) continue;
    endings.insert(endings.end(), format.endings.begin(), format.endings.end());
  }
  return endings;
}

const GraphFormat& format_of_folder(const fs::path& path) {
  for (const GraphFormat& format : Registry<GraphFormat>::all()) {
    if (format.recognises != nullptr && format.recognises(path)) return format;
  }
  throw UserError(path,
                  "is a directory without a graph [a folder needs edges.npy, or raw/edge.csv.gz as in OGB's data sets; "
                  "otherwise name a file]");
}

/// The format of a file or folder to read; edge lists have many endings, so that they are the default.
const GraphFormat& format_of_existing(const fs::path& path) {
  if (fs::is_directory(path)) return format_of_folder(path);
  const GraphFormat* format = find_by_ending(path);
  return format != nullptr ? *format : Registry<GraphFormat>::get("edge-list");
}

const GraphFormat& format_to_read(const fs::path& path, const ReadOptions& options) {
  return options.format.empty() ? format_of_existing(path) : Registry<GraphFormat>::get(options.format);
}

/// UserError for options that only edge lists have.
void refuse_edge_list_options(const fs::path& path, const GraphFormat& format, const ReadOptions& options) {
  const ColumnChoice columns = parse_columns(options.columns);
  const auto refuse = [&](std::string_view setting) {
    throw UserError(path, "is read as {}, but {} applies to edge lists only [omit it]", format.name, setting);
  };
  if (options.text_ids && format.name != "adjacency-list") refuse("`text-ids`");
  if (options.header != HeaderLine::kAuto) refuse("`header`");
  if (!columns.source.empty() || !columns.target.empty()) refuse("`columns` source and target");
  if (!columns.weight.empty() && !format.has_named_attributes) refuse("`columns` weight");
  if (!columns.label.empty() && !format.has_named_attributes) refuse_label_columns(path);
}

}  // namespace

bool chooses_edge_columns(const ReadOptions& options) {
  const ColumnChoice choice = parse_columns(options.columns);
  return !choice.source.empty() || !choice.target.empty() || !choice.weight.empty();
}

bool reads_header(const fs::path& path, const ReadOptions& options) {
  if (!fs::exists(path)) return false;
  return format_to_read(path, options).name == "edge-list";
}

AttributedGraph read_graph(const fs::path& path, const ReadOptions& options) {
  const GraphFormat& chosen = format_to_read(path, options);
  if (chosen.name != "edge-list") refuse_edge_list_options(path, chosen, options);
  AttributedGraph result = chosen.read(path, options);
  if (result.graph.num_nodes() == 0) throw UserError(path, "has no nodes [a graph has at least one]");
  return result;
}

const GraphFormat& format_to_write(const fs::path& path, std::string_view format) {
  const GraphFormat* chosen = format.empty() ? find_by_ending(path) : &Registry<GraphFormat>::get(format);
  if (chosen == nullptr) {
    throw UserError(path, "the ending of the name is not that of a format to write [known: {}]",
                    join(writable_endings(), " "));
  }
  if (chosen->write == nullptr) throw UserError(path, "gir reads {} files but cannot write them", chosen->name);
  return *chosen;
}

void write_graph(const fs::path& path, const AttributedGraph& graph, std::string_view format) {
  format_to_write(path, format).write(path, graph);
}

}  // namespace gir
