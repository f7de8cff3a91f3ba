#pragma once

#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "gir/anchors/nearest_members.h"
#include "gir/models/model.h"
#include "graph/random_graphs.h"

namespace gir::testing {

inline const Features kNoFeatures;

inline std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelEntry& entry : Registry<ModelEntry>::all()) {
    if (!entry.fuses) names.push_back(entry.name);
  }
  return names;
}

/// The parameters of a model by name, in double precision.
inline std::map<std::string, torch::Tensor> parameters_of(const Model& model) {
  std::map<std::string, torch::Tensor> result;
  for (const NamedTensor& each : model.parameters().all()) result[each.name] = each.tensor.detach().to(torch::kDouble);
  return result;
}

/// Adjacency matrix: 1 at [v][u] for an edge u -> v.
inline torch::Tensor adjacency(const Graph& graph) {
  torch::Tensor matrix = torch::zeros({graph.num_nodes(), graph.num_nodes()}, torch::kDouble);
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    for (const NodeId u : graph.in_neighbors(v)) matrix[v][u] = 1;
  }
  return matrix;
}

inline torch::Tensor row_means(const torch::Tensor& matrix) {
  return matrix / matrix.sum(1, /*keepdim=*/true).clamp_min(1);
}

/// [1 ‖ one-hot of the labelled nodes]
inline torch::Tensor written_out_input(std::int64_t nodes, std::span<const NodeId> labelled) {
  torch::Tensor input = torch::zeros({nodes, 1 + std::ssize(labelled)}, torch::kDouble);
  input.select(1, 0).fill_(1);
  for (std::size_t i = 0; i < labelled.size(); ++i) input[labelled[i]][static_cast<std::int64_t>(i) + 1] = 1;
  return input;
}

/// GIR computed directly from its definition with dense matrices; `sets` > 1 for gir-mix. Used options: layers,
/// residual, jump.
inline torch::Tensor gir_by_definition(const Graph& graph, std::span<const NodeId> anchors, std::int64_t sets,
                                       const ModelOptions& options, torch::Tensor h,
                                       std::map<std::string, torch::Tensor> p) {
  const std::int64_t nodes = graph.num_nodes();
  const std::size_t size = anchors.size() / static_cast<std::size_t>(sets);
  std::vector<torch::Tensor> sends;
  for (std::int64_t set = 0; set < sets; ++set) {
    sends.push_back(torch::zeros({nodes}, torch::kDouble));
    for (const NodeId anchor : anchors.subspan(static_cast<std::size_t>(set) * size, size)) sends.back()[anchor] = 1;
  }
  const torch::Tensor edges = adjacency(graph);
  std::vector<torch::Tensor> all;
  for (std::int64_t layer = 0; layer < options.layers; ++layer) {
    std::vector<torch::Tensor> parts;
    for (std::int64_t set = 0; set < sets; ++set) {
      const std::string name = sets == 1 ? fmt::format("layer{}", layer) : fmt::format("layer{}.set{}", layer, set);
      torch::Tensor& frontier = sends[static_cast<std::size_t>(set)];
      const torch::Tensor messages = row_means(edges * frontier).mm(h);
      parts.push_back(h.mm(p[name + ".self"]) + messages.mm(p[name + ".messages"]) + p[name + ".bias"]);
      frontier = (edges.mv(frontier) > 0).to(torch::kDouble);
    }
    const torch::Tensor sums = torch::cat(parts, 1);
    h = options.residual && layer > 0 ? sums + h : sums;
    if (layer + 1 < options.layers || options.jump) h = torch::relu(h);
    all.push_back(h);
  }
  return options.jump ? torch::cat(all, 1).mm(p["head.weight"]) + p["head.bias"] : h;
}

/// GCN computed directly from its definition. Used options: layers, residual, residual_maps, jump.
inline torch::Tensor gcn_by_definition(const Graph& graph, const ModelOptions& options, torch::Tensor h,
                                       std::map<std::string, torch::Tensor> p) {
  const torch::Tensor mean = row_means(adjacency(graph) + torch::eye(graph.num_nodes(), torch::kDouble));
  std::vector<torch::Tensor> all;
  for (std::int64_t layer = 0; layer < options.layers; ++layer) {
    const std::string name = fmt::format("layer{}", layer);
    torch::Tensor sums = mean.mm(h).mm(p[name + ".messages"]) + p[name + ".bias"];
    const bool same_width = layer > 0 && sums.size(1) == h.size(1);
    if (options.residual && same_width) sums = sums + h;
    if (options.residual && options.residual_maps && !same_width) sums = sums + h.mm(p[name + ".self"]);
    h = layer + 1 < options.layers || options.jump ? torch::relu(sums) : sums;
    all.push_back(h);
  }
  return options.jump ? torch::cat(all, 1).mm(p["head.weight"]) + p["head.bias"] : h;
}

/// P-GNN computed directly from its definition (You et al., 2019), per node and anchor set.
inline torch::Tensor pgnn_by_definition(const Graph& graph, const NodeSets& sets, Hops max_hops, std::int64_t layers,
                                        std::map<std::string, torch::Tensor> p) {
  std::vector<NodeId> everyone(static_cast<std::size_t>(graph.num_nodes()));
  std::iota(everyone.begin(), everyone.end(), 0);
  const DistanceTable distances = source_distances(graph, everyone, {.max_hops = max_hops});
  const torch::Tensor ones = torch::ones({graph.num_nodes(), 1}, torch::kDouble);
  torch::Tensor h = ones.mm(p["input.weight"]) + p["input.bias"];
  torch::Tensor positions = torch::empty({graph.num_nodes(), sets.size()}, torch::kDouble);
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    const std::string name = fmt::format("layer{}", layer);
    torch::Tensor next = torch::zeros_like(h);
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      for (std::int64_t i = 0; i < sets.size(); ++i) {
        NodeId nearest = sets[i].front();
        double closeness = 0;
        for (const NodeId u : sets[i]) {
          const Hops d = distances.at(v, u);
          const double s = d == kNotReached ? 0 : 1 / (static_cast<double>(d) + 1);
          if (s > closeness) {
            closeness = s;
            nearest = u;
          }
        }
        const torch::Tensor s = torch::full({1, 1}, static_cast<double>(static_cast<float>(closeness)), torch::kDouble);
        const torch::Tensor scale = torch::relu(s.mm(p[name + ".closeness.weight"]) + p[name + ".closeness.bias"])
                                        .mm(p[name + ".scale.weight"]) +
                                    p[name + ".scale.bias"];
        const torch::Tensor both = torch::cat({scale.flatten() * h[nearest], h[v]}, 0).unsqueeze(0);
        const torch::Tensor weight = torch::cat({p[name + ".sender"], p[name + ".own"]}, 0);
        const torch::Tensor message = torch::relu(both.mm(weight) + p[name + ".bias"]).flatten();
        next[v] += message / static_cast<double>(sets.size());
        positions[v][i] = message.dot(p["position.weight"].flatten()) + p["position.bias"][0];
      }
    }
    h = next;
  }
  return positions;
}

/// A small graph, its anchors, and options that are valid for every model.
struct Case {
  explicit Case(std::uint64_t seed) : graph(build(random_lines(seed))) {
    options.hidden = 8;
    options.anchor_sets = 2;
    std::vector<NodeId> nodes(static_cast<std::size_t>(graph.num_nodes()));
    std::iota(nodes.begin(), nodes.end(), 0);
    Rng(seed, "test/anchors").shuffle(nodes);
    anchors.assign(nodes.begin(), nodes.begin() + std::min<std::ptrdiff_t>(4, std::ssize(nodes)));
  }

  ModelInputs context(std::int64_t classes = 0) const {
    return {.graph = graph, .features = kNoFeatures, .anchors = anchors, .classes = classes, .seed = 3};
  }

  Graph graph;
  std::vector<NodeId> anchors;
  ModelOptions options;
};

/// Random graphs with at least four nodes.
inline std::vector<Case> cases(std::uint64_t count) {
  std::vector<Case> result;
  for (std::uint64_t seed = 0; result.size() < count; ++seed) {
    Case candidate(seed);
    if (candidate.graph.num_nodes() >= 4) result.push_back(std::move(candidate));
  }
  return result;
}

}  // namespace gir::testing
