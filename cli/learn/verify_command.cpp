#include <ATen/core/Tensor.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "../graph_input.h"
#include "../number_range.h"
#include "gir/anchors/anchors.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/graph/generators.h"
#include "gir/graph/traversal.h"
#include "gir/models/verify.h"
#include "learn_commands.h"

namespace gir::cli {
namespace {

using nlohmann::json;

/// The arguments of `gir verify`.
struct VerifyRequest {
  GraphInput graph;
  AnchorOptions anchors;
  std::int64_t count = 0;        ///< 0: the default of the data set
  std::int64_t anchor_sets = 0;  ///< 0: the default of the data set
  bool explain = false;
};

std::vector<NodeId> chosen_anchors(const VerifyRequest& request, const Dataset& dataset) {
  const Graph& graph = dataset.data.graph;
  if (!request.anchors.file.empty()) return read_anchors(request.anchors.file, graph);
  AnchorOptions options = request.anchors;
  options.count = request.count != 0 ? request.count : std::min(dataset.sizes.anchors, graph.num_nodes());
  return select_anchors(graph, options).anchors;
}

/// The requested number of sets, or the largest one that divides the number of anchors, up to the default of the data
/// set.
std::int64_t chosen_sets(const VerifyRequest& request, const Dataset& dataset, std::int64_t anchors) {
  if (request.anchor_sets != 0) return request.anchor_sets;
  std::int64_t sets = std::max<std::int64_t>(1, std::min(dataset.sizes.anchor_sets, anchors / 2));
  while (anchors % sets != 0) --sets;
  return sets;
}

std::string distance_text(double distance) { return distance == kUnreachable ? "none" : fmt::format("{:g}", distance); }

json to_json(const Graph& graph, std::span<const NodeId> anchors, const Verification& verification) {
  json theorems = json::array();
  for (const TheoremCheck& check : verification.theorems) {
    json wrong = json::array();
    for (const WrongDistance& each : check.wrong) {
      wrong.push_back({{"node", graph.names().name(each.node)},
                       {"target", each.target},
                       {"expected", each.expected},
                       {"read", each.read}});
    }
    theorems.push_back({{"model", check.model},
                        {"claim", check.claim},
                        {"layers", check.layers},
                        {"checked", check.checked},
                        {"mismatches", check.mismatches},
                        {"largest_error", check.largest_error},
                        {"wrong", wrong}});
  }
  json readings = json::array();
  for (const auto& [distance, count] : verification.anchors.by_reading) {
    readings.push_back({{"read", distance}, {"anchors", count}});
  }
  return {{"holds", verification.holds()},
          {"nodes", graph.num_nodes()},
          {"anchors", anchors.size()},
          {"theorems", theorems},
          {"vanilla_on_anchors", {{"right", verification.anchors.right}, {"readings", readings}}},
          {"notes", verification.notes}};
}

Table to_table(const Verification& verification) {
  Table table{
      .columns =
          {{"model"}, {"recovers"}, {"layers", true}, {"checked", true}, {"wrong", true}, {"largest error", true}},
      .rows = {}};
  for (const TheoremCheck& check : verification.theorems) {
    table.rows.push_back({check.model, check.claim, std::to_string(check.layers), with_thousands(check.checked),
                          with_thousands(check.mismatches), fmt::format("{:.1g}", check.largest_error)});
  }
  return table;
}

/// The distances that vanilla GIR reads for the anchors themselves, which are wrong, in one line.
std::string anchor_line(const AnchorReadings& readings) {
  std::vector<std::string> parts;
  for (const auto& [distance, count] : readings.by_reading) {
    parts.push_back(
        fmt::format("{} ({} of {})", distance_text(distance), with_thousands(count), with_thousands(readings.anchors)));
  }
  return fmt::format("note: for the anchors themselves (distance 0) vanilla gir reads {} [--explain]\n",
                     join(parts, ", "));
}

/// The smallest connected graph on which vanilla GIR cannot distinguish an anchor from another node, computed by the
/// layer itself.
std::string counterexample() {
  const Graph path = generate_graph("path", {{"nodes", 3}}).graph;
  const std::vector<NodeId> anchors = {0};
  constexpr std::int64_t kLayers = 3;
  const std::vector<at::Tensor> vectors = trace_vanilla(path, anchors, kLayers);
  std::string text =
      "\nWhy vanilla GIR cannot identify an anchor: the path a - b - c with the one anchor a, all features equal.\n"
      "Vectors after each layer of the network above (one, reached now, reached before, distance so far):\n\n";
  text += fmt::format("{:<8}{:<14}{:<16}{:<16}c\n", "layer", "sends", "a (anchor)", "b");
  const std::vector<std::string> senders = {"a", "b", "a and c"};
  for (std::int64_t layer = 0; layer < kLayers; ++layer) {
    text += fmt::format("{:<8}{:<14}", layer + 1, senders[static_cast<std::size_t>(layer)]);
    for (std::int64_t node = 0; node < 3; ++node) {
      const double* row = vectors[static_cast<std::size_t>(layer)].data_ptr<double>() + node * 4;
      text += fmt::format("({:g}, {:g}, {:g}, {:g}){}", row[0], row[1], row[2], row[3], node < 2 ? "    " : "");
    }
    text += "\n";
  }
  return text +
         "\na sends in layer 1 and receives nothing; the message of b reaches both a and c in layer 2. From then on a "
         "and\n"
         "c have received the same messages, and no weights can distinguish them: a seems to be 2 hops away from "
         "itself.\n"
         "GIR-A labels the anchors and does not have this problem. More: docs/positions.md\n";
}

void verify(const Session& session, const VerifyRequest& request) {
  const Dataset dataset = request.graph.open(session);
  const Graph& graph = dataset.data.graph;
  const std::vector<NodeId> anchors = chosen_anchors(request, dataset);
  const VerifyOptions options{.anchor_sets = chosen_sets(request, dataset, std::ssize(anchors))};
  const Verification verification = verify_positions(
      graph, anchors, {.anchor_sets = options.anchor_sets, .context = session.context}, {}, session.progress());
  for (const std::string& note : verification.notes) session.note("note: " + note);
  if (session.format() == OutputFormat::kJson) {
    session.print_json(to_json(graph, anchors, verification));
  } else {
    session.print(render(to_table(verification), session.format()));
    if (session.format() == OutputFormat::kText) {
      session.print(anchor_line(verification.anchors));
      if (request.explain) session.print(counterexample());
    }
  }
  for (const TheoremCheck& check : verification.theorems) {
    for (const WrongDistance& each : check.wrong) {
      session.note(fmt::format("{}: node {}, target {}: breadth-first search gives {}, the network {}", check.model,
                               quoted(graph.names().name(each.node)), each.target, distance_text(each.expected),
                               distance_text(each.read)));
    }
  }
  if (!verification.holds()) throw InternalError("the layers do not recover the distances");
}

void add_verify_command(CLI::App& command, Session& session) {
  const auto request = std::make_shared<VerifyRequest>();
  set_action(command, session, [&session, request] { verify(session, *request); });
  const auto positive = between(std::int64_t{1}, kMaxNodes);
  command.add_option("graph", request->graph.request.graph, "Name of a data set, file or folder")
      ->required()
      ->type_name("NAME_OR_FILE");
  CLI::Option* file =
      command.add_option("--anchors", request->anchors.file, "File with the ids of the anchors, one per line")
          ->type_name("FILE");
  command.add_option("--count", request->count, "Maximum number of anchors; default: that of the data set, else 64")
      ->check(positive)
      ->excludes(file)
      ->type_name("K");
  command.add_option("--strategy", request->anchors.strategy, "Anchor selection (gir info strategies)")
      ->capture_default_str()
      ->excludes(file)
      ->type_name("NAME");
  command
      .add_option("--anchor-sets", request->anchor_sets,
                  "gir-mix: number of anchor sets; default: 8, or fewer if necessary")
      ->check(positive)
      ->type_name("N");
  command.add_flag("--explain", request->explain, "Show the smallest connected graph on which vanilla GIR fails");
  add_graph_flags(command, request->graph);
}

const Registered<CommandEntry> verify_entry{{
    .name = "verify",
    .summary = "Verify on a graph that GIR layers recover the distances to the anchors",
    .add = add_verify_command,
}};

}  // namespace
}  // namespace gir::cli
