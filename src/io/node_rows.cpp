#include "node_rows.h"

#include <algorithm>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "whole_numbers.h"

namespace gir {

std::vector<std::string> ids_of(const NodeTable& table, const NodeNames& names) {
  const std::size_t column = table.ids.value_or(0);
  std::vector<std::string> ids(static_cast<std::size_t>(table.rows.rows()));
  table.rows.for_each_row([&](std::int64_t row, std::int64_t, std::string_view line) {
    std::string unquoted;
    const auto cell = cell_at(line, table.rows.separator(), column, unquoted);
    ids[static_cast<std::size_t>(row)] = id_of_cell(names, cell.value_or(""));
  });
  return ids;
}

std::vector<NodeId> nodes_of(const NodeTable& table, const NodeNames& names) {
  const auto ids = ids_of(table, names);
  std::vector<NodeId> nodes(ids.size());
  std::vector<bool> seen(static_cast<std::size_t>(names.size()), false);
  const auto refuse = [&](std::size_t row, const std::string& why) {
    throw UserError(table.rows.path(), table.rows.line_number(static_cast<std::int64_t>(row)), "{}", why);
  };
  for (std::size_t row = 0; row < ids.size(); ++row) {
    const auto node = names.find(ids[row]);
    if (!node) {
      refuse(row, fmt::format("the graph has no node {} [use the graph's own ids, such as {}, or remove the line]",
                              quoted(ids[row]), quoted(names.name(0))));
    }
    if (seen[static_cast<std::size_t>(*node)]) {
      refuse(row, fmt::format("node {} occurs a second time [keep one line per node]", quoted(ids[row])));
    }
    seen[static_cast<std::size_t>(*node)] = true;
    nodes[row] = *node;
  }
  return nodes;
}

void check_row_count(const std::string& where, std::int64_t rows, std::string_view what, const NodeNames& names) {
  if (rows == names.size()) return;
  const bool may_lack_nodes = rows > names.size() && names.kind() != NodeNames::Kind::kStrings;
  throw UserError("{}: has {} {}, but the graph has {} nodes [{}]", where, rows, what, names.size(),
                  may_lack_nodes ? "an edge list does not contain nodes without edges; `num-nodes` adds them"
                                 : "one per node, in node order, or with the node ids in a first column named node");
}

std::string note_on_order(const std::filesystem::path& path, const NodeNames& names) {
  constexpr std::int64_t kShown = 3;
  std::vector<std::string> shown;
  for (std::int64_t i = 0; i < std::min(kShown, names.size()); ++i) {
    shown.push_back(names.name(static_cast<NodeId>(i)));
  }
  if (names.kind() == NodeNames::Kind::kStrings) {
    std::transform(shown.begin(), shown.end(), shown.begin(), [](const std::string& id) { return quoted(id); });
  }
  return fmt::format("{}: has no node ids: its rows are taken for the nodes {}{} in this order", path.string(),
                     join(shown, ", "), names.size() > kShown ? ", ..." : "");
}

}  // namespace gir
