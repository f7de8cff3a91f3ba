#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/hash.h"
#include "gir/core/types.h"

namespace gir {

/// The ids that nodes had in the user's files, whatever they were: node i of the graph is names[i] to the
/// user. Stored as narrowly as they allow: nothing for 0 .. n-1, 8 bytes a node for other whole numbers,
/// the text itself otherwise.
class NodeNames {
 public:
  enum class Kind { kPositions, kIntegers, kStrings };

  /// 0 .. size-1.
  static NodeNames positions(std::int64_t size);

  /// Distinct whole numbers; becomes positions where they are just that.
  static NodeNames integers(Array<std::int64_t> values);

  /// Distinct texts.
  static NodeNames strings(const std::vector<std::string>& values);

  NodeNames() = default;

  Kind kind() const { return kind_; }
  std::int64_t size() const { return size_; }

  std::string name(NodeId node) const;

  /// The node of that name. O(log size).
  std::optional<NodeId> find(std::string_view name) const;

  /// The whole number behind node; only for positions and integers.
  std::int64_t integer(NodeId node) const { return kind_ == Kind::kPositions ? node : integers_[node]; }

  /// Names of `nodes`, in that order.
  NodeNames subset(std::span<const NodeId> nodes) const;

  NodeNames clone() const;
  void add_to(Fingerprint& fingerprint) const;

 private:
  std::string_view text(NodeId node) const;
  void index_by_name();

  Kind kind_ = Kind::kPositions;
  std::int64_t size_ = 0;
  Array<std::int64_t> integers_;
  Array<char> characters_;
  Array<std::int64_t> text_offsets_;
  Array<NodeId> by_name_;  ///< nodes in ascending order of name; empty where that is 0 .. n-1
};

}  // namespace gir
