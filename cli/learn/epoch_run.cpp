#include "epoch_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "../bench_support.h"
#include "gir/anchors/anchors.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/core/random.h"
#include "gir/graph/generators.h"
#include "gir/io/format.h"
#include "gir/nn/device.h"

namespace gir::cli {
namespace {

/// Arcs with uniform targets and skewed sources: a few nodes are the source of most arcs. The same distribution as the
/// graph of the PyTorch benchmark that gir is compared with.
Graph skewed_graph(const EpochBenchmark& benchmark) {
  const RandomStream stream(benchmark.seed, "bench/edges");
  const auto nodes = static_cast<double>(benchmark.nodes);
  Array<Arc> arcs(benchmark.nodes * benchmark.edges_per_node);
  parallel_for(arcs.size(), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const double source = std::pow(stream.uniform(static_cast<std::uint64_t>(2 * i)), 3) * nodes;
      const double target = stream.uniform(static_cast<std::uint64_t>(2 * i + 1)) * nodes;
      arcs[i] = {static_cast<NodeId>(source), static_cast<NodeId>(target)};
    }
  });
  return build_graph({.arcs = std::move(arcs), .names = NodeNames::positions(benchmark.nodes)});
}

/// Whether the input of a model consists of anchor labels only.
bool anchor_labels_only(const EpochBenchmark& benchmark, const std::string& model) {
  return benchmark.lp || model == "gir-a";
}

}  // namespace

AttributedGraph bench_data(const EpochBenchmark& benchmark) {
  if (!benchmark.npz.empty() + !benchmark.edges.empty() + (benchmark.rmat > 0) > 1) {
    throw UserError("--npz, --edges and --rmat exclude each other [give one of them]");
  }
  AttributedGraph data;
  if (benchmark.rmat > 0) {
    data.graph = generate_graph("rmat", {{"scale", static_cast<double>(benchmark.rmat)}}, benchmark.seed).graph;
  } else if (!benchmark.npz.empty() || !benchmark.edges.empty()) {
    data = read_graph(benchmark.npz.empty() ? benchmark.edges : benchmark.npz, {.directed = false});
  } else {
    data.graph = skewed_graph(benchmark);
  }
  if (benchmark.lp) {
    data.features = {};
    data.labels = {};
    return data;
  }
  const std::int64_t nodes = data.graph.num_nodes();
  const bool features_are_seen =
      std::any_of(benchmark.models.begin(), benchmark.models.end(),
                  [&](const std::string& model) { return !anchor_labels_only(benchmark, model); });
  if (!features_are_seen) data.features = {};
  if (features_are_seen && num_features(data.features) == 0) {
    DenseMatrix features{.rows = nodes, .columns = benchmark.dim, .values = Array<float>(nodes * benchmark.dim)};
    const RandomStream stream(benchmark.seed, "bench/features");
    parallel_for(features.values.size(), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        features.values[i] = static_cast<float>(2 * stream.uniform(static_cast<std::uint64_t>(i)) - 1);
      }
    });
    data.features = std::move(features);
  }
  if (data.labels.empty()) {
    std::vector<std::int64_t> labels(static_cast<std::size_t>(nodes));
    const RandomStream stream(benchmark.seed, "bench/labels");
    for (std::size_t v = 0; v < labels.size(); ++v) {
      labels[v] = static_cast<std::int64_t>(stream.below(v, static_cast<std::uint64_t>(benchmark.classes)));
    }
    data.labels = labels_from_integers(labels);
  }
  return data;
}

EpochRun::EpochRun(const AttributedGraph& data, const EpochBenchmark& benchmark, const std::string& model,
                   const Context& context)
    : data_(data),
      benchmark_(benchmark),
      context_(context),
      is_gir_(model != "gcn"),
      anchor_labels_only_(anchor_labels_only(benchmark, model)) {
  if (benchmark.memory_budget > 0)
    context_.memory_budget = static_cast<std::int64_t>(std::ldexp(benchmark.memory_budget, 30));
  const ContextScope scope(context_);
  anchors_ =
      select_anchors(data.graph, {.count = std::min(benchmark.anchors, data.graph.num_nodes()), .strategy = "degree"})
          .anchors;
  benchmark.lp ? split_links() : split_nodes();
  const ModelOptions shape{.layers = is_gir_ ? benchmark.gir_layers : benchmark.gcn_layers,
                           .hidden = benchmark.hidden,
                           .dropout = benchmark.lp ? 0 : 0.5,
                           .norm = benchmark.lp ? Norm::kNone : Norm::kBatch};
  model_ = make_model(anchor_labels_only_ ? (is_gir_ ? "gir-a" : "gcn-a") : model,
                      {.graph = *graph_,
                       .features = anchor_labels_only_ ? no_features_ : data.features,
                       .anchors = anchors_,
                       .classes = benchmark.lp ? 0 : data.labels.num_classes(),
                       .seed = benchmark.seed},
                      shape);
  if (benchmark.lp) {
    description_.emplace("", PairInputs{.graphs = {.graph = *graph_, .training = {}}, .anchors = anchors_});
    decoder_ = Registry<DecoderEntry>::get("dot").make({.width = benchmark.hidden, .seed = benchmark.seed});
    objective_ = pair_objective({.split = *links_,
                                 .decoder = *decoder_,
                                 .description = *description_,
                                 .seed = benchmark.seed,
                                 .device = context_.device});
  } else {
    objective_ = node_objective(data.labels, nodes_);
  }
  move_to_device(model_->parameters().all(), context_.device);
  if (decoder_) move_to_device(decoder_->parameters().all(), context_.device);
  // One additional epoch, which is not measured because it includes the evaluation.
  const std::int64_t epochs = benchmark.warmup + benchmark.repeat + 1;
  trainer_.emplace(*model_, *objective_, TrainerOptions{.epochs = epochs, .evaluate_every = epochs}, context_);
  memory_.emplace(*model_, *objective_, context_);
}

std::vector<double> EpochRun::measure() {
  using Clock = std::chrono::steady_clock;
  const std::int64_t epochs = benchmark_.warmup + benchmark_.repeat;
  std::vector<double> times;
  auto start = Clock::now();
  trainer_->run([&](const EpochReport& report) {
    const auto now = Clock::now();
    if (report.epoch > benchmark_.warmup && report.epoch <= epochs) {
      times.push_back(std::chrono::duration<double, std::milli>(now - start).count());
    }
    start = Clock::now();
  });
  return times;
}

std::vector<double> EpochRun::measure_layers() {
  using Clock = std::chrono::steady_clock;
  const auto passed = [](Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
  };
  if (segment() > 0) return {};
  const ContextScope scope(context_);
  const auto count = static_cast<std::size_t>(layers());
  std::vector<std::vector<double>> times(count);
  for (int pass = 0; pass < benchmark_.repeat; ++pass) {
    std::vector<Clock::time_point> forward = {Clock::now()};
    std::vector<Clock::time_point> backward(count + 1);  // when the gradient of a layer was available
    const ForwardOptions options{.training = true,
                                 .epoch = static_cast<std::uint64_t>(pass) + 1,
                                 .layer_observer = [&](const at::Tensor& result) {
                                   const std::size_t layer = forward.size() - 1;
                                   forward.push_back(Clock::now());
                                   result.register_hook([&backward, layer](const at::Tensor& gradient) {
                                     backward[layer + 1] = Clock::now();
                                     return gradient;
                                   });
                                 }};
    objective_->loss(model_->forward(options), options).backward();
    backward[0] = Clock::now();
    for (std::size_t i = 0; i < count; ++i) {
      times[i].push_back(passed(forward[i], forward[i + 1]) + passed(backward[i + 1], backward[i]));
    }
  }
  std::vector<double> medians;
  for (std::vector<double>& each : times) medians.push_back(median(std::move(each)));
  return medians;
}

FrontierPlan EpochRun::plan() const {
  return is_gir_ ? FrontierPlan(*graph_, anchors_, layers()) : FrontierPlan::of_all_nodes(*graph_, layers());
}

StackShape EpochRun::shape() const {
  StackShape result{.nodes = graph_->num_nodes(),
                    .widths = {anchor_labels_only_ ? 1 + std::ssize(anchors_) : num_features(data_.features)},
                    .self_weights = is_gir_,
                    .one_hot_input = anchor_labels_only_};
  for (std::int64_t layer = 0; layer < layers(); ++layer) result.widths.push_back(benchmark_.hidden);
  if (!benchmark_.lp) result.widths.back() = data_.labels.num_classes();
  return result;
}

void EpochRun::split_nodes() {
  for (NodeId v = 0; v < data_.graph.num_nodes(); ++v) (v % 2 == 0 ? nodes_.train : nodes_.valid).push_back(v);
  nodes_.test = nodes_.valid;
  graph_ = &data_.graph;
}

void EpochRun::split_links() {
  const auto edges = static_cast<double>(count_undirected_edges(data_.graph));
  links_ = PairSplit::of_links(data_.graph, benchmark_.seed, {1 - 2 / edges, 1 / edges, 1 / edges});
  graph_ = &links_->message_graph();
}

}  // namespace gir::cli
