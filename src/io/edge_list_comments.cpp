#include "edge_list_comments.h"

#include <algorithm>
#include <array>

#include "fields.h"
#include "gir/core/error.h"
#include "line_blocks.h"

namespace gir {
namespace {

std::optional<KonectHeader> parse_konect(const std::filesystem::path& path, std::string_view line,
                                         std::int64_t number) {
  constexpr auto kWeighted = std::to_array<std::string_view>(
      {"positive", "posweighted", "signed", "multisigned", "weighted", "multiweighted", "multiposweighted"});
  std::string_view rest = line.substr(1);
  const std::string_view form = take_field(rest);
  const std::string_view weights = take_field(rest);
  if (form != "sym" && form != "asym" && form != "bip") return std::nullopt;
  if (weights == "dynamic") {
    throw UserError(path, number,
                    "declares additions and removals of edges over time, which is no graph [write the edges of one "
                    "moment to a file]");
  }
  const bool weighted = std::find(kWeighted.begin(), kWeighted.end(), weights) != kWeighted.end();
  if (!weighted && weights != "unweighted" && !weights.empty()) return std::nullopt;
  return KonectHeader{.directed = form == "asym", .bipartite = form == "bip", .weighted = weighted};
}

}  // namespace

EdgeListComments read_edge_list_comments(const std::filesystem::path& path, std::string_view text) {
  EdgeListComments found;
  for (std::int64_t number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    if (trimmed(line).empty()) continue;
    if (kEdgeListComments.find(line[0]) == std::string_view::npos) break;
    // Files of SNAP have a comment "# Directed graph (each unordered pair of nodes is saved once): ...".
    found.directed |= line.starts_with("# Directed graph") || line.starts_with("# gir directed");
    found.text_ids |= line == kEdgeListTextMark;
    if (line[0] == '%' && !found.konect) found.konect = parse_konect(path, line, number);
  }
  if (found.konect) found.directed = found.konect->directed;
  return found;
}

}  // namespace gir
