#include "graph_input.h"

#include <chrono>

#include "gir/core/text.h"
#include "number_range.h"

namespace gir::cli {

DataRequest GraphInput::complete() const {
  DataRequest complete = request;
  if (directed || undirected) complete.read.directed = directed;
  if (num_nodes > 0) complete.read.num_nodes = num_nodes;
  return complete;
}

std::string GraphInput::flags() const {
  const ReadOptions& read = request.read;
  std::string flags;
  const auto add = [&](std::string_view flag, const std::string& value) {
    if (!value.empty()) flags += fmt::format(" {} {}", flag, shell_word(value));
  };
  add("--features", request.features);
  add("--labels", request.labels);
  if (directed) flags += " --directed";
  if (undirected) flags += " --undirected";
  if (read.text_ids) flags += " --text-ids";
  if (num_nodes > 0) add("--num-nodes", std::to_string(num_nodes));
  add("--columns", read.columns);
  if (read.header != HeaderLine::kAuto) add("--header", std::string(name_of(read.header)));
  add("--read-as", read.format);
  return flags;
}

Dataset read_graph(const Session& session, const DataRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  Dataset dataset = open_data(request, session.data_dir);
  if (session.verbose) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    session.note(fmt::format("read {} in {:.3f} s", request.name(), took.count()));
  }
  return dataset;
}

void print_notes(const Session& session, const Dataset& dataset) {
  for (const std::string& remark : dataset.data.notes) session.note("note: " + remark);
}

Dataset GraphInput::open(const Session& session) const {
  Dataset dataset = read_graph(session, complete());
  print_notes(session, dataset);
  return dataset;
}

void add_graph_flags(CLI::App& command, GraphInput& input) {
  const std::string group = "Reading the graph";
  command.add_option("--features", input.request.features, "Node features: .npy, .npz or text, one row per node")
      ->type_name("FILE")
      ->group(group);
  command.add_option("--labels", input.request.labels, "Node labels: .npy, .npz, or text with 'node label' lines")
      ->type_name("FILE")
      ->group(group);
  CLI::Option* directed = command.add_flag("--directed", input.directed, "Read edges as directed")->group(group);
  command.add_flag("--undirected", input.undirected, "Read edges as undirected, even if the file is directed")
      ->excludes(directed)
      ->group(group);
  command
      .add_flag("--text-ids", input.request.read.text_ids,
                "Edge lists: read ids as text even if they look like numbers")
      ->group(group);
  command
      .add_option("--num-nodes", input.num_nodes, "Edge lists: the nodes are 0 .. N-1, including those without edges")
      ->check(between(std::int64_t{1}, kMaxNodes))
      ->type_name("N")
      ->group(group);
  command
      .add_option("--columns", input.request.read.columns,
                  "Columns to read, by name or by number from 1: source=from,target=to,weight=w (edges), "
                  "node=id,label=team (labels)")
      ->type_name("WHAT=COLUMN,...")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--header", [&input](const std::string& text) { input.request.read.header = parse_name<HeaderLine>(text); },
          "Edge lists: whether the first line names the columns: auto, yes or no (default: auto)")
      ->type_name("NAME")
      ->group(group);
  command
      .add_option("--read-as", input.request.read.format,
                  "Format of the graph, see gir info formats (default: by the ending of its name)")
      ->type_name("FORMAT")
      ->group(group);
}

}  // namespace gir::cli
