#include "graph_input.h"

#include <algorithm>
#include <chrono>

#include "gir/core/error.h"
#include "gir/io/tables.h"

namespace gir::cli {

Dataset GraphInput::open(const Session& session) const {
  ReadOptions options;
  options.format = read_as;
  options.text_ids = text_ids;
  if (directed || undirected) options.directed = directed;
  if (num_nodes > 0) options.num_nodes = num_nodes;
  const auto start = std::chrono::steady_clock::now();
  Dataset dataset = open_dataset(name_or_path, session.data_dir, options);
  const NodeNames& names = dataset.data.graph.names();
  if (!features.empty()) dataset.data.features = read_features(features, names);
  if (!labels.empty()) {
    dataset.data.labels = read_labels(labels, names);
    dataset.data.split.reset();
    const auto& classes = dataset.data.labels.classes;
    if (const auto unlabelled = std::count(classes.begin(), classes.end(), Labels::kNone); unlabelled > 0) {
      session.note(fmt::format("note: {}: {} of {} nodes have no label", labels, unlabelled, classes.size()));
    }
  }
  if (session.verbose) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    session.note(fmt::format("read {} in {:.3f} s", name_or_path, took.count()));
  }
  for (const std::string& remark : dataset.data.notes) session.note("note: " + remark);
  return dataset;
}

void add_graph_flags(CLI::App& command, GraphInput& input) {
  const std::string group = "Reading the graph";
  command.add_option("--features", input.features, "Node features: .npy, .npz or text, one row a node")
      ->type_name("FILE")
      ->group(group);
  command.add_option("--labels", input.labels, "Node labels: .npy, .npz, or text with 'node label' lines")
      ->type_name("FILE")
      ->group(group);
  CLI::Option* directed = command.add_flag("--directed", input.directed, "Edges have a direction")->group(group);
  command.add_flag("--undirected", input.undirected, "Edges run both ways, whatever the file says")
      ->excludes(directed)
      ->group(group);
  command.add_flag("--text-ids", input.text_ids, "Edge lists: ids are text even where they look like numbers")
      ->group(group);
  command.add_option("--num-nodes", input.num_nodes, "Edge lists: the nodes are 0 .. N-1, with or without edges")
      ->check(CLI::Range(std::int64_t{1}, kMaxNodes))
      ->type_name("N")
      ->group(group);
  command.add_option("--read-as", input.read_as, "Format of the graph (by the ending of its name; gir info formats)")
      ->type_name("FORMAT")
      ->group(group);
}

}  // namespace gir::cli
