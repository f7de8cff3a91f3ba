#include "gir/graph/node_names.h"

#include <algorithm>
#include <numeric>

#include "gir/core/error.h"
#include "gir/core/text.h"

namespace gir {
NodeNames NodeNames::positions(std::int64_t size) {
  NodeNames names;
  names.size_ = size;
  return names;
}

NodeNames NodeNames::integers(Array<std::int64_t> values) {
  const std::int64_t size = values.size();
  bool counts_up = true;
  for (std::int64_t i = 0; i < size && counts_up; ++i) counts_up = values[i] == i;
  if (counts_up) return positions(size);
  NodeNames names;
  names.kind_ = Kind::kIntegers;
  names.size_ = size;
  names.integers_ = std::move(values);
  names.index_by_name();
  return names;
}

// All strings in one block of characters: millions of separate strings would take several times the memory.
NodeNames NodeNames::strings(const std::vector<std::string>& values) {
  NodeNames names;
  names.kind_ = Kind::kStrings;
  names.size_ = static_cast<std::int64_t>(values.size());
  names.text_offsets_ = Array<std::int64_t>(names.size_ + 1);
  names.text_offsets_[0] = 0;
  for (std::int64_t i = 0; i < names.size_; ++i) {
    names.text_offsets_[i + 1] =
        names.text_offsets_[i] + static_cast<std::int64_t>(values[static_cast<std::size_t>(i)].size());
  }
  names.characters_ = Array<char>(names.text_offsets_[names.size_]);
  for (std::int64_t i = 0; i < names.size_; ++i) {
    const std::string& value = values[static_cast<std::size_t>(i)];
    std::copy(value.begin(), value.end(), names.characters_.data() + names.text_offsets_[i]);
  }
  names.index_by_name();
  return names;
}

/// Sorts the nodes by name for find(). Names are often sorted already; then no index is stored.
void NodeNames::index_by_name() {
  const auto before = [this](NodeId a, NodeId b) {
    return kind_ == Kind::kIntegers ? integers_[a] < integers_[b] : text(a) < text(b);
  };
  bool ascending = true;
  for (std::int64_t i = 1; i < size_ && ascending; ++i) {
    ascending = before(static_cast<NodeId>(i - 1), static_cast<NodeId>(i));
  }
  if (ascending) return;
  by_name_ = Array<NodeId>(size_);
  std::iota(by_name_.begin(), by_name_.end(), 0);
  std::sort(by_name_.begin(), by_name_.end(), before);
  for (std::int64_t i = 1; i < size_; ++i) {
    ensure(before(by_name_[i - 1], by_name_[i]), "two nodes have the same name");
  }
}

std::string_view NodeNames::text(NodeId node) const {
  const std::int64_t begin = text_offsets_[node];
  return {characters_.data() + begin, static_cast<std::size_t>(text_offsets_[node + 1] - begin)};
}

std::string NodeNames::name(NodeId node) const {
  ensure(node >= 0 && node < size_, "no such node");
  return kind_ == Kind::kStrings ? std::string(text(node)) : std::to_string(integer(node));
}

// A binary search, by number or by text.
std::optional<NodeId> NodeNames::find(std::string_view name) const {
  std::int64_t wanted = 0;
  if (kind_ != Kind::kStrings) {
    const auto number = parse_integer(name);
    if (!number) return std::nullopt;
    wanted = *number;
  }
  if (kind_ == Kind::kPositions) {
    return wanted >= 0 && wanted < size_ ? std::optional(static_cast<NodeId>(wanted)) : std::nullopt;
  }
  const auto node_at = [this](std::int64_t i) { return by_name_.empty() ? static_cast<NodeId>(i) : by_name_[i]; };
  const auto before = [&](NodeId node) {
    return kind_ == Kind::kIntegers ? integers_[node] < wanted : text(node) < name;
  };
  std::int64_t low = 0;
  for (std::int64_t high = size_; low < high;) {
    const std::int64_t middle = (low + high) / 2;
    if (before(node_at(middle))) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == size_) return std::nullopt;
  const NodeId node = node_at(low);
  const bool found = kind_ == Kind::kIntegers ? integers_[node] == wanted : text(node) == name;
  return found ? std::optional(node) : std::nullopt;
}

NodeNames NodeNames::subset(std::span<const NodeId> nodes) const {
  if (kind_ == Kind::kStrings) {
    std::vector<std::string> kept;
    kept.reserve(nodes.size());
    for (const NodeId node : nodes) kept.push_back(name(node));
    return strings(kept);
  }
  Array<std::int64_t> kept(static_cast<std::int64_t>(nodes.size()));
  std::transform(nodes.begin(), nodes.end(), kept.begin(), [this](NodeId node) { return integer(node); });
  return integers(std::move(kept));
}

NodeNames NodeNames::clone() const {
  NodeNames copy;
  copy.kind_ = kind_;
  copy.size_ = size_;
  copy.integers_ = integers_.clone();
  copy.characters_ = characters_.clone();
  copy.text_offsets_ = text_offsets_.clone();
  copy.by_name_ = by_name_.clone();
  return copy;
}

// by_name_ follows from the others and is not part of the content.
void NodeNames::add_to(Fingerprint& fingerprint) const {
  fingerprint.add("names", size_);
  fingerprint.add("integers", integers_.span());
  fingerprint.add("characters", characters_.span());
  fingerprint.add("text_offsets", text_offsets_.span());
}

}  // namespace gir
