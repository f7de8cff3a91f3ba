#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edge_list_comments.h"
#include "gir/graph/graph.h"
#include "gir/io/format.h"
#include "number_style.h"

namespace gir {

/// The layout of a plain edge list: two integers per line and perhaps a weight, as nearly all large files have it.
struct PlainLayout {
  bool weighted = false;
  std::int64_t header_line = 0;  ///< line number of the header, which is skipped; 0 for none
  std::int64_t first_line = 0;   ///< line number of the first edge
  std::vector<std::string> notes = {};
};

/// The layout, as detected from the first lines; nothing for a file that is a table of another kind (text ids, quotes,
/// further columns, ...), see edge_table.h.
std::optional<PlainLayout> detect_plain_layout(const std::filesystem::path& path, std::string_view text,
                                               const EdgeListComments& comments, const ReadOptions& options);

/// Parses all lines. Nodes are numbered in the order of their ids, whatever the order of the lines. UserError with path
/// and line for the first line that does not parse.
EdgeInput parse_plain_edges(const std::filesystem::path& path, std::string_view text, const PlainLayout& layout,
                            const ReadOptions& options);

/// A note where an id with leading zeros is read as a number, else empty.
std::string note_on_zeros(const std::filesystem::path& path, std::string_view id);

/// A note where all values of the third column are times in seconds since 1970, as in SNAP's temporal networks, else
/// empty.
std::string note_on_times(const std::filesystem::path& path, const std::vector<std::string_view>& values);

/// UserError where `num-nodes` is more than fits in memory.
void check_num_nodes(const std::filesystem::path& path, std::int64_t num_nodes);

/// The weight in `field`. UserError where it is not a finite number.
float parse_weight(const std::filesystem::path& path, std::int64_t line, std::string_view field,
                   const NumberStyle& style = {});

}  // namespace gir
