#pragma once

#include <filesystem>
#include <string_view>

namespace gir {

/// UserError, with what to do, for a file that is empty or not text.
void check_is_text(const std::filesystem::path& path, std::string_view text);

/// UserError, with what to do, for a file that is given as a table of labels, features or nodes, but is none: binary,
/// JSON or XML.
void check_is_table(const std::filesystem::path& path, std::string_view text);

/// The name of the registered format that a file with this content has, whatever the ending of its name: graphml, gml,
/// gexf, pajek, dimacs, json, matrix-market or adjacency-list; empty for an edge list. UserError, with what to do, for
/// files of other programs that could be taken for an edge list.
std::string_view format_of_text(const std::filesystem::path& path, std::string_view text);

}  // namespace gir
