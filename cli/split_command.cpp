#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "gir/cli/session.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/data/split_choice.h"
#include "gir/io/split_files.h"
#include "graph_input.h"

namespace gir::cli {
namespace {

namespace fs = std::filesystem;

/// The arguments of `gir data split`.
struct SplitRequest {
  GraphInput graph;
  std::string task;
  std::optional<std::uint64_t> split;
  std::string shares;
  std::string output;
};

std::vector<std::pair<NodeId, NodeId>> as_items(const std::vector<NodePair>& pairs) {
  std::vector<std::pair<NodeId, NodeId>> items;
  for (const NodePair pair : pairs) items.emplace_back(pair.first, pair.second);
  return items;
}

std::vector<SplitFile> files_of_nodes(NodeSplit split) {
  return {{.name = "train.txt", .nodes = std::move(split.train)},
          {.name = "valid.txt", .nodes = std::move(split.valid)},
          {.name = "test.txt", .nodes = std::move(split.test)}};
}

std::vector<SplitFile> files_of_pairs(const PairSplit& split) {
  return {{.name = "train.txt", .pairs = as_items(split.train_positives())},
          {.name = "valid.txt", .pairs = as_items(split.valid().positives)},
          {.name = "valid_neg.txt", .pairs = as_items(split.valid().negatives)},
          {.name = "test.txt", .pairs = as_items(split.test().positives)},
          {.name = "test_neg.txt", .pairs = as_items(split.test().negatives)}};
}

/// The split that gir train makes with the same flags.
SplitChoice choice_of(const SplitRequest& request, const Dataset& dataset) {
  const DataRequest& source = request.graph.request;
  SplitChoice choice{.task = request.task.empty() ? default_task(dataset) : parse_task(request.task),
                     .number = request.split.value_or(0),
                     .from = source.split_from};
  if (!request.shares.empty()) choice.shares = parse_shares(request.shares);
  if (source.graph.empty()) choice.header = {.line = source.read.header, .own_nodes = true};
  choice.official = prefers_official_split(dataset, choice, request.split.has_value());
  return choice;
}

/// What the user should know about the split that comes with the data.
std::string about_official(const Dataset& dataset, const SplitRequest& request) {
  const std::size_t count = dataset.link_splits.files.size();
  if (count == 0) return "this is the official split of the data [`split` N draws one]";
  return fmt::format("this is split {} of the {} published ones, with a validation part [`split-shares` draws another]",
                     request.split.value_or(0), count);
}

/// Creates the folder; a folder with files is refused, since its files may be parts of another split.
void make_folder(const fs::path& folder) {
  if (fs::exists(folder) && (!fs::is_directory(folder) || !fs::is_empty(folder))) {
    throw UserError(folder, "exists and is not an empty folder [choose an empty or new folder]");
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw UserError(folder, "cannot be created: {} [choose another folder]", error.message());
}

void split(const Session& session, const SplitRequest& request) {
  const DataRequest& source = request.graph.request;
  if (source.name().empty()) throw UserError("there is no graph to split [name one, or give `split-from`]");
  const Dataset dataset = request.graph.open(session);
  const SplitChoice choice = choice_of(request, dataset);
  ChosenSplit chosen = choose_split(dataset, choice);
  for (const std::string& note : chosen.notes) session.note("note: " + note);
  const std::vector<SplitFile> files =
      chosen.pairs ? files_of_pairs(*chosen.pairs) : files_of_nodes(std::move(chosen.nodes));
  make_folder(request.output);
  write_split_files(request.output, files, dataset.data.graph.names());
  nlohmann::json document = {
      {"folder", request.output}, {"task", task_name(choice.task)}, {"official_split", choice.official}};
  std::vector<std::string> parts;
  for (const SplitFile& file : files) {
    const std::size_t count = file.pairs.size() + file.nodes.size();
    if (count == 0) continue;
    document["files"][file.name] = count;
    parts.push_back(fmt::format("{} ({})", file.name, with_thousands(static_cast<std::int64_t>(count))));
  }
  if (session.format() == OutputFormat::kJson) {
    session.print_json(document);
    return;
  }
  session.print(fmt::format("wrote {}: {}\n", request.output, join(parts, ", ")));
  if (choice.official) session.note(about_official(dataset, request));
  std::string reading = request.graph.flags();
  if (!session.data_dir.empty()) reading += " --data-dir " + shell_word(session.data_dir.string());
  const std::string graph = source.graph.empty() ? "" : " --graph " + shell_word(source.graph);
  session.note(fmt::format("gir train{}{} --task {} --split-from {} -o RUN uses this split", graph, reading,
                           task_name(choice.task), shell_word(request.output)));
}

void add_split(CLI::App& command, Session& session) {
  const auto request = std::make_shared<SplitRequest>();
  set_action(command, session, [&session, request] { split(session, *request); });
  command.add_option("graph", request->graph.request.graph, "Name of a data set, file or folder")
      ->type_name("NAME_OR_FILE");
  command
      .add_option("--split-from", request->graph.request.split_from,
                  "A split to write as such a folder: a folder, .mat or .npz file; for lp also without a graph")
      ->type_name("PATH");
  command.add_option("-o,--output", request->output, "Folder for train.txt, valid.txt, ...; must be new or empty")
      ->required()
      ->type_name("DIR");
  command.add_option("--task", request->task, "nc, lp or npc; default: as in gir train")->type_name("NAME");
  command
      .add_option("--split", request->split,
                  "Number of the split, as in gir train; default: the official split of data sets that gir train uses "
                  "it for, else 0")
      ->type_name("N");
  command
      .add_option("--split-shares", request->shares,
                  "Shares of training, validation and test set, as in gir train: 0.85,0.05,0.1")
      ->type_name("A,B,C");
  add_graph_flags(command, request->graph);
}

const Registered<CommandEntry> data_split_entry{{
    .name = "data split",
    .summary = "Write a split as files that other tools can use, too",
    .add = add_split,
}};

}  // namespace
}  // namespace gir::cli
