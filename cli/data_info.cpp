#include "data_info.h"

#include "flag_text.h"
#include "gir/core/text.h"

namespace gir::cli {
namespace {

using nlohmann::json;

std::string_view feature_kind(const Features& features) {
  if (std::holds_alternative<DenseMatrix>(features)) return "dense";
  if (std::holds_alternative<SparseMatrix>(features)) return "sparse";
  return "none";
}

std::int64_t labelled_nodes(const Labels& labels) {
  return labels.classes.size() - std::count(labels.classes.begin(), labels.classes.end(), Labels::kNone);
}

/// The diameter where it is known exactly, else its bounds.
std::string diameter_text(const DiameterBounds& bounds) {
  return bounds.lower == bounds.upper ? std::to_string(bounds.lower)
                                      : fmt::format("between {} and {}", bounds.lower, bounds.upper);
}

/// Numbers of edges with and without directions, in the order that suits the graph.
std::string edges_text(const DatasetInfo& info) {
  const std::string once = with_thousands(info.statistics.edges);
  const std::string arcs = with_thousands(info.statistics.directed_edges);
  return info.dataset.data.graph.directed() ? fmt::format("{} directed, joining {} pairs of nodes", arcs, once)
                                            : fmt::format("{} ({} counting both directions)", once, arcs);
}

}  // namespace

DatasetInfo describe(const Dataset& dataset) {
  return {.dataset = dataset,
          .statistics = graph_statistics(dataset.data.graph),
          .fingerprint = dataset.data.graph.fingerprint()};
}

json to_json(const DatasetInfo& info) {
  const GraphStatistics& s = info.statistics;
  const AttributedGraph& data = info.dataset.data;
  json document = {
      {"name", info.dataset.name},
      {"nodes", s.nodes},
      {"edges", s.edges},
      {"directed_edges", s.directed_edges},
      {"directed", data.graph.directed()},
      {"weighted", data.graph.weighted()},
      {"self_loops", s.self_loops},
      {"isolated_nodes", s.isolated_nodes},
      {"components", s.components},
      {"largest_component", s.largest_component},
      {"mean_degree", s.mean_degree},
      {"degree_quantiles",
       {{"min", s.degree.minimum},
        {"25", s.degree.percent_25},
        {"50", s.degree.median},
        {"75", s.degree.percent_75},
        {"90", s.degree.percent_90},
        {"99", s.degree.percent_99},
        {"max", s.degree.maximum}}},
      {"density", s.density},
      {"diameter", {{"lower", s.diameter.lower}, {"upper", s.diameter.upper}}},
      {"features", num_features(data.features)},
      {"feature_kind", feature_kind(data.features)},
      {"classes", data.labels.num_classes()},
      {"labelled_nodes", labelled_nodes(data.labels)},
      {"fingerprint", info.fingerprint},
      {"notes", with_flags(data.notes)},
  };
  if (info.dataset.task) document["task"] = task_name(*info.dataset.task);
  if (data.split) {
    document["split"] = {
        {"train", data.split->train.size()}, {"valid", data.split->valid.size()}, {"test", data.split->test.size()}};
  }
  return document;
}

std::string to_text(const DatasetInfo& info) {
  const GraphStatistics& s = info.statistics;
  const AttributedGraph& data = info.dataset.data;
  std::string text;
  const auto line = [&](std::string_view label, const std::string& value) {
    text += fmt::format("{:<14}{}\n", label, value);
  };
  line("name", info.dataset.name);
  line("nodes",
       with_thousands(s.nodes) +
           (s.isolated_nodes > 0 ? fmt::format(" ({} without an edge)", with_thousands(s.isolated_nodes)) : ""));
  line("edges", edges_text(info));
  line("direction", data.graph.directed() ? "directed" : "undirected");
  line("weights", data.graph.weighted() ? "yes" : "no");
  line("self loops", with_thousands(s.self_loops));
  line("components",
       fmt::format("{}, the largest has {} nodes", with_thousands(s.components), with_thousands(s.largest_component)));
  line("degree", fmt::format("mean {:.2f}; min {}, 25 % {}, median {}, 75 % {}, 90 % {}, 99 % {}, max {}",
                             s.mean_degree, s.degree.minimum, s.degree.percent_25, s.degree.median, s.degree.percent_75,
                             s.degree.percent_90, s.degree.percent_99, s.degree.maximum));
  line("density", fmt::format("{:.3g}", s.density));
  line("diameter", diameter_text(s.diameter) + (s.components > 1 ? " (largest component)" : ""));
  line("features", data.features.index() == 0 ? "none"
                                              : fmt::format("{} ({})", with_thousands(num_features(data.features)),
                                                            feature_kind(data.features)));
  line("classes", data.labels.empty() ? "none"
                                      : fmt::format("{}, {} nodes labelled", data.labels.num_classes(),
                                                    with_thousands(labelled_nodes(data.labels))));
  if (data.split) {
    line("split",
         fmt::format("{} / {} / {} nodes for training, validation, test", with_thousands(std::ssize(data.split->train)),
                     with_thousands(std::ssize(data.split->valid)), with_thousands(std::ssize(data.split->test))));
  }
  if (info.dataset.task) line("task", std::string(task_name(*info.dataset.task)));
  line("fingerprint", info.fingerprint);
  return text;
}

Table info_table() {
  return {.columns = {{"name"},
                      {"nodes", true},
                      {"edges", true},
                      {"directed_edges", true},
                      {"self_loops", true},
                      {"components", true},
                      {"features", true},
                      {"classes", true}},
          .rows = {}};
}

std::vector<std::string> to_row(const DatasetInfo& info) {
  const GraphStatistics& s = info.statistics;
  return {info.dataset.name,
          std::to_string(s.nodes),
          std::to_string(s.edges),
          std::to_string(s.directed_edges),
          std::to_string(s.self_loops),
          std::to_string(s.components),
          std::to_string(num_features(info.dataset.data.features)),
          std::to_string(info.dataset.data.labels.num_classes())};
}

}  // namespace gir::cli
