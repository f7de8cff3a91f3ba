#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/export.h"
#include "gir/core/hash.h"
#include "gir/core/types.h"

namespace gir {

/// The ids of the nodes in the user's files: node i of the graph is name(i) to the user. Stored as compactly as
/// possible: nothing for 0 .. n-1, 8 bytes per node for other integers, otherwise the strings.
class GIR_API NodeNames {
 public:
  enum class Kind { kPositions, kIntegers, kStrings };

  /// 0 .. size-1.
  static NodeNames positions(std::int64_t size);

  /// Distinct integers; equal to positions() where they are 0 .. size-1.
  static NodeNames integers(Array<std::int64_t> values);

  /// Distinct strings.
  static NodeNames strings(const std::vector<std::string>& values);

  NodeNames() = default;

  Kind kind() const { return kind_; }
  std::int64_t size() const { return size_; }

  std::string name(NodeId node) const;

  /// The node of that name. O(log size).
  std::optional<NodeId> find(std::string_view name) const;

  /// The id of a node as an integer; only for positions and integers.
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
