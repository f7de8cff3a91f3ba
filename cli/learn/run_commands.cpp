#include <fmt/format.h>

#include <memory>

#include "../graph_input.h"
#include "gir/core/error.h"
#include "gir/io/node_lists.h"
#include "gir/runs/embeddings.h"
#include "gir/runs/open_run.h"
#include "gir/runs/predictions.h"
#include "learn_commands.h"
#include "run_flags.h"

namespace gir::cli {
namespace {

/// `gir eval`
void evaluate(const Session& session, const std::string& folder) {
  const RunDirectory directory = RunDirectory::open(folder);
  FinishedRun run = open_run(directory, session.context, session.data_dir);
  RunResult result = run.experiment->evaluate();
  add_history(directory, result);
  if (session.format() == OutputFormat::kJson) {
    session.print(record_text(make_record(result, *run.data)));
  } else {
    session.print(render(metrics_table(result), session.format()));
  }
}

/// The arguments of `gir embed`.
struct EmbedRequest {
  std::string folder;
  GraphInput graph;
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

void embed(const Session& session, const EmbedRequest& request) {
  const RunDirectory directory = RunDirectory::open(request.folder);
  if (!request.graph.request.graph.empty()) {
    const Dataset other = request.graph.open(session);
    const auto experiment = open_on_other_graph(directory, other, session.context);
    write_vectors(session, request.output, experiment->forward().embeddings, other.data.graph.names());
    return;
  }
  FinishedRun run = open_run(directory, session.context, session.data_dir);
  write_vectors(session, request.output, run.experiment->forward().embeddings, run.data->data.graph.names());
}

/// The arguments of `gir predict`.
struct PredictRequest {
  std::string folder;
  std::string pairs;
  std::string nodes;
  std::string output;
};

void predict(const Session& session, const PredictRequest& request) {
  if (request.pairs.empty() == request.nodes.empty()) {
    throw UserError("nothing to predict is given [use --pairs FILE or --nodes FILE]");
  }
  FinishedRun run = open_run(RunDirectory::open(request.folder), session.context, session.data_dir);
  const NodeNames& names = run.data->data.graph.names();
  std::size_t count = 0;
  if (!request.pairs.empty()) {
    const auto pairs = read_node_pairs(request.pairs, names);
    count = pairs.size();
    write_pair_scores(request.output, *run.experiment, names, pairs);
  } else {
    const auto nodes = read_node_list(request.nodes, names);
    count = nodes.size();
    write_node_classes(request.output, *run.experiment, *run.data, nodes);
  }
  session.note(fmt::format("wrote {} ({} predictions)", request.output, count));
}

void add_eval_command(CLI::App& app, Session& session) {
  const auto folder = std::make_shared<std::string>();
  CLI::App* eval =
      add_command(app, session, "eval", "Evaluate a trained model", [&session, folder] { evaluate(session, *folder); });
  eval->add_option("run", *folder, "Folder of a finished run")->required()->type_name("RUN_DIR");
}

void add_embed_command(CLI::App& app, Session& session) {
  const auto embedding = std::make_shared<EmbedRequest>();
  CLI::App* embed_command = add_command(app, session, "embed", "Write the node embeddings of a trained model",
                                        [&session, embedding] { embed(session, *embedding); });
  embed_command->add_option("run", embedding->folder, "Folder of a finished run")->required()->type_name("RUN_DIR");
  embed_command
      ->add_option("-o,--output", embedding->output, "Output file: .npy, .csv, .tsv, or .vec (word2vec text format)")
      ->required()
      ->type_name("FILE");
  embed_command->add_option("--graph", embedding->graph.request.graph, "Another graph, for inductive models")
      ->type_name("NAME_OR_FILE");
  add_graph_flags(*embed_command, embedding->graph);
}

void add_predict_command(CLI::App& app, Session& session) {
  const auto prediction = std::make_shared<PredictRequest>();
  CLI::App* predict_command = add_command(app, session, "predict", "Predict scores of pairs or classes of nodes",
                                          [&session, prediction] { predict(session, *prediction); });
  predict_command->add_option("run", prediction->folder, "Folder of a finished run")->required()->type_name("RUN_DIR");
  predict_command
      ->add_option("--pairs", prediction->pairs,
                   "File with two node ids per line: predict the probability of a link, or of the same class")
      ->type_name("FILE");
  predict_command
      ->add_option("--nodes", prediction->nodes,
                   "File with one node id per line: predict the class and the probability of each class")
      ->type_name("FILE");
  predict_command->add_option("-o,--output", prediction->output, "Output file")->required()->type_name("OUT.csv");
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
