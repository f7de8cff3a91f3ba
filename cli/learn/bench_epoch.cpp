#include <sys/resource.h>

#include <memory>

#include "../bench_support.h"
#include "../number_range.h"
#include "epoch_run.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/core/text.h"
#include "gir/nn/device.h"
#include "gir/nn/runtime.h"
#include "learn_commands.h"
#include "machine_speed.h"

namespace gir::cli {
namespace {

using nlohmann::ordered_json;

double peak_gigabytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e9;
}

/// Null on the CPU.
ordered_json peak_gpu_gigabytes(const Device& device) {
  if (device.is_cpu()) return nullptr;
  return static_cast<double>(device_memory(device).peak) / 1e9;
}

ordered_json roofline_json(EpochRun& run, const MachineSpeed& machine, double epoch_ms) {
  ordered_json layers = ordered_json::array();
  double flops = 0, bytes = 0, floor = 0;
  const std::vector<double> measured = run.measure_layers();
  for (const LayerWork& layer : minimal_work(run.plan(), run.shape(), machine)) {
    flops += layer.flops;
    bytes += layer.bytes;
    floor += layer.floor_ms(machine);
    layers.push_back({{"in", layer.in},
                      {"out", layer.out},
                      {"edges", layer.edges},
                      {"gflop", layer.flops / 1e9},
                      {"gbyte", layer.bytes / 1e9},
                      {"floor_ms", layer.floor_ms(machine)}});
    if (measured.empty()) continue;
    const double layer_ms = measured[layers.size() - 1];
    layers.back()["measured_ms"] = layer_ms;
    layers.back()["measured_over_floor"] = layer_ms / layer.floor_ms(machine);
  }
  return {{"gflops", machine.flops_per_ms / 1e6},
          {"gbytes_per_s", machine.bytes_per_ms / 1e6},
          {"gflop", flops / 1e9},
          {"gbyte", bytes / 1e9},
          {"floor_ms", floor},
          {"measured_over_floor", epoch_ms / floor},
          {"layers", layers}};
}

ordered_json measure_model(const AttributedGraph& data, const EpochBenchmark& benchmark, const std::string& model,
                           const Context& context) {
  reset_peak_memory(context.device);
  EpochRun run(data, benchmark, model, context);
  const double epoch_ms = median(run.measure());
  ordered_json frontier_edges;
  if (Registry<ModelEntry>::get(model).frontier) {
    const FrontierPlan plan = run.plan();
    frontier_edges = ordered_json::array();
    for (std::int64_t layer = 0; layer < plan.num_layers(); ++layer) {
      frontier_edges.push_back(plan.edges(layer).senders.size());
    }
  }
  ordered_json line = {{"peer", "gir"},
                       {"adj", "frontier"},
                       {"precision", name_of(context.precision)},
                       {"device", context.device.name()},
                       {"model", model},
                       {"layers", run.layers()},
                       {"nodes", data.graph.num_nodes()},
                       {"edges", data.graph.num_arcs()},
                       {"frontier_edges", frontier_edges},
                       {"epoch_ms", epoch_ms},
                       {"peak_gpu_gb", peak_gpu_gigabytes(context.device)},
                       {"peak_gb", peak_gigabytes()},
                       {"computed_twice", run.segment()},
                       {"threads", max_threads()},
                       {"torch", tensor_runtime().torch_version}};
  if (benchmark.roofline && context.device.is_cpu()) {
    const MachineSpeed machine = measure_machine(data.graph.num_nodes(), benchmark.hidden);
    const ordered_json roofline = roofline_json(run, machine, epoch_ms);
    line["floor_ms"] = roofline["floor_ms"];
    line["roofline"] = roofline;
  }
  return line;
}

Table roofline_table(const ordered_json& line) {
  Table table{.columns = {{"layer"},
                          {"edges", true},
                          {"GFLOP", true},
                          {"GB", true},
                          {"floor ms", true},
                          {"measured ms", true},
                          {"measured / floor", true}},
              .rows = {}};
  std::int64_t number = 0;
  double measured = 0;
  for (const ordered_json& layer : line["roofline"]["layers"]) {
    const auto number_text = [&](const char* name) {
      return layer.contains(name) ? fmt::format("{:.2f}", layer[name].get<double>()) : "";
    };
    table.rows.push_back({fmt::format("{}: {} to {}", ++number, layer["in"].get<int>(), layer["out"].get<int>()),
                          with_thousands(layer["edges"].get<std::int64_t>()), number_text("gflop"),
                          number_text("gbyte"), number_text("floor_ms"), number_text("measured_ms"),
                          number_text("measured_over_floor")});
    measured += layer.value("measured_ms", 0.0);
  }
  if (measured == 0) return table;
  const double rest = line["epoch_ms"].get<double>() - measured;
  table.rows.push_back({"loss and optimiser", "", "", "", "", fmt::format("{:.2f}", rest), ""});
  return table;
}

void bench_epoch(const Session& session, const EpochBenchmark& benchmark) {
  for (const std::string& model : benchmark.models) {
    if (model != "gir" && model != "gir-a" && model != "gcn") {
      throw UserError("unknown model {} [known: gir, gir-a, gcn]", quoted(model));
    }
  }
  const AttributedGraph data = bench_data(benchmark);
  for (const std::string& model : benchmark.models) {
    const ordered_json line = measure_model(data, benchmark, model, session.context);
    if (session.format() == OutputFormat::kJson) {
      session.print(line.dump() + "\n");
      continue;
    }
    session.print(fmt::format("{} with {} layers on {} nodes, {} edges: {:.2f} ms per epoch, {:.2f} GB peak memory\n",
                              model, line["layers"].get<int>(), with_thousands(data.graph.num_nodes()),
                              with_thousands(data.graph.num_arcs()), line["epoch_ms"].get<double>(),
                              line["peak_gb"].get<double>()));
    if (!line.contains("roofline")) continue;
    const ordered_json& roofline = line["roofline"];
    session.print(fmt::format(
        "measured speed of this machine: {:.0f} GFLOP/s, {:.1f} GB/s; floor {:.2f} ms, measured / floor {:.2f}\n",
        roofline["gflops"].get<double>(), roofline["gbytes_per_s"].get<double>(), roofline["floor_ms"].get<double>(),
        roofline["measured_over_floor"].get<double>()));
    session.print(render(roofline_table(line), session.format()));
  }
}

void add_bench_epoch_command(CLI::App& command, Session& session) {
  const auto benchmark = std::make_shared<EpochBenchmark>();
  set_action(command, session, [&session, benchmark] { bench_epoch(session, *benchmark); });
  const auto count = between(std::int64_t{1}, kMaxNodes);
  command.add_option("--npz", benchmark->npz, "Graph as arrays: an .npz file or a folder of .npy files")
      ->type_name("FILE");
  command.add_option("--edges", benchmark->edges, "Graph as an edge list")->type_name("FILE");
  const auto add_size = [&](const char* name, std::int64_t& value, const char* meaning) {
    command.add_option(name, value, meaning)->capture_default_str()->check(count)->type_name("N");
  };
  command.add_option("--rmat", benchmark->rmat, "R-MAT graph with 2^SCALE nodes and 16 sampled edges per node")
      ->check(between(1, 30))
      ->type_name("SCALE");
  add_size("--nodes", benchmark->nodes, "Number of nodes of a synthetic graph");
  add_size("--edges-per-node", benchmark->edges_per_node, "Its edges per node");
  add_size("--dim", benchmark->dim, "Number of random features if the graph has none");
  add_size("--classes", benchmark->classes, "Number of random classes if the graph has none");
  add_size("--hidden", benchmark->hidden, "Hidden size");
  add_size("--anchors", benchmark->anchors, "Number of anchors of gir, selected by degree");
  add_size("--gir-layers", benchmark->gir_layers, "Number of layers of gir");
  add_size("--gcn-layers", benchmark->gcn_layers, "Number of layers of gcn");
  command.add_flag("--lp", benchmark->lp,
                   "Link prediction: anchor labels, dot product decoder, negatives resampled in every epoch");
  command
      .add_option("--models", benchmark->models,
                  "Models, separated by commas: gir, gir-a (anchor labels instead of features), gcn")
      ->delimiter(',')
      ->type_name("A,B");
  command.add_option("--repeat", benchmark->repeat, "Number of measured epochs")
      ->capture_default_str()
      ->check(between(1, 100000))
      ->type_name("N");
  command.add_option("--warmup", benchmark->warmup, "Number of warm-up epochs")
      ->capture_default_str()
      ->check(between(0, 100000))
      ->type_name("N");
  command.add_option("--seed", benchmark->seed, "Random seed of graph and model")
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--memory-budget", benchmark->memory_budget, "Memory limit in GiB; 0: the memory of the machine")
      ->check(between(0.0, 1e6))
      ->type_name("REAL");
  command.add_flag("!--no-roofline", benchmark->roofline,
                   "Do not measure the machine and compute no floor (never done on a GPU)");
}

const Registered<CommandEntry> bench_epoch_entry{{
    .name = "bench epoch",
    .summary = "Measure a training epoch, and compute a lower bound (floor) of its time",
    .add = add_bench_epoch_command,
}};

}  // namespace
}  // namespace gir::cli
