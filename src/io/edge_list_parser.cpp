#include "edge_list_parser.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "fields.h"
#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/parallel.h"
#include "gir/core/text.h"
#include "gir/io/tables.h"
#include "line_blocks.h"
#include "number_nodes.h"

namespace gir {
namespace {

/// File and line number, for messages.
struct Place {
  const std::filesystem::path& path;
  std::int64_t line;
};

[[noreturn]] void refuse_line(const Place& place, std::string_view line, const PlainLayout& layout) {
  throw UserError(place.path, place.line, "expected 'source target{}', got {} [{}; `text-ids` reads ids as text]",
                  layout.weighted ? " weight" : " [weight]", quoted(line),
                  place.line == layout.first_line ? "`header` yes skips it if it names the columns"
                                                  : "the ids before are whole numbers");
}

[[noreturn]] void refuse_columns(const Place& place, std::string_view line, const PlainLayout& layout) {
  throw UserError(place.path, place.line, "expected '{}' as on the first line, got {}",
                  layout.weighted ? "source target weight" : "source target", quoted(line));
}

[[noreturn]] void refuse_id(const Place& place, std::string_view id, std::string_view why) {
  throw UserError(place.path, place.line, "node id {} {}", quoted(id), why);
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == ','; }

bool is_comment(std::string_view line) { return !line.empty() && (line[0] == '#' || line[0] == '%'); }

/// Reads unsigned integers from the beginning of a line.
class IntegerCursor {
 public:
  explicit IntegerCursor(std::string_view line) : next_(line.data()), end_(line.data() + line.size()) {}

  void skip_blanks() {
    while (next_ != end_ && (*next_ == ' ' || *next_ == '\t')) ++next_;
  }

  /// Skips blanks with at most one comma among them: after two commas in a row, a value is missing.
  void skip_separator() {
    skip_blanks();
    if (next_ == end_ || *next_ != ',') return;
    ++next_;
    skip_blanks();
  }

  /// The integer at the current position, if it is below `limit` and a complete field; else nothing is consumed.
  std::optional<std::uint64_t> integer(std::uint64_t limit) {
    const char* here = next_;
    std::uint64_t value = 0;
    const char* safe_end = end_ - here > kSafeDigits ? here + kSafeDigits : end_;
    while (here != safe_end && static_cast<unsigned char>(*here - '0') <= 9) {
      value = value * 10 + static_cast<std::uint64_t>(*here++ - '0');
    }
    if (here == next_ || value >= limit) return std::nullopt;
    if (here != end_ && !is_blank(*here) && *here != '\n' && *here != '\r') return std::nullopt;
    next_ = here;
    return value;
  }

  /// Whether a line break comes next; if so, skips it.
  bool line_break() {
    if (next_ != end_ && *next_ == '\r') ++next_;
    if (next_ == end_ || *next_ != '\n') return false;
    ++next_;
    return true;
  }

  std::string_view rest() const { return {next_, static_cast<std::size_t>(end_ - next_)}; }
  bool at_end() const { return next_ == end_; }

 private:
  static constexpr int kSafeDigits = 19;  ///< that many digits always fit into 64 bits

  const char* next_;
  const char* end_;
};

/// Throws the error for an id that IntegerCursor did not accept.
[[noreturn]] void refuse_integer(const Place& place, std::string_view line, std::string_view rest, std::uint64_t limit,
                                 const PlainLayout& layout) {
  const std::string_view field = rest.substr(0, rest.find_first_of(" \t,"));
  if (!field.empty() && is_missing(field)) refuse_id(place, field, "stands for a missing value [remove the line]");
  const std::string_view digits = field.substr(field.starts_with('-') ? 1 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
    refuse_line(place, line, layout);
  }
  if (field[0] == '-') refuse_id(place, field, "is negative [ids are whole numbers from 0, or text with `text-ids`]");
  if (limit <= static_cast<std::uint64_t>(kMaxNodes)) {
    refuse_id(place, field, fmt::format("is too large for {} nodes [ids are 0 .. {}]", limit, limit - 1));
  }
  refuse_id(place, field, "is too large [`text-ids` reads ids of any length]");
}

/// Edges with the ids of the file, before nodes are numbered.
template <typename Id>
struct ParsedEdges {
  using Pair = std::conditional_t<std::is_same_v<Id, NodeId>, Arc, IdPair<Id>>;

  Array<Pair> pairs;
  Array<float> weights;
  std::vector<Id> isolated;
};

/// The fast path: takes a line of exactly two integers from the front of `rest`, as nearly all lines of large files
/// are. For other lines it returns false and consumes nothing: the general parser handles comments, weights and errors.
bool take_plain_line(std::string_view& rest, Arc& pair) {
  constexpr auto kLimit = static_cast<std::uint64_t>(kMaxNodes);
  IntegerCursor cursor(rest);
  const auto source = cursor.integer(kLimit);
  cursor.skip_separator();
  const auto target = cursor.integer(kLimit);
  if (!source || !target || !cursor.line_break()) return false;
  pair = {static_cast<NodeId>(*source), static_cast<NodeId>(*target)};
  rest = cursor.rest();
  return true;
}

/// Parses all lines in parallel. `parse_edge(place, line, weight)` returns the pair of ids of an edge line;
/// `parse_node(place, id)` the id of a line "# gir node ID". `plain`: try take_plain_line() first.
template <typename Id, typename ParseEdge, typename ParseNode>
ParsedEdges<Id> parse_lines(const std::filesystem::path& path, std::string_view text, const PlainLayout& layout,
                            bool plain, const ParseEdge& parse_edge, const ParseNode& parse_node) {
  const auto blocks = cut_into_line_blocks(text);
  const std::int64_t lines = blocks.back().first_line + blocks.back().lines;
  ParsedEdges<Id> edges;
  edges.pairs = Array<typename ParsedEdges<Id>::Pair>(lines);
  if (layout.weighted) edges.weights = Array<float>(lines);
  std::vector<std::int64_t> filled(blocks.size());
  std::vector<std::vector<Id>> isolated(blocks.size());
  parallel_blocks(static_cast<std::int64_t>(blocks.size()), [&](std::int64_t b) {
    const LineBlock& block = blocks[static_cast<std::size_t>(b)];
    std::string_view rest = block.text;
    std::int64_t next = block.first_line;
    for (Place place{path, block.first_line + 1}; !rest.empty(); ++place.line) {
      if constexpr (std::is_same_v<Id, NodeId>) {
        if (plain && place.line != layout.header_line && take_plain_line(rest, edges.pairs[next])) {
          ++next;
          continue;
        }
      }
      const std::string_view line = take_line(rest);
      if (line.starts_with(kEdgeListNodeMark)) {
        isolated[static_cast<std::size_t>(b)].push_back(parse_node(place, line.substr(kEdgeListNodeMark.size())));
      } else if (!is_comment(line) && place.line != layout.header_line && !trimmed(line).empty()) {
        edges.pairs[next] = parse_edge(place, line, layout.weighted ? &edges.weights[next] : nullptr);
        ++next;
      }
    }
    filled[static_cast<std::size_t>(b)] = next - block.first_line;
  });
  // Every block wrote from the position of its first line on; comments and blank lines left gaps at its end.
  std::vector<std::int64_t> starts;
  for (const LineBlock& block : blocks) starts.push_back(block.first_line);
  edges.pairs.close_gaps(starts, filled);
  if (layout.weighted) edges.weights.close_gaps(starts, filled);
  for (const auto& some : isolated) edges.isolated.insert(edges.isolated.end(), some.begin(), some.end());
  return edges;
}

/// Thrown by the parser of 32-bit ids when an id needs more bits.
struct NeedsWideIds {};

/// Parses edges between integers below `limit`. With 32-bit ids, throws NeedsWideIds for a valid id that does not fit.
template <typename Id>
ParsedEdges<Id> parse_integer_edges(const std::filesystem::path& path, std::string_view text, const PlainLayout& layout,
                                    std::uint64_t limit) {
  constexpr std::uint64_t kWidest = static_cast<std::uint64_t>(std::numeric_limits<Id>::max()) + 1;
  const auto take_id = [&](const Place& place, std::string_view line, IntegerCursor& cursor) {
    const auto value = cursor.integer(std::min(limit, kWidest));
    if (!value && limit > kWidest && cursor.integer(limit)) throw NeedsWideIds();
    if (!value) refuse_integer(place, line, cursor.rest(), limit, layout);
    return static_cast<Id>(*value);
  };
  const auto parse_edge = [&](const Place& place, std::string_view line, float* weight) {
    IntegerCursor cursor(line);
    cursor.skip_blanks();
    typename ParsedEdges<Id>::Pair pair;
    pair.source = take_id(place, line, cursor);
    cursor.skip_separator();
    pair.target = take_id(place, line, cursor);
    cursor.skip_separator();
    if (weight != nullptr) {
      *weight = parse_weight(place.path, place.line, trimmed(cursor.rest()));
    } else if (!cursor.at_end() && trimmed(cursor.rest()) != "{}") {
      refuse_columns(place, line, layout);
    }
    return pair;
  };
  const auto parse_node = [&](const Place& place, std::string_view id) {
    IntegerCursor cursor(id);
    return take_id(place, id, cursor);
  };
  // take_plain_line() does not check a limit that is given by the number of nodes.
  const bool plain = !layout.weighted && limit > kWidest;
  return parse_lines<Id>(path, text, layout, plain, parse_edge, parse_node);
}

/// Numbers the nodes of parsed edges.
template <typename Id>
EdgeInput to_input(ParsedEdges<Id> parsed) {
  NumberedArcs numbered = number_nodes(std::move(parsed.pairs), parsed.isolated);
  return {.arcs = std::move(numbered.arcs), .weights = std::move(parsed.weights), .names = std::move(numbered.names)};
}

/// Parses edges whose ids are node numbers below `num_nodes`.
EdgeInput parse_positions(const std::filesystem::path& path, std::string_view text, const PlainLayout& layout,
                          std::int64_t num_nodes) {
  check_num_nodes(path, num_nodes);
  auto parsed = parse_integer_edges<NodeId>(path, text, layout, static_cast<std::uint64_t>(num_nodes));
  return {
      .arcs = std::move(parsed.pairs), .weights = std::move(parsed.weights), .names = NodeNames::positions(num_nodes)};
}

}  // namespace

float parse_weight(const std::filesystem::path& path, std::int64_t line, std::string_view field,
                   const NumberStyle& style) {
  const std::optional<float> weight = parse_number(field, style);
  if (field.empty()) {
    throw UserError(path, line, "has no weight [fill it in, or read the edges without: `columns` source=1,target=2]");
  }
  if (!weight)
    throw UserError(path, line, "weight {} is not a number [correct it, or `columns` says which are read]",
                    quoted(field));
  if (!std::isfinite(*weight)) {
    throw UserError(path, line, "weight {} is not a finite number [remove the line or correct the weight]",
                    quoted(field));
  }
  return *weight;
}

void check_num_nodes(const std::filesystem::path& path, std::int64_t num_nodes) {
  constexpr std::int64_t kBytesPerNode = 2 * sizeof(EdgeId);
  if (num_nodes > memory_limit() / kBytesPerNode) {
    throw UserError(path, "{} nodes do not fit in the memory of this machine [use a smaller `num-nodes`]",
                    with_thousands(num_nodes));
  }
}

EdgeInput parse_plain_edges(const std::filesystem::path& path, std::string_view text, const PlainLayout& layout,
                            const ReadOptions& options) {
  constexpr std::uint64_t kAnyInteger = std::uint64_t{1} << 63;
  if (options.num_nodes) return parse_positions(path, text, layout, *options.num_nodes);
  // Most files have ids of up to 31 bits, which take half the memory; a larger id starts the parser again.
  try {
    return to_input(parse_integer_edges<NodeId>(path, text, layout, kAnyInteger));
  } catch (const NeedsWideIds&) {
    return to_input(parse_integer_edges<std::int64_t>(path, text, layout, kAnyInteger));
  }
}

}  // namespace gir
