#include <fmt/format.h>

#include <iostream>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>

#include "../graph_input.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/io/gzip.h"
#include "gir/io/node_lists.h"
#include "gir/runs/embeddings.h"
#include "gir/runs/open_run.h"
#include "gir/runs/predictions.h"
#include "learn_commands.h"
#include "run_flags.h"

namespace gir::cli {
namespace {

/// A finished run, and where its data is now.
struct RunInput {
  std::string folder;
  GraphInput graph;

  FinishedRun open(const Session& session, bool other_graph) const {
    FinishedRun run = open_run(RunDirectory::open(folder), {.context = session.context,
                                                            .data_dir = session.data_dir,
                                                            .data = graph.complete(),
                                                            .other_graph = other_graph});
    if (!graph.request.graph.empty()) print_notes(session, *run.data);
    return run;
  }
};

void add_run_arguments(CLI::App& command, RunInput& input, const std::string& graph_help) {
  command.add_option("run", input.folder, "Folder of a finished run")->required()->type_name("RUN_DIR");
  command.add_option("--graph", input.graph.request.graph, graph_help)->type_name("NAME_OR_FILE");
  command.add_option("--split-from", input.graph.request.split_from, "The split of the run at another path")
      ->type_name("PATH");
  add_graph_flags(command, input.graph);
}

constexpr const char* kSameGraph = "The graph of the run at another path, or in another format";
constexpr const char* kAnyGraph =
    "The graph of the run at another path, or in another format; for inductive models also another graph";

/// "7 validation nodes and 7 test nodes", "10 validation pairs with 10 negatives and 11 test pairs with 30 negatives".
/// After a refit, validation data is training data.
std::string evaluated_sets(const Experiment& experiment) {
  std::vector<std::string> sets;
  if (const PairSplit* pairs = experiment.pair_split()) {
    const auto add = [&](const char* name, const EvaluationPairs& set) {
      if (set.positives.empty()) return;
      sets.push_back(fmt::format("{} {} pairs with {} negatives", set.positives.size(), name, set.negatives.size()));
    };
    add("validation", pairs->valid());
    add("test", pairs->test());
  } else {
    const auto add = [&](const char* name, const std::vector<NodeId>& set) {
      if (!set.empty()) sets.push_back(fmt::format("{} {} nodes", set.size(), name));
    };
    add("validation", experiment.node_split().valid);
    add("test", experiment.node_split().test);
  }
  return sets.empty() ? "nothing, since there is no test set" : join(sets, " and ");
}

/// Which training the parameters are of.
std::string training_text(const RunResult& result) {
  if (!result.refit) return fmt::format("of epoch {}", result.best_epoch);
  return fmt::format("of the refit, {} epochs on training and validation data", result.best_epoch);
}

/// `gir eval`
void evaluate(const Session& session, const RunInput& input) {
  FinishedRun run = input.open(session, /*other_graph=*/false);
  RunResult result = run.experiment->evaluate();
  add_history(RunDirectory::open(input.folder), result);
  const bool tests = !result.test.values.empty();
  const bool known = tests && !result.messages.empty() && result.messages != name_of(MessageEdges::kTrain);
  session.note(fmt::format("evaluated {} on {} ({}) with the parameters {}: {}{}{}", result.model, result.dataset,
                           task_name(result.task), training_text(result), evaluated_sets(*run.experiment),
                           known ? "; for test pairs, validation edges carry messages, too" : "",
                           result.refit ? "; the validation metrics are those of the model before the refit" : ""));
  for (const std::string& note : class_mean_notes(result, std::ssize(run.classes))) session.note("note: " + note);
  if (session.format() == OutputFormat::kJson) {
    session.print(record_text(make_record(result, *run.data)));
  } else {
    session.print(render(metrics_table(result), session.format()));
  }
}

/// Messages along the edges that the user chose: by default along all, since nothing is evaluated.
void choose_messages(FinishedRun& run, const std::string& chosen) {
  if (run.other_graph) {
    if (chosen.empty()) return;
    throw UserError("--messages is for the graph of the run: on another graph, all edges carry messages [omit it]");
  }
  if (run.experiment->task() != Task::kLinkPrediction) {
    if (chosen.empty()) return;
    throw UserError("--messages is for link prediction: for {}, all edges carry messages [omit it]",
                    task_name(run.experiment->task()));
  }
  const MessageEdges edges = chosen.empty() ? MessageEdges::kAll : parse_name<MessageEdges>(chosen);
  if (edges != MessageEdges::kTrain) run.experiment = run.experiment->with_messages(edges);
}

void add_messages_flag(CLI::App& command, std::string& messages) {
  command
      .add_option("--messages", messages,
                  "lp: edges that carry messages: all (default), known (without test edges) or train")
      ->type_name("NAME");
}

/// The arguments of `gir embed`.
struct EmbedRequest {
  RunInput run;
  std::string messages;
  std::string output;
};

void write_vectors(const Session& session, const std::string& output, const at::Tensor& vectors,
                   const NodeNames& names) {
  write_embeddings(output, vectors, names);
  std::string files = output;
  if (!holds_node_names(output)) {
    const std::filesystem::path ids = std::filesystem::path(output).replace_extension(".nodes.txt");
    write_node_names(ids, names);
    files += " and " + ids.string();
  }
  session.note(fmt::format("wrote {} ({} nodes, {} values each)", files, vectors.size(0), vectors.size(1)));
}

void print_other_graph(const Session& session, const FinishedRun& run) {
  if (!run.other_graph) return;
  session.note(
      fmt::format("note: {} is another graph than that of the run: the model is applied to it", run.data->name));
}

void embed(const Session& session, const EmbedRequest& request) {
  FinishedRun run = request.run.open(session, /*other_graph=*/true);
  print_other_graph(session, run);
  choose_messages(run, request.messages);
  write_vectors(session, request.output, run.experiment->forward().embeddings, run.data->data.graph.names());
}

/// The arguments of `gir predict`.
struct PredictRequest {
  RunInput run;
  std::string messages;
  std::string pairs;
  std::string nodes;
  std::string output;
};

/// The text of a file, or of standard input for "-", and what messages call it.
class ListText {
 public:
  explicit ListText(const std::string& path) {
    if (path == "-") {
      typed_.assign(std::istreambuf_iterator<char>(std::cin), {});
    } else {
      file_.emplace(path);
      source_ = path;
    }
  }

  std::string_view text() const { return file_ ? file_->text() : std::string_view(typed_); }
  const std::filesystem::path& source() const { return source_; }

 private:
  std::optional<TextFile> file_;
  std::string typed_;
  std::filesystem::path source_ = "standard input";
};

std::vector<NodeId> wanted_nodes(const PredictRequest& request, const NodeNames& names) {
  if (!request.nodes.empty()) {
    const ListText list(request.nodes);
    return parse_node_lines(list.text(), list.source(), names).items;
  }
  std::vector<NodeId> all(static_cast<std::size_t>(names.size()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void predict(const Session& session, const PredictRequest& request) {
  const Task task = parse_task(directory_config(RunDirectory::open(request.run.folder)).task);
  if (!request.pairs.empty() && !request.nodes.empty()) {
    throw UserError("both pairs and nodes are given [use --pairs FILE or --nodes FILE]");
  }
  if (request.pairs.empty() && request.nodes.empty() && task != Task::kNodeClassification) {
    throw UserError("{} was trained to score pairs, and none are given [use --pairs FILE]", request.run.folder);
  }
  FinishedRun run = request.run.open(session, /*other_graph=*/true);
  print_other_graph(session, run);
  choose_messages(run, request.messages);
  const NodeNames& names = run.data->data.graph.names();
  std::size_t count = 0;
  if (!request.pairs.empty()) {
    const ListText list(request.pairs);
    const auto pairs = parse_node_pair_lines(list.text(), list.source(), names);
    for (const std::string& note : pairs.notes) session.note("note: " + note);
    count = pairs.items.size();
    write_pair_scores(request.output, *run.experiment, names, pairs.items);
  } else {
    const auto nodes = wanted_nodes(request, names);
    count = nodes.size();
    write_node_classes(request.output, *run.experiment, names, run.classes, nodes);
  }
  session.note(fmt::format("wrote {} ({} predictions)", request.output, count));
}

void add_eval_command(CLI::App& command, Session& session) {
  const auto input = std::make_shared<RunInput>();
  set_action(command, session, [&session, input] { evaluate(session, *input); });
  add_run_arguments(command, *input, kSameGraph);
}

void add_embed_command(CLI::App& command, Session& session) {
  const auto embedding = std::make_shared<EmbedRequest>();
  set_action(command, session, [&session, embedding] { embed(session, *embedding); });
  command.add_option("-o,--output", embedding->output, "Output file: .npy, .csv, .tsv, or .vec (word2vec text format)")
      ->required()
      ->type_name("FILE");
  add_messages_flag(command, embedding->messages);
  add_run_arguments(command, embedding->run, kAnyGraph);
}

void add_predict_command(CLI::App& command, Session& session) {
  const auto prediction = std::make_shared<PredictRequest>();
  set_action(command, session, [&session, prediction] { predict(session, *prediction); });
  command
      .add_option("--pairs", prediction->pairs,
                  "File with two node ids per line (-: standard input): predict the probability of a link, or of the "
                  "same class")
      ->type_name("FILE");
  command
      .add_option("--nodes", prediction->nodes,
                  "File with one node id per line (-: standard input): predict the class and the probability of each "
                  "class; default: all nodes")
      ->type_name("FILE");
  add_messages_flag(command, prediction->messages);
  command.add_option("-o,--output", prediction->output, "Output file")->required()->type_name("OUT.csv");
  add_run_arguments(command, prediction->run, kAnyGraph);
}

const Registered<CommandEntry> eval_entry{{
    .name = "eval",
    .summary = "Evaluate a trained model",
    .add = add_eval_command,
}};

const Registered<CommandEntry> embed_entry{{
    .name = "embed",
    .summary = "Write the node embeddings of a trained model",
    .add = add_embed_command,
}};

const Registered<CommandEntry> predict_entry{{
    .name = "predict",
    .summary = "Predict scores of pairs or classes of nodes",
    .add = add_predict_command,
}};

}  // namespace
}  // namespace gir::cli
