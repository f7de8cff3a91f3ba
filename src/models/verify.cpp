#include "gir/models/verify.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gir/anchors/frontiers.h"
#include "gir/core/error.h"
#include "gir/graph/traversal.h"
#include "gir/nn/device.h"
#include "gir/nn/frontier_linear.h"
#include "position_networks.h"

namespace gir {
namespace {

constexpr double kTolerance = 1e-6;  ///< distances are integers, computed in double precision
constexpr std::int64_t kAnchorsAtOnce =
    16;  ///< labels do not interact, so a few at a time give the same result with less memory
constexpr std::size_t kMaxExamples = 5;

using Distances = Array<std::int32_t>;

/// The frontiers of successive layers, of which only the current one is stored.
class MovingFrontier {
 public:
  MovingFrontier(const Graph& graph, std::span<const NodeId> anchors)
      : graph_(graph), frontier_(anchors.begin(), anchors.end()) {
    std::sort(frontier_.begin(), frontier_.end());
  }

  /// The edges that leave the frontier; their receivers become the next frontier.
  FrontierEdges advance() {
    FrontierEdges edges = edges_leaving(graph_, frontier_);
    frontier_.assign(edges.receivers.begin(), edges.receivers.end());
    return edges;
  }

 private:
  const Graph& graph_;
  std::vector<NodeId> frontier_;
};

std::int32_t farthest(const Distances& distances) {
  return distances.empty() ? 0 : std::max(0, *std::max_element(distances.begin(), distances.end()));
}

/// The output of a network for one target: `reached_column` is about 1 for nodes that were reached.
struct Reading {
  const at::Tensor& out;
  std::int64_t reached_column;
  std::int64_t hops_column;

  double at(NodeId node) const {
    const double* row = out.data_ptr<double>() + node * out.size(1);
    return row[reached_column] < 0.5 ? kUnreachable : row[hops_column];
  }
};

/// The layer of the models, computed on a device.
LayerFunction layer_on(const at::Device& device) {
  return [device](const at::Tensor& h, const at::Tensor& w_self, const at::Tensor& w_messages, const at::Tensor& bias,
                  const Messages& messages) {
    const auto on_device = [&](const at::Tensor& tensor) { return tensor.defined() ? tensor.to(device) : tensor; };
    return frontier_linear(on_device(h), on_device(w_self), on_device(w_messages), on_device(bias), messages).cpu();
  };
}

class Verifier {
 public:
  Verifier(const Graph& graph, std::span<const NodeId> anchors, const LayerFunction& layer,
           const ProgressCallback& progress)
      : graph_(graph), anchors_(anchors), layer_(layer), progress_(progress) {
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      max_senders_ = std::max(max_senders_, static_cast<double>(graph.in_degree(v)));
    }
  }

  TheoremCheck labelled() {
    TheoremCheck check{.model = "gir-a", .claim = "d(v, a) for every node v and anchor a", .wrong = {}};
    const auto count = std::ssize(anchors_);
    for (std::int64_t first = 0; first < count; first += kAnchorsAtOnce) {
      const auto size = static_cast<std::size_t>(std::min(kAnchorsAtOnce, count - first));
      const auto slice = anchors_.subspan(static_cast<std::size_t>(first), size);
      std::vector<Distances> expected;
      std::int64_t layers = 1;
      for (const NodeId anchor : slice) {
        expected.push_back(hop_distances(graph_, anchor));
        layers = std::max<std::int64_t>(layers, farthest(expected.back()));
      }
      const at::Tensor out = run_labelled(slice, layers);
      for (std::size_t a = 0; a < size; ++a) {
        const auto column = static_cast<std::int64_t>(a);
        const Reading reading{out, column, std::ssize(slice) + column};
        for (NodeId v = 0; v < graph_.num_nodes(); ++v) {
          compare(v, first + column, expected[a][v], reading.at(v), check);
        }
      }
      check.layers = std::max(check.layers, layers);
    }
    return check;
  }

  TheoremCheck vanilla(AnchorReadings& readings) {
    TheoremCheck check{.model = "gir", .claim = "d(v, A) for every node v outside the anchors A", .wrong = {}};
    const std::vector<std::span<const NodeId>> sets = {anchors_};
    const at::Tensor out = run_sets(sets, check);
    const Reading reading{out, 0, 1};
    std::map<std::int32_t, std::int64_t> by_reading;
    for (const NodeId anchor : anchors_) ++by_reading[static_cast<std::int32_t>(std::lround(reading.at(anchor)))];
    readings = {.anchors = std::ssize(anchors_),
                .right = by_reading.contains(0) ? by_reading[0] : 0,
                .by_reading = {by_reading.begin(), by_reading.end()}};
    return check;
  }

  TheoremCheck mixed(std::int64_t anchor_sets) {
    TheoremCheck check{.model = "gir-mix", .claim = "d(v, A_i) for every set A_i and node v outside it", .wrong = {}};
    const std::size_t size = anchors_.size() / static_cast<std::size_t>(anchor_sets);
    std::vector<std::span<const NodeId>> sets;
    for (std::int64_t i = 0; i < anchor_sets; ++i) {
      sets.push_back(anchors_.subspan(static_cast<std::size_t>(i) * size, size));
    }
    run_sets(sets, check);
    return check;
  }

 private:
  void report(std::string_view what, std::int64_t done, std::int64_t total, std::string_view unit) const {
    if (progress_) progress_({.what = what, .done = done, .total = total, .unit = unit});
  }

  at::Tensor apply(const HandMadeLayer& weights, const at::Tensor& h, const FrontierEdges& edges, bool linear) const {
    const Messages messages(edges, graph_.num_nodes(), MessageFunction::kMean);
    const at::Tensor out = layer_(h, weights.self, weights.messages, weights.bias, messages);
    return linear ? out : at::relu(out);
  }

  /// All anchors send messages, but only those of `slice` are labelled.
  at::Tensor run_labelled(std::span<const NodeId> slice, std::int64_t layers) const {
    const auto labels = std::ssize(slice);
    at::Tensor h = at::zeros({graph_.num_nodes(), labels}, at::kDouble);
    for (std::int64_t a = 0; a < labels; ++a) h[slice[static_cast<std::size_t>(a)]][a] = 1;
    MovingFrontier frontier(graph_, anchors_);
    const std::int64_t before = slice.data() - anchors_.data();
    for (std::int64_t number = 1; number <= layers; ++number) {
      h = apply(labelled_network::layer(number, labels, max_senders_), h, frontier.advance(), false);
      report("gir-a", before + labels * number / layers, std::ssize(anchors_), "anchors");
    }
    return apply(labelled_network::read_out(labels), h, frontier.advance(), true);
  }

  /// Every set has its own frontiers; layers read the concatenated vectors of all sets, as those of gir-mix do.
  /// Compares the distances of all nodes outside the sets. Returns [nodes, 2 sets].
  at::Tensor run_sets(const std::vector<std::span<const NodeId>>& sets, TheoremCheck& check) const {
    std::vector<Distances> expected;
    for (const auto& set : sets) {
      expected.push_back(hop_distances(graph_, set));
      // One layer more than the farthest node needs: an anchor may be the last to receive a message.
      check.layers = std::max<std::int64_t>(check.layers, farthest(expected.back()) + 1);
    }
    std::vector<MovingFrontier> frontiers;
    for (const auto& set : sets) frontiers.emplace_back(graph_, set);
    at::Tensor h = at::ones({graph_.num_nodes(), 1}, at::kDouble);
    for (std::int64_t number = 1; number <= check.layers; ++number) {
      h = apply_to_sets(vanilla_network::layer(number), h, frontiers, false);
      report(check.model, number, check.layers, "layers");
    }
    h = apply_to_sets(vanilla_network::read_out(check.layers), h, frontiers, true);
    for (std::int64_t i = 0; i < std::ssize(sets); ++i) {
      compare_set(sets[static_cast<std::size_t>(i)], i, expected[static_cast<std::size_t>(i)], h, check);
    }
    return h;
  }

  at::Tensor apply_to_sets(const HandMadeLayer& weights, const at::Tensor& h, std::vector<MovingFrontier>& frontiers,
                           bool linear) const {
    const std::int64_t rows = weights.self.size(0);
    std::vector<at::Tensor> parts;
    for (std::size_t i = 0; i < frontiers.size(); ++i) {
      // The weights of a set use only its own part of the vector; the input of the first layer is the same for all.
      const std::int64_t begin = h.size(1) == 1 ? 0 : static_cast<std::int64_t>(i) * rows;
      const auto widened = [&](const at::Tensor& narrow) {
        at::Tensor wide = at::zeros({h.size(1), narrow.size(1)}, at::kDouble);
        wide.narrow(0, begin, rows).copy_(narrow);
        return wide;
      };
      parts.push_back(
          apply({widened(weights.self), widened(weights.messages), weights.bias}, h, frontiers[i].advance(), linear));
    }
    return at::cat(parts, 1).contiguous();
  }

  void compare_set(std::span<const NodeId> set, std::int64_t index, const Distances& expected, const at::Tensor& out,
                   TheoremCheck& check) const {
    const Reading reading{out, 2 * index, 2 * index + 1};
    Array<std::uint8_t> in_set(graph_.num_nodes(), 0);
    for (const NodeId anchor : set) in_set[anchor] = 1;
    for (NodeId v = 0; v < graph_.num_nodes(); ++v) {
      if (in_set[v] == 0) compare(v, index, expected[v], reading.at(v), check);
    }
  }

  void compare(NodeId node, std::int64_t target, std::int32_t expected, double read, TheoremCheck& check) const {
    ++check.checked;
    const double error = std::abs(read - expected);
    if (error <= kTolerance) {
      check.largest_error = std::max(check.largest_error, error);
      return;
    }
    ++check.mismatches;
    if (check.wrong.size() < kMaxExamples) check.wrong.push_back({node, target, expected, read});
  }

  const Graph& graph_;
  std::span<const NodeId> anchors_;
  LayerFunction layer_;
  const ProgressCallback& progress_;
  double max_senders_ = 1;
};

}  // namespace

bool Verification::holds() const {
  return std::all_of(theorems.begin(), theorems.end(), [](const auto& check) { return check.mismatches == 0; });
}

Verification verify_positions(const Graph& graph, std::span<const NodeId> anchors, const VerifyOptions& options,
                              const LayerFunction& layer, const ProgressCallback& progress) {
  if (anchors.empty()) throw UserError("no anchors [at least one is required]");
  const at::NoGradGuard no_gradients;
  const ContextScope scope(options.context);
  Verifier verifier(graph, anchors, layer ? layer : layer_on(torch_device(options.context.device)), progress);
  Verification result;
  result.theorems.push_back(verifier.labelled());
  result.theorems.push_back(verifier.vanilla(result.anchors));
  const std::int64_t sets = options.anchor_sets;
  const auto count = std::ssize(anchors);
  if (sets >= 1 && count % sets == 0 && count / sets > 1) {
    result.theorems.push_back(verifier.mixed(sets));
  } else if (count == 1) {
    result.notes.push_back(fmt::format("gir-mix skipped: its sets have more than one anchor, and there is only one"));
  } else {
    result.notes.push_back(
        fmt::format("gir-mix skipped: {} anchors cannot be divided into {} equal sets of more than one [`anchor-sets`]",
                    count, sets));
  }
  return result;
}

std::vector<at::Tensor> trace_vanilla(const Graph& graph, std::span<const NodeId> anchors, std::int64_t layers) {
  const at::NoGradGuard no_gradients;
  const ContextScope scope({});
  MovingFrontier frontier(graph, anchors);
  at::Tensor h = at::ones({graph.num_nodes(), 1}, at::kDouble);
  std::vector<at::Tensor> vectors;
  for (std::int64_t number = 1; number <= layers; ++number) {
    const FrontierEdges edges = frontier.advance();
    const Messages messages(edges, graph.num_nodes(), MessageFunction::kMean);
    const HandMadeLayer weights = vanilla_network::layer(number);
    h = at::relu(frontier_linear(h, weights.self, weights.messages, weights.bias, messages));
    vectors.push_back(h);
  }
  return vectors;
}

}  // namespace gir
