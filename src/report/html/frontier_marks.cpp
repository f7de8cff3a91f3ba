#include "frontier_marks.h"

#include <algorithm>

#include "gir/graph/traversal.h"
#include "gir/runs/expert_specs.h"

namespace gir::html {
namespace {

constexpr std::uint8_t kNeverReached = 0xff;

/// A model, or an expert of a fused model, whose messages start from its anchors.
struct Frontier {
  std::vector<NodeId> anchors;
  std::int32_t layers;
};

std::vector<Frontier> frontiers(const MapInput& input) {
  if (input.experiment == nullptr) return {};
  std::vector<RunConfig> models;
  for (const ExpertSpec& spec : input.config.fusion.experts) models.push_back(expert_config(input.config, spec));
  if (models.empty()) models.push_back(input.config);
  const AnchorLists anchors = input.experiment->anchor_lists();
  std::vector<Frontier> found;
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (!Registry<ModelEntry>::get(models[i].model).frontier || anchors[i].empty()) continue;
    const auto layers = static_cast<std::int32_t>(std::min<std::int64_t>(models[i].shape.layers, kNeverReached - 1));
    found.push_back({anchors[i], layers});
  }
  return found;
}

/// Adds what one model reaches.
void mark(const Graph& messages, const Frontier& frontier, const DrawnGraph& drawn, FrontierMarks& marks) {
  const Array<std::int32_t> hops = hop_distances(messages, frontier.anchors);
  marks.layers = std::max(marks.layers, frontier.layers);
  const auto arrival_at = [&](NodeId node) {
    return hops[node] == kUnreachable || hops[node] > frontier.layers ? std::int32_t{kNeverReached} : hops[node];
  };
  for (std::size_t i = 0; i < drawn.nodes.size(); ++i) {
    marks.arrival[i] = std::min(marks.arrival[i], static_cast<std::uint8_t>(arrival_at(drawn.nodes[i])));
  }
  const auto mark_edge = [&](NodeId from, NodeId to, std::uint8_t& layer) {
    const std::int32_t arrival = arrival_at(to);
    if (arrival == kNeverReached || arrival_at(from) + 1 != arrival || !messages.has_arc(from, to)) return;
    layer = std::min(layer, static_cast<std::uint8_t>(arrival));
  };
  for (std::size_t i = 0; i < drawn.sources.size(); ++i) {
    const NodeId source = drawn.nodes[drawn.sources[i]];
    const NodeId target = drawn.nodes[drawn.targets[i]];
    mark_edge(source, target, marks.carries[i]);
    mark_edge(target, source, marks.carries[i]);
  }
}

}  // namespace

std::optional<FrontierMarks> frontier_marks(const MapInput& input, const DrawnGraph& drawn) {
  const std::vector<Frontier> all = frontiers(input);
  if (all.empty()) return std::nullopt;
  FrontierMarks marks{.arrival = std::vector<std::uint8_t>(drawn.nodes.size(), kNeverReached),
                      .carries = std::vector<std::uint8_t>(drawn.sources.size(), kNeverReached)};
  for (const Frontier& frontier : all) mark(input.experiment->message_graph(), frontier, drawn, marks);
  return marks;
}

}  // namespace gir::html
