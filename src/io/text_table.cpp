#include "text_table.h"

#include "fields.h"
#include "gir/core/error.h"

namespace gir {

TextTable::TextTable(const std::filesystem::path& path) : path_(path), file_(path), lines_(file_.text(), '#') {
  if (lines_.size() == 0) throw UserError(path, "has no rows, expected one line per node");
  const std::string_view first = lines_.line(0).text;
  for (const char separator : {'\t', ','}) {
    if (separator_ == ' ' && trimmed(first).find(separator) != std::string_view::npos) separator_ = separator;
  }
  std::optional<std::string_view> rest = first;
  while (const auto cell = take_field(rest, separator_)) first_row_.emplace_back(*cell);
}

std::vector<NodeId> TextTable::nodes_by_id(const NodeNames& names) const {
  std::vector<NodeId> nodes(static_cast<std::size_t>(rows()));
  for_each_row([&](std::int64_t row, std::int64_t line_number, std::string_view line) {
    std::optional<std::string_view> rest = line;
    const std::string_view id = take_field(rest, separator_).value_or("");
    const auto node = names.find(id);
    if (!node) {
      throw UserError(path_, line_number, "the graph has no node {} [remove the line, or keep nodes without edges]",
                      quoted(id));
    }
    nodes[static_cast<std::size_t>(row)] = *node;
  });
  std::vector<bool> seen(static_cast<std::size_t>(names.size()), false);
  for (std::size_t row = 0; row < nodes.size(); ++row) {
    const auto node = static_cast<std::size_t>(nodes[row]);
    if (seen[node]) {
      throw UserError(path_, line_number(static_cast<std::int64_t>(row)),
                      "node {} occurs a second time [keep one line per node]", quoted(names.name(nodes[row])));
    }
    seen[node] = true;
  }
  return nodes;
}

void check_row_count(const std::string& where, std::int64_t rows, std::string_view what, const NodeNames& names) {
  if (rows == names.size()) return;
  const bool may_lack_nodes = rows > names.size() && names.kind() != NodeNames::Kind::kStrings;
  throw UserError("{}: has {} {}, but the graph has {} nodes [{}]", where, rows, what, names.size(),
                  may_lack_nodes ? "an edge list does not contain nodes without edges; `num-nodes` adds them"
                                 : "one per node, in node order");
}

}  // namespace gir
