// The graph of a run as the page draws it.

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/index_select.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gir/core/random.h"
#include "gir/core/text.h"
#include "gir/graph/layout.h"
#include "gir/graph/traversal.h"
#include "gir/train/expert_specs.h"
#include "packed.h"
#include "payload.h"

namespace gir::html {
namespace {

constexpr std::uint16_t kNoCategory = 0xffff;
constexpr std::uint8_t kNeverReached = 0xff;

/// Nodes that are drawn, ascending: all, or a sample that has all anchors.
std::vector<NodeId> choose_nodes(const Graph& graph, std::span<const NodeId> anchors, std::int64_t most) {
  std::vector<NodeId> nodes;
  const double share = static_cast<double>(most) / static_cast<double>(std::max<std::int64_t>(graph.num_nodes(), 1));
  const RandomStream stream(0, "report/nodes");
  std::vector<char> is_anchor(static_cast<std::size_t>(graph.num_nodes()), 0);
  for (const NodeId anchor : anchors) is_anchor[static_cast<std::size_t>(anchor)] = 1;
  for (NodeId node = 0; node < graph.num_nodes(); ++node) {
    if (share >= 1 || is_anchor[static_cast<std::size_t>(node)] != 0 ||
        stream.uniform(static_cast<std::uint64_t>(node)) < share) {
      nodes.push_back(node);
    }
  }
  return nodes;
}

/// Into whole numbers of 16 bits, both directions on the same scale.
ordered_json layout_json(const char* key, const char* name, std::span<const float> x, std::span<const float> y) {
  const auto [least_x, most_x] = std::minmax_element(x.begin(), x.end());
  const auto [least_y, most_y] = std::minmax_element(y.begin(), y.end());
  const float width = std::max({*most_x - *least_x, *most_y - *least_y, 1e-20f});
  const auto scaled = [&](std::span<const float> values, float least, float most) {
    const float begin = (least + most - width) / 2;
    std::vector<std::uint16_t> result;
    for (const float value : values) {
      result.push_back(
          static_cast<std::uint16_t>(std::lround(std::clamp((value - begin) / width, 0.0f, 1.0f) * 65535)));
    }
    return result;
  };
  return {{"key", key},
          {"name", name},
          {"x", packed(scaled(x, *least_x, *most_x))},
          {"y", packed(scaled(y, *least_y, *most_y))}};
}

/// Builds the map of the chosen nodes, part by part.
class NodeMap {
 public:
  NodeMap(const MapInput& input, const HtmlReportOptions& options, Notes& notes)
      : input_(input),
        graph_(input.data.data.graph),
        notes_(notes),
        anchors_(input.experiment != nullptr ? std::span<const NodeId>(input.experiment->anchors().anchors)
                                             : std::span<const NodeId>()),
        nodes_(choose_nodes(graph_, anchors_, options.most_nodes)),
        shown_(nodes_.size() == static_cast<std::size_t>(graph_.num_nodes()) ? std::optional<Graph>()
                                                                             : induced_subgraph(graph_, nodes_)) {
    if (shown_) {
      notes.push_back(fmt::format("the graph has {} nodes; a sample of {} is drawn", with_thousands(graph_.num_nodes()),
                                  with_thousands(std::ssize(nodes_))));
    }
    add_nodes();
    add_layouts();
    add_edges(options.most_edges);
    add_columns();
    add_frontier();
  }

  ordered_json take() { return std::move(map_); }

 private:
  const Graph& drawn() const { return shown_ ? *shown_ : graph_; }

  void add_nodes() {
    map_ = {{"nodes", nodes_.size()}, {"total_nodes", graph_.num_nodes()}};
    std::vector<std::string> ids;
    for (const NodeId node : nodes_) ids.push_back(graph_.names().name(node));
    map_["ids"] = std::move(ids);
  }

  void add_layouts() {
    const NodePositions positions = lay_out(drawn());
    map_["layouts"] = {layout_json("layout", "graph, by forces", positions.x, positions.y)};
    if (input_.output == nullptr) return;
    const at::Tensor& vectors = input_.output->embeddings;
    const at::Tensor rows =
        shown_ ? at::index_select(vectors, 0, at::from_blob(nodes_.data(), {std::ssize(nodes_)}, at::kInt)) : vectors;
    const at::Tensor components = principal_components(rows);
    if (!components.defined()) {
      notes_.push_back("the nodes' vectors have no two principal components: they are not all numbers, or too short");
      return;
    }
    const at::Tensor columns = components.t().contiguous();
    const std::span<const float> values(columns.data_ptr<float>(), static_cast<std::size_t>(columns.numel()));
    map_["layouts"].push_back(layout_json("components", "vectors, two components", values.first(values.size() / 2),
                                          values.subspan(values.size() / 2)));
  }

  void add_edges(std::int64_t most) {
    const Array<Arc> all = undirected_edges(drawn());
    const double share = static_cast<double>(most) / static_cast<double>(std::max<std::int64_t>(all.size(), 1));
    const RandomStream stream(0, "report/edges");
    std::vector<std::uint32_t> sources, targets;
    for (std::int64_t i = 0; i < all.size(); ++i) {
      if (share < 1 && stream.uniform(static_cast<std::uint64_t>(i)) >= share) continue;
      sources.push_back(static_cast<std::uint32_t>(all[i].source));
      targets.push_back(static_cast<std::uint32_t>(all[i].target));
    }
    if (share < 1) {
      notes_.push_back(
          fmt::format("of {} edges {} are drawn", with_thousands(all.size()), with_thousands(std::ssize(sources))));
    }
    map_["edges"] = {
        {"source", packed(sources)}, {"target", packed(targets)}, {"total", count_undirected_edges(graph_)}};
  }

  /// A column of categories, `of(node)` each; negative for none.
  template <typename Of>
  void add_categories(const std::string& key, const std::string& name, const std::vector<std::string>& categories,
                      const Of& of) {
    std::vector<std::uint16_t> values;
    for (const NodeId node : nodes_) {
      const std::int64_t category = of(node);
      values.push_back(category < 0 ? kNoCategory : static_cast<std::uint16_t>(category));
    }
    map_["columns"].push_back(
        {{"key", key}, {"name", name}, {"kind", "category"}, {"categories", categories}, {"values", packed(values)}});
  }

  template <typename Of>
  void add_numbers(const std::string& key, const std::string& name, const Of& of) {
    std::vector<float> values;
    for (const NodeId node : nodes_) values.push_back(of(node));
    map_["columns"].push_back({{"key", key}, {"name", name}, {"kind", "number"}, {"values", packed(values)}});
  }

  void add_columns() {
    map_["columns"] = ordered_json::array();
    const Labels& labels = input_.data.data.labels;
    if (!labels.empty()) {
      add_categories("label", "label", labels.names, [&](NodeId node) { return labels.classes[node]; });
    }
    if (input_.output != nullptr && input_.experiment->task() == Task::kNodeClassification) add_answers();
    if (!anchors_.empty()) add_distances();
    if (input_.output != nullptr && input_.output->gate.defined()) add_gate();
    add_numbers("degree", "degree", [&](NodeId node) { return static_cast<float>(total_degree(graph_, node)); });
  }

  std::vector<std::int32_t> answers(const at::Tensor& outputs) const {
    std::vector<NodeId> all(static_cast<std::size_t>(graph_.num_nodes()));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<NodeId>(i);
    return predicted_classes(outputs, all);
  }

  void add_answers() {
    const Labels& labels = input_.data.data.labels;
    const std::vector<std::int32_t> predicted = answers(input_.output->outputs);
    const auto prediction = [&](NodeId node) { return predicted[static_cast<std::size_t>(node)]; };
    add_categories("prediction", "prediction", labels.names, prediction);
    add_categories("error", "right or wrong", {"right", "wrong"}, [&](NodeId node) -> std::int64_t {
      if (labels.classes[node] == Labels::kNone) return -1;
      return prediction(node) == labels.classes[node] ? 0 : 1;
    });
    const NodeSplit& split = input_.experiment->node_split();
    std::vector<std::int64_t> parts(static_cast<std::size_t>(graph_.num_nodes()), -1);
    std::int64_t number = 0;
    for (const auto* part : {&split.train, &split.valid, &split.test}) {
      for (const NodeId node : *part) parts[static_cast<std::size_t>(node)] = number;
      ++number;
    }
    add_categories("part", "part of the split", {"training", "validation", "test"},
                   [&](NodeId node) { return parts[static_cast<std::size_t>(node)]; });
    if (!input_.output->experts.empty()) add_experts();
  }

  /// Which experts of a fused model are right.
  void add_experts() {
    const Labels& labels = input_.data.data.labels;
    const std::vector<ExpertSpec> experts = parse_experts(input_.config.fusion.experts);
    std::vector<std::vector<std::int32_t>> predicted;
    for (const at::Tensor& outputs : input_.output->experts) predicted.push_back(answers(outputs));
    std::vector<std::string> sets;
    for (std::size_t set = 0; set < std::size_t{1} << predicted.size(); ++set) {
      std::vector<std::string> names;
      for (std::size_t e = 0; e < predicted.size(); ++e) {
        if ((set >> e & 1) != 0) names.push_back(experts[e].text());
      }
      sets.push_back(names.empty() ? "none is right"
                                   : join(names, " and ") + (names.size() > 1 ? " are right" : " is right"));
    }
    add_categories("experts", "experts that are right", sets, [&](NodeId node) -> std::int64_t {
      if (labels.classes[node] == Labels::kNone) return -1;
      std::int64_t set = 0;
      for (std::size_t e = 0; e < predicted.size(); ++e) {
        set |= std::int64_t{predicted[e][static_cast<std::size_t>(node)] == labels.classes[node]} << e;
      }
      return set;
    });
  }

  void add_distances() {
    distances_ = hop_distances(input_.experiment->message_graph(), anchors_);
    add_numbers("distance", "hops from the nearest anchor", [&](NodeId node) {
      const std::int32_t hops = distances_[node];
      return hops == kUnreachable ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(hops);
    });
  }

  void add_gate() {
    const std::vector<ExpertSpec> experts = parse_experts(input_.config.fusion.experts);
    const auto weights = input_.output->gate.accessor<float, 2>();
    for (std::size_t e = 0; e < experts.size(); ++e) {
      add_numbers(fmt::format("gate-{}", e + 1), fmt::format("the gate's weight of {}", experts[e].text()),
                  [&](NodeId node) { return weights[node][static_cast<std::int64_t>(e)]; });
    }
  }

  /// Layers of the model, or of the deepest expert, whose messages leave the anchors; 0 for others.
  std::int64_t frontier_layers() const {
    std::vector<RunConfig> models = {input_.config};
    if (!input_.config.fusion.experts.empty()) {
      models.clear();
      for (const ExpertSpec& spec : parse_experts(input_.config.fusion.experts)) {
        models.push_back(expert_config(input_.config, spec));
      }
    }
    std::int64_t layers = 0;
    for (const RunConfig& config : models) {
      if (Registry<ModelEntry>::get(config.model).frontier) layers = std::max(layers, config.shape.layers);
    }
    return std::min<std::int64_t>(layers, kNeverReached - 1);
  }

  void add_frontier() {
    std::vector<std::uint32_t> marked;
    std::vector<char> is_anchor(static_cast<std::size_t>(graph_.num_nodes()), 0);
    for (const NodeId anchor : anchors_) is_anchor[static_cast<std::size_t>(anchor)] = 1;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (is_anchor[static_cast<std::size_t>(nodes_[i])] != 0) marked.push_back(static_cast<std::uint32_t>(i));
    }
    map_["anchors"] = marked;
    const std::int64_t layers = frontier_layers();
    if (layers == 0 || anchors_.empty()) return;
    std::vector<std::uint8_t> arrival;
    for (const NodeId node : nodes_) {
      const std::int32_t hops = distances_[node];
      arrival.push_back(hops == kUnreachable || hops > layers ? kNeverReached : static_cast<std::uint8_t>(hops));
    }
    map_["frontier"] = {{"arrival", packed(arrival)}, {"layers", layers}};
  }

  MapInput input_;
  const Graph& graph_;
  Notes& notes_;
  std::span<const NodeId> anchors_;
  std::vector<NodeId> nodes_;   ///< that are drawn
  std::optional<Graph> shown_;  ///< on them, where they are not all
  Array<std::int32_t> distances_;
  ordered_json map_;
};

}  // namespace

ordered_json node_map(const MapInput& input, const HtmlReportOptions& options, Notes& notes) {
  return NodeMap(input, options, notes).take();
}

}  // namespace gir::html
