// The graph of a run as it is drawn in the page.

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/index_select.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "frontier_marks.h"
#include "gir/core/random.h"
#include "gir/core/text.h"
#include "gir/graph/layout.h"
#include "gir/graph/traversal.h"
#include "packed.h"
#include "payload.h"

namespace gir::html {
namespace {

constexpr std::uint16_t kNoCategory = 0xffff;

/// The nodes that are drawn, ascending: all, or a sample that contains all anchors.
std::vector<NodeId> choose_nodes(const Graph& graph, std::span<const NodeId> anchors, std::int64_t limit) {
  std::vector<NodeId> nodes;
  const double share = static_cast<double>(limit) / static_cast<double>(std::max<std::int64_t>(graph.num_nodes(), 1));
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

/// Coordinates quantised to 16 bits, x and y on the same scale.
ordered_json layout_json(const char* key, const char* name, std::span<const float> x, std::span<const float> y) {
  const auto [min_x, max_x] = std::minmax_element(x.begin(), x.end());
  const auto [min_y, max_y] = std::minmax_element(y.begin(), y.end());
  const float width = std::max({*max_x - *min_x, *max_y - *min_y, 1e-20f});
  const auto scaled = [&](std::span<const float> values, float minimum, float maximum) {
    const float begin = (minimum + maximum - width) / 2;
    std::vector<std::uint16_t> result;
    for (const float value : values) {
      result.push_back(
          static_cast<std::uint16_t>(std::lround(std::clamp((value - begin) / width, 0.0f, 1.0f) * 65535)));
    }
    return result;
  };
  return {
      {"key", key}, {"name", name}, {"x", packed(scaled(x, *min_x, *max_x))}, {"y", packed(scaled(y, *min_y, *max_y))}};
}

/// Builds the map of the drawn nodes, one part after the other.
class NodeMap {
 public:
  NodeMap(const MapInput& input, const HtmlReportOptions& options, Notes& notes)
      : input_(input),
        graph_(input.data.data.graph),
        notes_(notes),
        anchors_(input.experiment != nullptr ? std::span<const NodeId>(input.experiment->anchors().anchors)
                                             : std::span<const NodeId>()),
        nodes_(choose_nodes(graph_, anchors_, options.max_nodes)),
        shown_(nodes_.size() == static_cast<std::size_t>(graph_.num_nodes()) ? std::optional<Graph>()
                                                                             : induced_subgraph(graph_, nodes_)) {
    if (shown_) {
      notes.push_back(fmt::format("the graph has {} nodes; a sample of {} is drawn", with_thousands(graph_.num_nodes()),
                                  with_thousands(std::ssize(nodes_))));
    }
    add_nodes();
    add_layouts();
    add_edges(options.max_edges);
    add_columns();
    add_anchors();
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
    map_["layouts"] = ordered_json::array({layout_json("layout", "force-directed layout", positions.x, positions.y)});
    if (input_.output == nullptr) return;
    const at::Tensor& vectors = input_.output->embeddings;
    const at::Tensor rows =
        shown_ ? at::index_select(vectors, 0, at::from_blob(nodes_.data(), {std::ssize(nodes_)}, at::kInt)) : vectors;
    const at::Tensor components = principal_components(rows);
    if (!components.defined()) {
      notes_.push_back(
          "the principal components of the embeddings are not shown: embeddings have NaN or infinite values, or fewer "
          "than two dimensions");
      return;
    }
    const at::Tensor columns = components.t().contiguous();
    const std::span<const float> values(columns.data_ptr<float>(), static_cast<std::size_t>(columns.numel()));
    map_["layouts"].push_back(layout_json("components", "principal components of the embeddings",
                                          values.first(values.size() / 2), values.subspan(values.size() / 2)));
  }

  void add_edges(std::int64_t limit) {
    const Array<Arc> all = undirected_edges(drawn());
    const double share = static_cast<double>(limit) / static_cast<double>(std::max<std::int64_t>(all.size(), 1));
    const RandomStream stream(0, "report/edges");
    for (std::int64_t i = 0; i < all.size(); ++i) {
      if (share < 1 && stream.uniform(static_cast<std::uint64_t>(i)) >= share) continue;
      sources_.push_back(static_cast<std::uint32_t>(all[i].source));
      targets_.push_back(static_cast<std::uint32_t>(all[i].target));
    }
    if (share < 1) {
      notes_.push_back(fmt::format("of {} edges a sample of {} is drawn", with_thousands(all.size()),
                                   with_thousands(std::ssize(sources_))));
    }
    map_["edges"] = {
        {"source", packed(sources_)}, {"target", packed(targets_)}, {"total", count_undirected_edges(graph_)}};
  }

  /// A categorical column with the value `of(node)` per node; negative for none.
  template <typename Of>
  void add_categories(const std::string& key, const std::string& name, const std::vector<std::string>& categories,
                      const Of& of) {
    std::vector<std::uint16_t> values;
    for (const NodeId node : nodes_) {
      const std::int64_t category = of(node);
      values.push_back(category < 0 || category >= kNoCategory ? kNoCategory : static_cast<std::uint16_t>(category));
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
    if (input_.output != nullptr && input_.experiment->task() == Task::kNodeClassification) add_predictions();
    if (!anchors_.empty()) add_distances();
    if (input_.output != nullptr && input_.output->gate.defined()) add_gate();
    add_numbers("degree", "degree", [&](NodeId node) { return static_cast<float>(total_degree(graph_, node)); });
  }

  std::vector<std::int32_t> predictions(const at::Tensor& outputs) const {
    std::vector<NodeId> all(static_cast<std::size_t>(graph_.num_nodes()));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<NodeId>(i);
    return predicted_classes(outputs, all);
  }

  void add_predictions() {
    const Labels& labels = input_.data.data.labels;
    const std::vector<std::int32_t> predicted = predictions(input_.output->outputs);
    const auto prediction = [&](NodeId node) { return predicted[static_cast<std::size_t>(node)]; };
    add_categories("prediction", "prediction", labels.names, prediction);
    add_categories("error", "correct or wrong", {"right", "wrong"}, [&](NodeId node) -> std::int64_t {
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
    add_categories("part", "set of the split", {"training", "validation", "test"},
                   [&](NodeId node) { return parts[static_cast<std::size_t>(node)]; });
    if (!input_.output->experts.empty()) add_experts();
  }

  /// Which experts of a fused model are correct; for more than four experts, how many.
  void add_experts() {
    constexpr std::size_t kFewExperts = 4;
    const Labels& labels = input_.data.data.labels;
    const std::vector<ExpertSpec>& experts = input_.config.fusion.experts;
    const bool few = experts.size() <= kFewExperts;
    std::vector<std::vector<std::int32_t>> predicted;
    for (const at::Tensor& outputs : input_.output->experts) predicted.push_back(predictions(outputs));
    std::vector<std::string> names;
    for (std::size_t set = 0; few && set < std::size_t{1} << experts.size(); ++set) {
      std::vector<std::string> right;
      for (std::size_t e = 0; e < experts.size(); ++e) {
        if ((set >> e & 1) != 0) right.push_back(experts[e].text());
      }
      names.push_back(right.empty() ? "none" : join(right, " and "));
    }
    for (std::size_t count = 0; !few && count <= experts.size(); ++count) {
      names.push_back(fmt::format("{} of {}", count, experts.size()));
    }
    add_categories("experts", "correct experts", names, [&](NodeId node) -> std::int64_t {
      if (labels.classes[node] == Labels::kNone) return -1;
      std::int64_t found = 0;
      for (std::size_t e = 0; e < predicted.size(); ++e) {
        const bool right = predicted[e][static_cast<std::size_t>(node)] == labels.classes[node];
        found += right ? std::int64_t{1} << (few ? e : 0) : 0;
      }
      return found;
    });
  }

  void add_distances() {
    const Array<std::int32_t> distances = hop_distances(input_.experiment->message_graph(), anchors_);
    add_numbers("distance", "hops from the nearest anchor", [&](NodeId node) {
      const std::int32_t hops = distances[node];
      return hops == kUnreachable ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(hops);
    });
  }

  void add_gate() {
    const std::vector<ExpertSpec>& experts = input_.config.fusion.experts;
    const auto weights = input_.output->gate.accessor<float, 2>();
    for (std::size_t e = 0; e < experts.size(); ++e) {
      add_numbers(fmt::format("gate-{}", e + 1), fmt::format("gate weight of {}", experts[e].text()),
                  [&](NodeId node) { return weights[node][static_cast<std::int64_t>(e)]; });
    }
  }

  void add_anchors() {
    std::vector<char> is_anchor(static_cast<std::size_t>(graph_.num_nodes()), 0);
    for (const NodeId anchor : anchors_) is_anchor[static_cast<std::size_t>(anchor)] = 1;
    std::vector<std::uint32_t> marked;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (is_anchor[static_cast<std::size_t>(nodes_[i])] != 0) marked.push_back(static_cast<std::uint32_t>(i));
    }
    map_["anchors"] = marked;
  }

  void add_frontier() {
    const auto marks = frontier_marks(input_, {.nodes = nodes_, .sources = sources_, .targets = targets_});
    if (!marks) return;
    map_["frontier"] = {
        {"arrival", packed(marks->arrival)}, {"edges", packed(marks->carries)}, {"layers", marks->layers}};
  }

  MapInput input_;
  const Graph& graph_;
  Notes& notes_;
  std::span<const NodeId> anchors_;
  std::vector<NodeId> nodes_;           ///< drawn nodes
  std::optional<Graph> shown_;          ///< subgraph of the drawn nodes, unless all are drawn
  std::vector<std::uint32_t> sources_;  ///< of the drawn edges, as indices into nodes_
  std::vector<std::uint32_t> targets_;
  ordered_json map_;
};

}  // namespace

ordered_json node_map(const MapInput& input, const HtmlReportOptions& options, Notes& notes) {
  return NodeMap(input, options, notes).take();
}

}  // namespace gir::html
