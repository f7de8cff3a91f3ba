#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <memory>

#include "../bench_support.h"
#include "../number_range.h"
#include "epoch_floor.h"
#include "gir/anchors/anchors.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/core/random.h"
#include "gir/core/text.h"
#include "gir/data/split.h"
#include "gir/graph/generators.h"
#include "gir/io/format.h"
#include "gir/nn/device.h"
#include "gir/nn/runtime.h"
#include "gir/train/memory_budget.h"
#include "gir/train/objective.h"
#include "gir/train/trainer.h"
#include "learn_commands.h"
#include "machine_speed.h"

namespace gir::cli {
namespace {

using nlohmann::ordered_json;

/// What `gir bench epoch` was asked for: the options of shared/peer/peer.py.
struct EpochBenchmark {
  std::string npz;
  std::string edges;
  std::int64_t rmat = 0;  ///< scale of an rmat graph; 0: none
  std::int64_t nodes = 169343;
  std::int64_t edges_per_node = 7;
  std::int64_t dim = 128;
  std::int64_t classes = 40;
  std::int64_t hidden = 256;
  std::int64_t anchors = 256;
  std::int64_t gir_layers = 5;
  std::int64_t gcn_layers = 3;
  bool lp = false;
  std::vector<std::string> models = {"gir", "gcn"};
  int repeat = 5;
  int warmup = 2;
  std::uint64_t seed = 0;
  double memory_budget = 0;  ///< GiB
  bool roofline = true;
};

/// As many arcs as asked for between uniform targets and sources of which a few have most: the peer's graph, drawn by
/// our numbers.
Graph skewed_graph(const EpochBenchmark& asked) {
  const RandomStream stream(asked.seed, "bench/edges");
  const auto nodes = static_cast<double>(asked.nodes);
  Array<Arc> arcs(asked.nodes * asked.edges_per_node);
  parallel_for(arcs.size(), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const double source = std::pow(stream.uniform(static_cast<std::uint64_t>(2 * i)), 3) * nodes;
      const double target = stream.uniform(static_cast<std::uint64_t>(2 * i + 1)) * nodes;
      arcs[i] = {static_cast<NodeId>(source), static_cast<NodeId>(target)};
    }
  });
  return build_graph({.arcs = std::move(arcs), .names = NodeNames::positions(asked.nodes)});
}

/// Whether a model sees nothing but the anchors' labels.
bool labels_alone(const EpochBenchmark& asked, const std::string& model) { return asked.lp || model == "gir-a"; }

AttributedGraph bench_data(const EpochBenchmark& asked) {
  if (!asked.npz.empty() + !asked.edges.empty() + (asked.rmat > 0) > 1) {
    throw UserError("--npz, --edges, --rmat: which one? [give one of them]");
  }
  AttributedGraph data;
  if (asked.rmat > 0) {
    data.graph = generate_graph("rmat", {{"scale", static_cast<double>(asked.rmat)}}, asked.seed).graph;
  } else if (!asked.npz.empty() || !asked.edges.empty()) {
    data = read_graph(asked.npz.empty() ? asked.edges : asked.npz, {.directed = false});
  } else {
    data.graph = skewed_graph(asked);
  }
  if (asked.lp) {
    data.features = {};
    data.labels = {};
    return data;
  }
  const std::int64_t nodes = data.graph.num_nodes();
  const bool features_are_seen = std::any_of(asked.models.begin(), asked.models.end(),
                                             [&](const std::string& model) { return !labels_alone(asked, model); });
  if (!features_are_seen) data.features = {};
  if (features_are_seen && num_features(data.features) == 0) {
    DenseMatrix features{.rows = nodes, .columns = asked.dim, .values = Array<float>(nodes * asked.dim)};
    const RandomStream stream(asked.seed, "bench/features");
    parallel_for(features.values.size(), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        features.values[i] = static_cast<float>(2 * stream.uniform(static_cast<std::uint64_t>(i)) - 1);
      }
    });
    data.features = std::move(features);
  }
  if (data.labels.empty()) {
    std::vector<std::int64_t> labels(static_cast<std::size_t>(nodes));
    const RandomStream stream(asked.seed, "bench/labels");
    for (std::size_t v = 0; v < labels.size(); ++v) {
      labels[v] = static_cast<std::int64_t>(stream.below(v, static_cast<std::uint64_t>(asked.classes)));
    }
    data.labels = labels_from_integers(labels);
  }
  return data;
}

/// One model with its objective, as the peer has it: half of the nodes to learn from, or all links but two.
class EpochRun {
 public:
  EpochRun(const AttributedGraph& data, const EpochBenchmark& asked, const std::string& model)
      : data_(data), asked_(asked), is_gir_(model != "gcn"), labels_alone_(labels_alone(asked, model)) {
    anchors_ =
        select_anchors(data.graph, {.count = std::min(asked.anchors, data.graph.num_nodes()), .strategy = "degree"})
            .anchors;
    asked.lp ? split_links() : split_nodes();
    const ModelOptions shape{.layers = is_gir_ ? asked.gir_layers : asked.gcn_layers,
                             .hidden = asked.hidden,
                             .dropout = asked.lp ? 0 : 0.5,
                             .norm = asked.lp ? Norm::kNone : Norm::kBatch};
    model_ = make_model(labels_alone_ ? (is_gir_ ? "gir-a" : "gcn-a") : model,
                        {.graph = *graph_,
                         .features = labels_alone_ ? no_features_ : data.features,
                         .anchors = anchors_,
                         .classes = asked.lp ? 0 : data.labels.num_classes(),
                         .seed = asked.seed},
                        shape);
    if (asked.lp) {
      description_.emplace("", PairContext{.graphs = {.graph = *graph_, .training = {}}, .anchors = anchors_});
      decoder_ = Registry<DecoderEntry>::get("dot").make({.width = asked.hidden, .seed = asked.seed});
      objective_ =
          pair_objective({.split = *links_, .decoder = *decoder_, .description = *description_, .seed = asked.seed});
    } else {
      objective_ = node_objective(data.labels, nodes_);
    }
    move_to_device(model_->parameters().all());
    if (decoder_) move_to_device(decoder_->parameters().all());
    // One epoch more: the last one is judged, too, and does not count.
    const std::int64_t epochs = asked.warmup + asked.repeat + 1;
    trainer_.emplace(*model_, *objective_, TrainerOptions{.epochs = epochs, .evaluate_every = epochs});
    memory_.emplace(*model_, *objective_, budget_bytes(asked.memory_budget));
  }

  std::int64_t layers() const { return is_gir_ ? asked_.gir_layers : asked_.gcn_layers; }

  /// Milliseconds of every epoch that counts.
  std::vector<double> measure() {
    using Clock = std::chrono::steady_clock;
    const std::int64_t epochs = asked_.warmup + asked_.repeat;
    std::vector<double> times;
    auto start = Clock::now();
    trainer_->run([&](const EpochReport& report) {
      const auto now = Clock::now();
      if (report.epoch > asked_.warmup && report.epoch <= epochs) {
        times.push_back(std::chrono::duration<double, std::milli>(now - start).count());
      }
      start = Clock::now();
    });
    return times;
  }

  /// Hidden layers that are computed twice at a time; 0: none.
  std::int64_t stretch() const { return memory_->need().stretch; }

  /// Milliseconds of every layer, there and back, each the median of some passes. Nothing where layers are computed
  /// twice: their borders are not to be seen.
  std::vector<double> measure_layers() {
    using Clock = std::chrono::steady_clock;
    const auto passed = [](Clock::time_point from, Clock::time_point to) {
      return std::chrono::duration<double, std::milli>(to - from).count();
    };
    if (stretch() > 0) return {};
    const auto count = static_cast<std::size_t>(layers());
    std::vector<std::vector<double>> times(count);
    for (int pass = 0; pass < asked_.repeat; ++pass) {
      std::vector<Clock::time_point> there = {Clock::now()};
      std::vector<Clock::time_point> back(count + 1);  // when a layer's gradient came in
      const ForwardOptions options{
          .training = true, .epoch = static_cast<std::uint64_t>(pass) + 1, .watch = [&](const at::Tensor& result) {
            const std::size_t layer = there.size() - 1;
            there.push_back(Clock::now());
            result.register_hook([&back, layer](const at::Tensor& gradient) {
              back[layer + 1] = Clock::now();
              return gradient;
            });
          }};
      objective_->loss(model_->forward(options), options).backward();
      back[0] = Clock::now();
      for (std::size_t i = 0; i < count; ++i) {
        times[i].push_back(passed(there[i], there[i + 1]) + passed(back[i + 1], back[i]));
      }
    }
    std::vector<double> medians;
    for (std::vector<double>& each : times) medians.push_back(median(std::move(each)));
    return medians;
  }

  FrontierPlan plan() const {
    return is_gir_ ? FrontierPlan(*graph_, anchors_, layers()) : FrontierPlan::of_everyone(*graph_, layers());
  }

  StackShape shape() const {
    StackShape result{.nodes = graph_->num_nodes(),
                      .widths = {labels_alone_ ? 1 + std::ssize(anchors_) : num_features(data_.features)},
                      .self_weights = is_gir_,
                      .one_hot_input = labels_alone_};
    for (std::int64_t layer = 0; layer < layers(); ++layer) result.widths.push_back(asked_.hidden);
    if (!asked_.lp) result.widths.back() = data_.labels.num_classes();
    return result;
  }

 private:
  void split_nodes() {
    for (NodeId v = 0; v < data_.graph.num_nodes(); ++v) (v % 2 == 0 ? nodes_.train : nodes_.valid).push_back(v);
    nodes_.test = nodes_.valid;
    graph_ = &data_.graph;
  }

  void split_links() {
    const auto edges = static_cast<double>(count_undirected_edges(data_.graph));
    links_ = PairSplit::of_links(data_.graph, asked_.seed, {1 - 2 / edges, 1 / edges, 1 / edges});
    graph_ = &links_->message_graph();
  }

  const AttributedGraph& data_;
  const EpochBenchmark& asked_;
  const Features no_features_ = {};
  bool is_gir_;
  bool labels_alone_;
  std::vector<NodeId> anchors_;
  NodeSplit nodes_;
  std::optional<PairSplit> links_;
  const Graph* graph_ = nullptr;
  std::unique_ptr<Model> model_;
  std::optional<PairDescription> description_;
  std::unique_ptr<PairDecoder> decoder_;
  std::unique_ptr<Objective> objective_;
  std::optional<Trainer> trainer_;
  std::optional<TrainingMemory> memory_;
};

double peak_gigabytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e9;
}

/// Null on the processor.
ordered_json peak_gpu_gigabytes() {
  if (compute_device().is_cpu()) return nullptr;
  return static_cast<double>(device_memory().most_in_use) / 1e9;
}

ordered_json roofline_json(EpochRun& run, const MachineSpeed& machine, double epoch_ms) {
  ordered_json layers = ordered_json::array();
  double flops = 0, bytes = 0, floor = 0;
  const std::vector<double> measured = run.measure_layers();
  for (const LayerWork& layer : least_work(run.plan(), run.shape(), machine)) {
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

ordered_json measure_model(const AttributedGraph& data, const EpochBenchmark& asked, const std::string& model) {
  forget_most_memory();
  EpochRun run(data, asked, model);
  const double epoch_ms = median(run.measure());
  ordered_json frontier_edges;
  if (model != "gcn") {
    const FrontierPlan plan = run.plan();
    frontier_edges = ordered_json::array();
    for (std::int64_t layer = 0; layer < plan.num_layers(); ++layer) {
      frontier_edges.push_back(plan.edges(layer).senders.size());
    }
  }
  ordered_json line = {{"peer", "gir"},
                       {"adj", "frontier"},
                       {"precision", precision_name(compute_precision())},
                       {"device", compute_device().str()},
                       {"model", model},
                       {"layers", run.layers()},
                       {"nodes", data.graph.num_nodes()},
                       {"edges", data.graph.num_arcs()},
                       {"frontier_edges", frontier_edges},
                       {"epoch_ms", epoch_ms},
                       {"peak_gpu_gb", peak_gpu_gigabytes()},
                       {"peak_gb", peak_gigabytes()},
                       {"computed_twice", run.stretch()},
                       {"threads", max_threads()},
                       {"torch", tensor_runtime().torch_version}};
  if (asked.roofline && compute_device().is_cpu()) {
    const MachineSpeed machine = measure_machine(data.graph.num_nodes(), asked.hidden);
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
    const auto figure = [&](const char* name) {
      return layer.contains(name) ? fmt::format("{:.2f}", layer[name].get<double>()) : "";
    };
    table.rows.push_back({fmt::format("{}: {} to {}", ++number, layer["in"].get<int>(), layer["out"].get<int>()),
                          with_thousands(layer["edges"].get<std::int64_t>()), figure("gflop"), figure("gbyte"),
                          figure("floor_ms"), figure("measured_ms"), figure("measured_over_floor")});
    measured += layer.value("measured_ms", 0.0);
  }
  if (measured == 0) return table;
  const double rest = line["epoch_ms"].get<double>() - measured;
  table.rows.push_back({"loss and step", "", "", "", "", fmt::format("{:.2f}", rest), ""});
  return table;
}

void bench_epoch(const Session& session, const EpochBenchmark& asked) {
  for (const std::string& model : asked.models) {
    if (model != "gir" && model != "gir-a" && model != "gcn") {
      throw UserError("unknown model {} [known: gir, gir-a, gcn]", quoted(model));
    }
  }
  const AttributedGraph data = bench_data(asked);
  for (const std::string& model : asked.models) {
    const ordered_json line = measure_model(data, asked, model);
    if (session.format() == OutputFormat::kJson) {
      session.print(line.dump() + "\n");
      continue;
    }
    session.print(fmt::format("{} of {} layers on {} nodes, {} edges: {:.2f} ms an epoch, {:.2f} GB at the peak\n",
                              model, line["layers"].get<int>(), with_thousands(data.graph.num_nodes()),
                              with_thousands(data.graph.num_arcs()), line["epoch_ms"].get<double>(),
                              line["peak_gb"].get<double>()));
    if (!line.contains("roofline")) continue;
    const ordered_json& roofline = line["roofline"];
    session.print(
        fmt::format("this machine now: {:.0f} GFLOP/s, {:.1f} GB/s; floor {:.2f} ms, measured / floor {:.2f}\n",
                    roofline["gflops"].get<double>(), roofline["gbytes_per_s"].get<double>(),
                    roofline["floor_ms"].get<double>(), roofline["measured_over_floor"].get<double>()));
    session.print(render(roofline_table(line), session.format()));
  }
}

}  // namespace

void add_bench_epoch_command(CLI::App& bench, Session& session) {
  const auto asked = std::make_shared<EpochBenchmark>();
  CLI::App* command = add_command(bench, session, "epoch", "One epoch of training: time, and the floor under it",
                                  [&session, asked] { bench_epoch(session, *asked); });
  const auto count = between(std::int64_t{1}, kMaxNodes);
  command->add_option("--npz", asked->npz, "Graph as arrays: an .npz file or a folder of .npy files")
      ->type_name("FILE");
  command->add_option("--edges", asked->edges, "Graph as an edge list")->type_name("FILE");
  const auto add_size = [&](const char* name, std::int64_t& value, const char* meaning) {
    command->add_option(name, value, meaning)->capture_default_str()->check(count)->type_name("N");
  };
  command->add_option("--rmat", asked->rmat, "An rmat graph of 2^SCALE nodes and 16 edges drawn for each")
      ->check(between(1, 30))
      ->type_name("SCALE");
  add_size("--nodes", asked->nodes, "Nodes of a made-up graph");
  add_size("--edges-per-node", asked->edges_per_node, "Its edges");
  add_size("--dim", asked->dim, "Features, where the graph has none");
  add_size("--classes", asked->classes, "Classes, where the graph has none");
  add_size("--hidden", asked->hidden, "Width of a layer");
  add_size("--anchors", asked->anchors, "Anchors of gir, by degree");
  add_size("--gir-layers", asked->gir_layers, "Layers of gir");
  add_size("--gcn-layers", asked->gcn_layers, "Layers of gcn");
  command->add_flag("--lp", asked->lp, "Links: anchor labels, dot products, negatives drawn anew every epoch");
  command->add_option("--models", asked->models, "Of gir, gir-a (labels of the anchors instead of features) and gcn")
      ->delimiter(',')
      ->type_name("A,B");
  command->add_option("--repeat", asked->repeat, "Epochs that count")
      ->capture_default_str()
      ->check(between(1, 100000))
      ->type_name("N");
  command->add_option("--warmup", asked->warmup, "Epochs before, which do not")
      ->capture_default_str()
      ->check(between(0, 100000))
      ->type_name("N");
  command->add_option("--seed", asked->seed, "Of graph and model")->capture_default_str()->type_name("N");
  command->add_option("--memory-budget", asked->memory_budget, "GiB that the program may take; 0: what the machine has")
      ->check(between(0.0, 1e6))
      ->type_name("REAL");
  command->add_flag("!--no-roofline", asked->roofline, "Do not measure the machine; nobody does on a GPU");
}

}  // namespace gir::cli
