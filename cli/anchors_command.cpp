#include <algorithm>
#include <memory>

#include "flag_text.h"
#include "gir/anchors/anchors.h"
#include "gir/cli/session.h"
#include "gir/core/text.h"
#include "graph_input.h"

namespace gir::cli {
namespace {

using nlohmann::json;

/// The arguments of `gir anchors`.
struct AnchorsRequest {
  GraphInput graph;
  AnchorOptions options;
  CLI::Option* count = nullptr;  ///< to see whether --count was given
  std::string output;
};

double percent(std::int64_t part, std::int64_t whole) {
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

json to_json(const Graph& graph, const AnchorOptions& options, const AnchorSelection& selection,
             const AnchorCoverage& coverage) {
  json names = json::array();
  for (const NodeId anchor : selection.anchors) names.push_back(graph.names().name(anchor));
  return {{"strategy", options.strategy},
          {"count", selection.anchors.size()},
          {"requested", options.count},
          {"restricted", selection.restricted},
          {"anchors", names},
          {"nodes", graph.num_nodes()},
          {"coverage", coverage.by_hop},
          {"unreached", coverage.unreached},
          {"reached_share", percent(graph.num_nodes() - coverage.unreached, graph.num_nodes()) / 100},
          {"eccentricity", coverage.eccentricity},
          {"notes", with_flags(selection.notes)}};
}

/// How well the anchors cover the graph, as text.
std::string coverage_text(const Graph& graph, const AnchorOptions& options, const AnchorSelection& selection,
                          const AnchorCoverage& coverage) {
  std::string text = fmt::format("{} anchors by {}", selection.anchors.size(), options.strategy);
  if (selection.restricted) {
    text += options.fill.empty() ? fmt::format(", restricted: it selects fewer than {}", options.count)
                                 : fmt::format(", restricted; topped up by {}", options.fill);
  }
  text += "\n";
  constexpr std::size_t kMaxShownHops = 10;
  for (std::size_t hop = 0; hop < coverage.by_hop.size() && hop <= kMaxShownHops; ++hop) {
    text += fmt::format("within {:>2} hops  {:>12} nodes, {:.1f} %\n", hop, with_thousands(coverage.by_hop[hop]),
                        percent(coverage.by_hop[hop], graph.num_nodes()));
  }
  text += fmt::format("reached         {:>12} nodes, {:.1f} %, the farthest at {} hops",
                      with_thousands(graph.num_nodes() - coverage.unreached),
                      percent(graph.num_nodes() - coverage.unreached, graph.num_nodes()), coverage.eccentricity);
  return text;
}

void choose_anchors(const Session& session, const AnchorsRequest& request) {
  const Dataset dataset = request.graph.open(session);
  const Graph& graph = dataset.data.graph;
  AnchorOptions options = request.options;
  if (request.count->count() == 0) options.count = std::min(options.count, graph.num_nodes());
  const AnchorSelection selection = select_anchors(graph, options);
  const AnchorCoverage coverage = anchor_coverage(graph, selection.anchors);
  if (!request.output.empty()) write_anchors(request.output, graph, selection.anchors);
  for (const std::string& note : selection.notes) session.note("note: " + note);
  if (session.format() == OutputFormat::kJson) {
    session.print_json(to_json(graph, options, selection, coverage));
  } else if (session.format() == OutputFormat::kText) {
    std::string names;
    for (const NodeId anchor : selection.anchors) names += graph.names().name(anchor) + "\n";
    if (request.output.empty()) session.print(names);
    session.note(coverage_text(graph, options, selection, coverage) +
                 (request.output.empty() ? "" : "\nwrote " + request.output));
  } else {
    Table table{.columns = {{"anchor"}, {"degree", true}}, .rows = {}};
    for (const NodeId anchor : selection.anchors) {
      table.rows.push_back({graph.names().name(anchor), std::to_string(graph.out_degree(anchor))});
    }
    session.print(render(table, session.format()));
  }
}

void add_anchors_command(CLI::App& command, Session& session) {
  const auto request = std::make_shared<AnchorsRequest>();
  set_action(command, session, [&session, request] { choose_anchors(session, *request); });
  AnchorOptions& options = request->options;
  command.add_option("graph", request->graph.request.graph, "Name of a data set, file or folder")
      ->required()
      ->type_name("NAME_OR_FILE");
  command.add_option("--strategy", options.strategy, "Selection strategy (gir info strategies)")
      ->capture_default_str()
      ->type_name("NAME");
  request->count =
      command.add_option("--count", options.count, "Maximum number of anchors")->capture_default_str()->type_name("N");
  command
      .add_option("--fill", options.fill, "Strategy that adds anchors up to --count where the first one selects fewer")
      ->type_name("NAME");
  command.add_option("--seed", options.seed, "Random seed")->capture_default_str()->type_name("N");
  command.add_option("--samples", options.samples, "Strategy betweenness: number of sampled sources")
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--anchors", options.file, "Strategy file: node ids of the anchors, one per line")
      ->type_name("FILE");
  command.add_option("-o,--output", request->output, "Write the ids of the anchors to this file, one per line")
      ->type_name("FILE");
  add_graph_flags(command, request->graph);
}

const Registered<CommandEntry> anchors_entry{{
    .name = "anchors",
    .summary = "Select anchor nodes and show how well they cover the graph",
    .add = add_anchors_command,
}};

}  // namespace
}  // namespace gir::cli
