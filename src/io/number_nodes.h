#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "gir/core/array.h"
#include "gir/core/types.h"
#include "gir/graph/node_names.h"

namespace gir {

/// The two ids of an edge in a file.
template <typename Id>
struct IdPair {
  Id source;
  Id target;
};

struct NumberedArcs {
  Array<Arc> arcs;
  NodeNames names;
};

/// Numbers the nodes whose ids occur in `pairs` or `isolated`, in ascending order of the ids (numeric, or bytewise for
/// strings). UserError when there are more than kMaxNodes.
NumberedArcs number_nodes(Array<Arc> pairs, std::span<const NodeId> isolated);
NumberedArcs number_nodes(const Array<IdPair<std::int64_t>>& pairs, std::span<const std::int64_t> isolated);
NumberedArcs number_nodes(const Array<IdPair<std::string_view>>& pairs, std::span<const std::string_view> isolated);

}  // namespace gir
