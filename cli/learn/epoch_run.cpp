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

}  // namespace

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

EpochRun::EpochRun(const AttributedGraph& data, const EpochBenchmark& asked, const std::string& model,
                   const Context& context)
    : data_(data),
      asked_(asked),
      context_(context),
      is_gir_(model != "gcn"),
      labels_alone_(labels_alone(asked, model)) {
  if (asked.memory_budget > 0) context_.memory_budget = static_cast<std::int64_t>(std::ldexp(asked.memory_budget, 30));
  const ContextScope scope(context_);
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
    description_.emplace("", PairInputs{.graphs = {.graph = *graph_, .training = {}}, .anchors = anchors_});
    decoder_ = Registry<DecoderEntry>::get("dot").make({.width = asked.hidden, .seed = asked.seed});
    objective_ = pair_objective({.split = *links_,
                                 .decoder = *decoder_,
                                 .description = *description_,
                                 .seed = asked.seed,
                                 .device = context_.device});
  } else {
    objective_ = node_objective(data.labels, nodes_);
  }
  move_to_device(model_->parameters().all(), context_.device);
  if (decoder_) move_to_device(decoder_->parameters().all(), context_.device);
  // One epoch more: the last one is judged, too, and does not count.
  const std::int64_t epochs = asked.warmup + asked.repeat + 1;
  trainer_.emplace(*model_, *objective_, TrainerOptions{.epochs = epochs, .evaluate_every = epochs}, context_);
  memory_.emplace(*model_, *objective_, context_);
}

std::vector<double> EpochRun::measure() {
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

std::vector<double> EpochRun::measure_layers() {
  using Clock = std::chrono::steady_clock;
  const auto passed = [](Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
  };
  if (stretch() > 0) return {};
  const ContextScope scope(context_);
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

FrontierPlan EpochRun::plan() const {
  return is_gir_ ? FrontierPlan(*graph_, anchors_, layers()) : FrontierPlan::of_everyone(*graph_, layers());
}

StackShape EpochRun::shape() const {
  StackShape result{.nodes = graph_->num_nodes(),
                    .widths = {labels_alone_ ? 1 + std::ssize(anchors_) : num_features(data_.features)},
                    .self_weights = is_gir_,
                    .one_hot_input = labels_alone_};
  for (std::int64_t layer = 0; layer < layers(); ++layer) result.widths.push_back(asked_.hidden);
  if (!asked_.lp) result.widths.back() = data_.labels.num_classes();
  return result;
}

void EpochRun::split_nodes() {
  for (NodeId v = 0; v < data_.graph.num_nodes(); ++v) (v % 2 == 0 ? nodes_.train : nodes_.valid).push_back(v);
  nodes_.test = nodes_.valid;
  graph_ = &data_.graph;
}

void EpochRun::split_links() {
  const auto edges = static_cast<double>(count_undirected_edges(data_.graph));
  links_ = PairSplit::of_links(data_.graph, asked_.seed, {1 - 2 / edges, 1 / edges, 1 / edges});
  graph_ = &links_->message_graph();
}

}  // namespace gir::cli
