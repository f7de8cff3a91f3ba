#include "gir/data/dataset.h"
#include "gir/graph/components.h"
#include "gir/io/tables.h"

namespace gir {
namespace {

const std::string kRepository =
    "https://raw.githubusercontent.com/JiaxuanYou/P-GNN/74a7d3ed4af435d74dccc7bb8751d3f1789c5bce/";

/// The number of a node's department, as in the label file.
std::int32_t department(const Labels& labels, NodeId node) {
  return std::stoi(labels.names[static_cast<std::size_t>(labels.classes[node])]);
}

/// Preprocessed as by P-GNN (You et al., "Position-aware graph neural networks", 2019): departments in groups of six,
/// edges between groups removed, components of more than ten nodes kept. The label of a node is its department, not its
/// group.
AttributedGraph load_email(const std::filesystem::path& folder) {
  constexpr std::int32_t kDepartmentsPerGroup = 6;
  constexpr std::int64_t kMinComponent = 11;
  AttributedGraph email = read_graph(folder / "email.txt");
  email.labels = read_labels(folder / "email_labels.txt", email.graph.names());
  email.graph = filter_edges(email.graph, [&](NodeId u, NodeId v) {
    return u != v &&
           department(email.labels, u) / kDepartmentsPerGroup == department(email.labels, v) / kDepartmentsPerGroup;
  });
  const Components components = connected_components(email.graph);
  std::vector<NodeId> kept;
  for (NodeId node = 0; node < email.graph.num_nodes(); ++node) {
    if (components.sizes[components.of_node[node]] >= kMinComponent) kept.push_back(node);
  }
  return induced_subgraph(email, kept);
}

const Registered<DatasetEntry> email{{
    .name = "email",
    .summary = "e-mails inside a research institute, in seven groups of departments; departments as classes",
    .origin = "SNAP email-Eu-core as P-GNN distributes it (MIT repository, no licence stated for the data)",
    .task = Task::kNodePairClassification,
    .sizes = {.hidden = 32, .anchors = 64, .anchor_sets = 8},
    .sources = {{.files = {{.name = "email.txt",
                            .url = kRepository + "data/email.txt",
                            .sha256 = "23e0ca0bce21a053025e78f7e9691ac9210ae806a0689bd5edff3c3bac572d4c",
                            .bytes = 192698},
                           {.name = "email_labels.txt",
                            .url = kRepository + "data/email_labels.txt",
                            .sha256 = "91a089f21ee35eb224066456fa5322c8ad57c0f07b2da7a58a3220c72b5d54b5",
                            .bytes = 6537}},
                 .load = load_email}},
}};

}  // namespace
}  // namespace gir
