#include "gir/data/hidden_edges.h"

#include "gir/core/error.h"
#include "gir/core/random.h"

namespace gir {

HiddenEdges hide_in_turn(const PairSplit& links, std::int64_t parts, std::uint64_t seed, std::int64_t used) {
  std::vector<NodePair> edges = links.train_positives();
  if (parts < 2 || parts > std::ssize(edges)) {
    throw UserError("{} training edges cannot be divided into {} parts [use 2 to {} parts, or 0 to hide no edges]",
                    edges.size(), parts, edges.size());
  }
  Rng(seed, "train/hidden").shuffle(edges);
  HiddenEdges hidden;
  hidden.parts.resize(static_cast<std::size_t>(parts));
  for (std::size_t i = 0; i < edges.size(); ++i) hidden.parts[i % hidden.parts.size()].push_back(edges[i]);
  if (used > 0 && used < parts) hidden.parts.resize(static_cast<std::size_t>(used));
  for (const std::vector<NodePair>& part : hidden.parts) {
    PairSet without(part.size());
    for (const NodePair pair : part) without.insert(pair);
    hidden.graphs.push_back(filter_edges(
        links.message_graph(), [&](NodeId u, NodeId v) { return u == v || !without.contains(make_pair_of(u, v)); }));
  }
  return hidden;
}

}  // namespace gir
