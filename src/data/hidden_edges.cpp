#include "gir/data/hidden_edges.h"

#include "gir/core/error.h"
#include "gir/core/random.h"

namespace gir {

HiddenEdges hide_in_turn(const PairSplit& links, const HiddenEdgesOptions& options) {
  std::vector<NodePair> edges = links.train_positives();
  if (options.parts < 2 || options.parts > std::ssize(edges)) {
    throw UserError("{} training edges cannot be divided into {} parts [use 2 to {} parts, or 0 to hide no edges]",
                    edges.size(), options.parts, edges.size());
  }
  const auto parts = static_cast<std::size_t>(options.parts);
  const auto rounds = static_cast<std::size_t>(options.rounds);
  HiddenEdges hidden;
  hidden.parts.resize(parts * rounds);
  for (std::size_t round = 0; round < rounds; ++round) {
    Rng(options.seed, "train/hidden", round).shuffle(edges);
    for (std::size_t i = 0; i < edges.size(); ++i) hidden.parts[round * parts + i % parts].push_back(edges[i]);
  }
  const auto used = static_cast<std::size_t>(options.used);
  if (used > 0 && used < hidden.parts.size()) hidden.parts.resize(used);
  for (const std::vector<NodePair>& part : hidden.parts) {
    PairSet without(part.size());
    for (const NodePair pair : part) without.insert(pair);
    hidden.graphs.push_back(filter_edges(
        links.message_graph(), [&](NodeId u, NodeId v) { return u == v || !without.contains(make_pair_of(u, v)); }));
  }
  return hidden;
}

}  // namespace gir
