#include "matrix_market_ids.h"

#include <numeric>
#include <optional>
#include <string>
#include <unordered_set>

#include "fields.h"
#include "gir/core/error.h"
#include "gir/core/text.h"

namespace gir {
namespace {

constexpr std::string_view kPositionsMark = "%node-ids positions";
constexpr std::string_view kTextMark = "%node-ids text";
constexpr std::string_view kNodeMark = "%node ";

/// The ids as integers; nothing where formatting an integer would not give the id back ("7", but not "07").
std::optional<Array<std::int64_t>> as_numbers(const std::vector<std::string>& ids) {
  Array<std::int64_t> numbers(static_cast<std::int64_t>(ids.size()));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto number = parse_integer(ids[i]);
    if (!number || std::to_string(*number) != ids[i]) return std::nullopt;
    numbers[static_cast<std::int64_t>(i)] = *number;
  }
  return numbers;
}

/// Whether the ids are 1 .. n, which the format implies.
bool counts_from_one(const NodeNames& names) {
  if (names.kind() == NodeNames::Kind::kStrings) return false;
  for (std::int64_t i = 0; i < names.size(); ++i) {
    if (names.integer(static_cast<NodeId>(i)) != i + 1) return false;
  }
  return true;
}

}  // namespace

void MatrixMarketIds::read_comment(std::string_view line, std::int64_t line_number) {
  positions_ |= line == kPositionsMark;
  text_ |= line == kTextMark;
  if (!line.starts_with(kNodeMark)) return;
  const std::string_view rest = line.substr(kNodeMark.size());
  const auto blank = rest.find(' ');
  const auto node = parse_integer(rest.substr(0, blank));
  if (!node || blank == std::string_view::npos) return;  // an ordinary comment
  ids_.push_back({*node, rest.substr(blank + 1), line_number});
}

/// The ids in node order. UserError for ids that are repeated or out of range.
std::vector<std::string> MatrixMarketIds::by_node(const std::filesystem::path& path, std::int64_t nodes) const {
  std::vector<std::string> result(static_cast<std::size_t>(nodes));
  std::vector<bool> named(result.size(), false);
  std::unordered_set<std::string_view> seen;
  for (const Id& id : ids_) {
    if (id.node < 1 || id.node > nodes) {
      throw UserError(path, id.line, "node {} is out of range [nodes are 1 .. {}]", id.node, nodes);
    }
    const auto i = static_cast<std::size_t>(id.node - 1);
    if (named[i]) throw UserError(path, id.line, "node {} already has an id [keep one %node line per node]", id.node);
    if (!seen.insert(id.text).second) {
      throw UserError(path, id.line, "a second node has the id {} [ids must be distinct]", quoted(id.text));
    }
    named[i] = true;
    result[i] = id.text;
  }
  return result;
}

NodeNames MatrixMarketIds::names(const std::filesystem::path& path, std::int64_t nodes) const {
  if (ids_.empty()) {
    if (positions_) return NodeNames::positions(nodes);
    Array<std::int64_t> numbers(nodes);
    std::iota(numbers.begin(), numbers.end(), std::int64_t{1});
    return NodeNames::integers(std::move(numbers));
  }
  if (static_cast<std::int64_t>(ids_.size()) < nodes) {
    throw UserError(path, ids_.back().line, "%node lines name {} nodes, the matrix has {} [name all nodes or none]",
                    ids_.size(), nodes);
  }
  const auto ids = by_node(path, nodes);
  auto numbers = text_ ? std::nullopt : as_numbers(ids);
  return numbers ? NodeNames::integers(std::move(*numbers)) : NodeNames::strings(ids);
}

void write_matrix_market_ids(const std::filesystem::path& path, const NodeNames& names, TextFileWriter& out) {
  if (counts_from_one(names)) return;
  if (names.kind() == NodeNames::Kind::kPositions) {
    out.line("{}", kPositionsMark);
    return;
  }
  if (names.kind() == NodeNames::Kind::kStrings) out.line("{}", kTextMark);
  for (std::int64_t i = 0; i < names.size(); ++i) {
    const std::string id = names.name(static_cast<NodeId>(i));
    if (id.find_first_of("\r\n") != std::string::npos) {
      throw UserError(path, "node id {} contains a line break, which a comment cannot hold [write .npz instead]",
                      quoted(id));
    }
    out.line("{}{} {}", kNodeMark, i + 1, id);
  }
}

}  // namespace gir
