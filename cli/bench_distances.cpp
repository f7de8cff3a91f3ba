#include <unistd.h>

#include <memory>

#include "bench_support.h"
#include "gir/anchors/anchors.h"
#include "gir/anchors/distances.h"
#include "gir/cli/session.h"
#include "gir/core/parallel.h"
#include "gir/core/text.h"
#include "gir/io/npy.h"
#include "graph_input.h"
#include "number_range.h"

namespace gir::cli {
namespace {

using nlohmann::json;

/// The arguments of `gir bench distances`.
struct DistancesBenchmark {
  GraphInput graph;
  std::int64_t anchors = 256;
  int repeat = 5;
  std::string peer;
};

/// A temporary folder with the graph and the anchors as arrays, the input of the program to compare with.
class PeerInput {
 public:
  PeerInput(const AttributedGraph& data, const std::vector<NodeId>& anchors)
      : folder_(std::filesystem::temp_directory_path() / fmt::format("gir-bench-distances-{}", ::getpid())) {
    write_graph(folder_, {.graph = data.graph.clone()}, "npy-folder");
    write_npy(folder_ / "anchors.npy", npy_view(std::span<const NodeId>(anchors), {std::ssize(anchors)}));
  }
  ~PeerInput() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  PeerInput(const PeerInput&) = delete;
  PeerInput& operator=(const PeerInput&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

void bench_distances(const Session& session, const DistancesBenchmark& benchmark) {
  const Dataset dataset = benchmark.graph.open(session);
  const Graph& graph = dataset.data.graph;
  const auto anchors = select_anchors(graph, {.count = benchmark.anchors, .fill = "degree"}).anchors;
  std::unique_ptr<PeerInput> input;
  if (!benchmark.peer.empty()) input = std::make_unique<PeerInput>(dataset.data, anchors);
  std::vector<double> times;
  std::vector<double> peer_times;
  // The first round is a warm-up. The two programs alternate, so that other load on the machine affects both.
  for (int round = 0; round <= benchmark.repeat; ++round) {
    const double time = milliseconds_of([&] { source_distances(graph, anchors, {.search = session.distance_search}); });
    if (round > 0) times.push_back(time);
    if (!input) continue;
    const json peer = run_for_json(benchmark.peer + " " + shell_word(input->folder().string()), "distances_ms");
    if (round > 0) peer_times.push_back(peer["distances_ms"]);
  }
  const double pairs = static_cast<double>(graph.num_arcs()) * static_cast<double>(anchors.size());
  json result = {{"graph", dataset.name},
                 {"nodes", graph.num_nodes()},
                 {"directed_edges", graph.num_arcs()},
                 {"anchors", anchors.size()},
                 {"threads", max_threads()},
                 {"distances_ms", median(times)},
                 {"ns_per_edge_anchor", median(times) * 1e6 / pairs}};
  if (!peer_times.empty()) {
    result["peer_ms"] = median(peer_times);
    result["ratio"] = median(peer_times) / median(times);
  }
  if (session.format() == OutputFormat::kJson) {
    session.print_json(result);
  } else {
    session.print(render(fields_table(result), session.format()));
  }
}

void add_bench_distances_command(CLI::App& command, Session& session) {
  const auto benchmark = std::make_shared<DistancesBenchmark>();
  set_action(command, session, [&session, benchmark] { bench_distances(session, *benchmark); });
  command.add_option("graph", benchmark->graph.request.graph, "Name of a data set, file or folder")
      ->required()
      ->type_name("NAME_OR_FILE");
  command.add_option("--anchors", benchmark->anchors, "Number of anchors")->capture_default_str()->type_name("N");
  command.add_option("--repeat", benchmark->repeat, "Number of measured runs, after a warm-up run")
      ->capture_default_str()
      ->check(between(1, 1000))
      ->type_name("N");
  command
      .add_option("--peer", benchmark->peer,
                  "Command to compare with: takes a folder of arrays, prints JSON with distances_ms "
                  "(bench/distances_peer.py)")
      ->type_name("COMMAND");
  add_graph_flags(command, benchmark->graph);
}

const Registered<CommandEntry> bench_distances_entry{{
    .name = "bench distances",
    .summary = "Measure the time of distances from many anchors",
    .add = add_bench_distances_command,
}};

}  // namespace
}  // namespace gir::cli
