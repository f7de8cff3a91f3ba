#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

#include "bench_support.h"
#include "gir/cli/session.h"
#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/parallel.h"
#include "gir/core/random.h"
#include "gir/core/text.h"
#include "gir/io/format.h"
#include "number_range.h"

namespace gir::cli {
namespace {

using nlohmann::json;

/// The arguments of `gir bench load`.
struct LoadBenchmark {
  std::string file;  ///< empty: a random edge list is written
  std::int64_t nodes = 1'000'000;
  std::int64_t edges = 10'000'000;
  int repeat = 5;
  std::string peer;
  bool once = false;
};

/// The value of a line such as "VmHWM:   123 kB" in /proc/self/status, in bytes.
std::int64_t process_memory(std::string_view field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field)) return std::stoll(line.substr(field.size() + 1)) * 1024;
  }
  return 0;
}

std::int64_t csr_bytes(const Adjacency& rows) {
  return rows.offsets.size() * static_cast<std::int64_t>(sizeof(EdgeId)) +
         rows.neighbors.size() * static_cast<std::int64_t>(sizeof(NodeId)) +
         rows.weights.size() * static_cast<std::int64_t>(sizeof(float));
}

/// Loads the file in this process, which must not have used much memory before.
json load_once(const std::string& file) {
  const std::int64_t before = process_memory("VmRSS:");
  const auto start = std::chrono::steady_clock::now();
  const AttributedGraph loaded = read_graph(file);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  return {{"load_ms", took.count()},
          {"peak_bytes", process_memory("VmHWM:") - before},
          {"csr_bytes", csr_bytes(loaded.graph.out()) + (loaded.graph.directed() ? csr_bytes(loaded.graph.in()) : 0)},
          {"nodes", loaded.graph.num_nodes()},
          {"directed_edges", loaded.graph.num_arcs()}};
}

/// Writes random pairs of nodes, one per line.
void write_random_edges(const std::filesystem::path& path, std::int64_t nodes, std::int64_t edges) {
  constexpr std::int64_t kEdgesPerPiece = 1 << 20;
  const RandomStream random(0, "bench/load");
  AtomicFile file(path);
  for (std::int64_t begin = 0; begin < edges; begin += kEdgesPerPiece) {
    std::string piece;
    for (std::int64_t i = begin; i < std::min(edges, begin + kEdgesPerPiece); ++i) {
      const auto index = static_cast<std::uint64_t>(i) * 2;
      const auto bound = static_cast<std::uint64_t>(nodes);
      fmt::format_to(std::back_inserter(piece), "{} {}\n", random.below(index, bound), random.below(index + 1, bound));
    }
    file.write(piece);
  }
  file.commit();
}

std::string load_report(const json& result) {
  std::string text = fmt::format(
      "{}: {} nodes, {} directed edges\n"
      "gir     {:>8.1f} ms (median of {}, {} threads)\n"
      "memory  {:>8} peak; the file has {}, the graph {}: without the file {:.2f} times the graph\n",
      result["file"].get<std::string>(), with_thousands(result["nodes"]), with_thousands(result["directed_edges"]),
      result["load_ms"].get<double>(), result["repeat"].get<int>(), max_threads(), human_bytes(result["peak_bytes"]),
      human_bytes(result["file_bytes"]), human_bytes(result["csr_bytes"]), result["memory_ratio"].get<double>());
  if (result.contains("peer_ms")) {
    text += fmt::format("peer    {:>8.1f} ms: gir is {:.2f} times as fast\n", result["peer_ms"].get<double>(),
                        result["ratio"].get<double>());
  }
  return text;
}

void bench_load(const Session& session, const LoadBenchmark& benchmark) {
  if (benchmark.once) {
    session.print_json(load_once(benchmark.file));
    return;
  }
  std::optional<ScratchFile> scratch;
  std::filesystem::path file = benchmark.file;
  if (benchmark.file.empty()) {
    scratch.emplace(std::filesystem::temp_directory_path() / fmt::format("gir-bench-load-{}.txt", ::getpid()));
    file = scratch->path;
    session.note(fmt::format("writing {} random edges to {}", with_thousands(benchmark.edges), file.string()));
    write_random_edges(file, benchmark.nodes, benchmark.edges);
  }
  read_graph(file);  // report errors in the file here, once
  // Every run is a new process, because the peak memory of a process cannot be reset.
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string own_command =
      fmt::format("{} bench load --once --threads {} {}", shell_word(self), max_threads(), shell_word(file.string()));
  json result;
  std::vector<double> times;
  std::vector<double> peer_times;
  std::int64_t peak = 0;
  // The first round is a warm-up. The two programs alternate, so that other load on the machine affects both.
  for (int round = 0; round <= benchmark.repeat; ++round) {
    result = run_for_json(own_command, "load_ms");
    peak = std::max(peak, result["peak_bytes"].get<std::int64_t>());
    if (round > 0) times.push_back(result["load_ms"]);
    if (benchmark.peer.empty()) continue;
    const json peer = run_for_json(benchmark.peer + " " + shell_word(file.string()), "load_ms");
    if (round > 0) peer_times.push_back(peer["load_ms"]);
  }
  const auto file_bytes = static_cast<std::int64_t>(std::filesystem::file_size(file));
  result["file"] = file.string();
  result["file_bytes"] = file_bytes;
  result["repeat"] = benchmark.repeat;
  result["load_ms"] = median(times);
  result["peak_bytes"] = peak;
  result["memory_ratio"] = static_cast<double>(peak - file_bytes) / result["csr_bytes"].get<double>();
  if (!peer_times.empty()) {
    result["peer_ms"] = median(peer_times);
    result["ratio"] = median(peer_times) / median(times);
  }
  if (session.format() == OutputFormat::kJson) {
    session.print_json(result);
  } else if (session.format() == OutputFormat::kText) {
    session.print(load_report(result));
  } else {
    session.print(render(fields_table(result), session.format()));
  }
}

void add_bench_load_command(CLI::App& command, Session& session) {
  const auto benchmark = std::make_shared<LoadBenchmark>();
  set_action(command, session, [&session, benchmark] { bench_load(session, *benchmark); });
  command.add_option("file", benchmark->file, "Edge list to load (default: random edges)")->type_name("FILE");
  command.add_option("--nodes", benchmark->nodes, "Number of nodes of the random edge list")
      ->capture_default_str()
      ->check(between(std::int64_t{2}, kMaxNodes))
      ->type_name("N");
  command.add_option("--edges", benchmark->edges, "Number of edges of the random edge list")
      ->capture_default_str()
      ->check(between(std::int64_t{1}, std::int64_t{1} << 40))
      ->type_name("N");
  command.add_option("--repeat", benchmark->repeat, "Number of measured runs, after a warm-up run")
      ->capture_default_str()
      ->check(between(1, 1000))
      ->type_name("N");
  command
      .add_option("--peer", benchmark->peer,
                  "Command to compare with: takes the file, prints JSON with load_ms (bench/load_peer.py)")
      ->type_name("COMMAND");
  command.add_flag("--once", benchmark->once, "Load once in this process and print the raw measurements");
}

const Registered<CommandEntry> bench_load_entry{{
    .name = "bench load",
    .summary = "Measure the time and memory of reading an edge list",
    .add = add_bench_load_command,
}};

}  // namespace
}  // namespace gir::cli
