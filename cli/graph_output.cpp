#include "graph_output.h"

#include "gir/core/text.h"

namespace gir::cli {

void GraphOutput::write(const Session& session, const AttributedGraph& data) const {
  write_graph(path, data, write_as);
  const EdgeId edges = count_undirected_edges(data.graph) + std::ssize(data.graph.self_loops());
  if (session.format() == OutputFormat::kJson) {
    session.print_json(
        {{"path", path}, {"format", format().name}, {"nodes", data.graph.num_nodes()}, {"edges", edges}});
  }
  session.note(fmt::format("wrote {} ({} nodes, {} edges)", path, with_thousands(data.graph.num_nodes()),
                           with_thousands(edges)));
  std::vector<std::string> lost;
  if (data.features.index() != 0) lost.push_back("features");
  if (!data.labels.empty()) lost.push_back("labels");
  if (data.split) lost.push_back("the split");
  if (lost.empty() || format().holds_attributes) return;
  session.note(fmt::format("note: {}: this format stores the graph only; omitted: {} [write .npz to keep them]", path,
                           join(lost, ", ")));
}

void add_output_flags(CLI::App& command, GraphOutput& output) {
  command
      .add_option("-o,--output", output.path,
                  "Output file; its ending chooses the format: .npz, .mtx, .txt .csv .tsv .edges .el (.gz)")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--write-as", output.write_as,
                  "Output format, see gir info formats (default: by the ending of the name)")
      ->type_name("FORMAT");
}

}  // namespace gir::cli
