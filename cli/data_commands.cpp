#include <algorithm>
#include <filesystem>
#include <memory>

#include "data_info.h"
#include "flag_text.h"
#include "gir/cli/session.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/data/dataset.h"
#include "graph_input.h"
#include "graph_output.h"

namespace gir::cli {
namespace {

using nlohmann::json;

/// The location of a data set on this machine: "built in", the folder of its files, or "" where they are missing.
std::string where(const DatasetEntry& entry, const Session& session) {
  if (entry.make != nullptr) return "built in";
  const auto folder = find_dataset_folder(entry, session.data_dir);
  return folder ? folder->string() : "";
}

/// Whether the features of a data set, which it can be read without, are missing in its folder.
bool lacks_features(const DatasetEntry& entry, const std::filesystem::path& folder) {
  if (entry.sources.empty()) return false;
  const std::vector<DataFile>& files = entry.sources.front().files;
  return std::any_of(files.begin(), files.end(), [&](const DataFile& file) {
    return file.optional && !std::filesystem::exists(folder / file.name);
  });
}

/// The same for readers of the list: "yes", "no", "built in" or "without features".
std::string presence(const DatasetEntry& entry, const std::string& place) {
  if (place.empty()) return "no";
  if (entry.make != nullptr) return "built in";
  return lacks_features(entry, place) ? "without features" : "yes";
}

void list_datasets(const Session& session) {
  json document = json::array();
  Table table{.columns = {{"name"}, {"task"}, {"here"}, {"summary"}}, .rows = {}};
  for (const DatasetEntry& entry : Registry<DatasetEntry>::all()) {
    const std::string place = where(entry, session);
    const std::string task(task_name(entry.task));
    const std::string summary = with_flags(entry.summary);
    table.rows.push_back({entry.name, task, presence(entry, place), summary});
    document.push_back({{"name", entry.name},
                        {"task", task},
                        {"here", !place.empty()},
                        {"complete", !place.empty() && !lacks_features(entry, place)},
                        {"folder", place},
                        {"summary", summary},
                        {"origin", entry.origin},
                        {"hidden", entry.sizes.hidden},
                        {"anchors", entry.sizes.anchors},
                        {"anchor_sets", entry.sizes.anchor_sets}});
  }
  if (session.format() == OutputFormat::kJson) {
    session.print_json(document);
    return;
  }
  session.print(render(table, session.format()));
  session.note("gir data fetch NAME downloads a data set; gir data info NAME describes it.");
}

void show_info(const Session& session, GraphInput input, const std::vector<std::string>& names) {
  json documents = json::array();
  std::string text;
  Table table = info_table();
  for (const std::string& name : names) {  // only one graph is in memory at a time
    input.request.graph = name;
    const Dataset dataset = input.open(session);
    const DatasetInfo info = describe(dataset);
    documents.push_back(to_json(info));
    text += (text.empty() ? "" : "\n") + to_text(info);
    table.rows.push_back(to_row(info));
  }
  if (session.format() == OutputFormat::kJson) {
    session.print_json(documents.size() == 1 ? documents[0] : documents);
  } else {
    session.print(session.format() == OutputFormat::kText ? text : render(table, session.format()));
  }
}

/// Downloads the named data sets, or all that have files.
void fetch(const Session& session, std::vector<std::string> names, const std::string& mirror) {
  if (std::find(names.begin(), names.end(), "all") != names.end()) {
    names.clear();
    for (const DatasetEntry& entry : Registry<DatasetEntry>::all()) {
      if (entry.make == nullptr) names.push_back(entry.name);
    }
  }
  for (const std::string& name : names) Registry<DatasetEntry>::get(name);  // report unknown names before downloading
  const ProgressCallback progress = session.progress();
  json document = json::array();
  for (const std::string& name : names) {
    const auto folder = fetch_dataset(name, {.data_dir = session.data_dir, .mirror = mirror}, progress);
    document.push_back({{"name", name}, {"folder", folder.string()}});
    if (session.format() != OutputFormat::kJson) session.print(fmt::format("{}: in {}\n", name, folder.string()));
  }
  if (session.format() == OutputFormat::kJson) session.print_json(document);
}

void convert(const Session& session, const GraphInput& input, const GraphOutput& output) {
  static_cast<void>(output.format());  // report an unknown output format before reading the input
  output.write(session, input.open(session).data);
}

void add_list(CLI::App& command, Session& session) {
  set_action(command, session, [&session] { list_datasets(session); });
}

void add_info(CLI::App& command, Session& session) {
  const auto input = std::make_shared<GraphInput>();
  const auto names = std::make_shared<std::vector<std::string>>();
  set_action(command, session, [&session, input, names] { show_info(session, *input, *names); });
  command.add_option("graph", *names, "Names of data sets, files or folders")->required()->type_name("NAME_OR_FILE");
  add_graph_flags(command, *input);
}

void add_fetch(CLI::App& command, Session& session) {
  const auto names = std::make_shared<std::vector<std::string>>();
  const auto mirror = std::make_shared<std::string>();
  set_action(command, session, [&session, names, mirror] { fetch(session, *names, *mirror); });
  command.add_option("name", *names, "Names of data sets, or: all")->required()->type_name("NAME");
  command.add_option("--mirror", *mirror, "Download the files from URL/<dataset>/<file>")->type_name("URL");
}

void add_convert(CLI::App& command, Session& session) {
  const auto input = std::make_shared<GraphInput>();
  const auto output = std::make_shared<GraphOutput>();
  set_action(command, session, [&session, input, output] { convert(session, *input, *output); });
  command.add_option("graph", input->request.graph, "Name of a data set, file or folder")
      ->required()
      ->type_name("NAME_OR_FILE");
  add_output_flags(command, *output);
  add_graph_flags(command, *input);
}

const Registered<CommandEntry> data_entry{
    {.name = "data", .summary = "Graphs: list, describe, download, generate, convert"}};

const Registered<CommandEntry> data_list_entry{{
    .name = "data list",
    .summary = "List the data sets known by name",
    .add = add_list,
}};

const Registered<CommandEntry> data_info_entry{{
    .name = "data info",
    .summary = "Describe a graph: nodes, edges, components, degrees, classes",
    .add = add_info,
}};

const Registered<CommandEntry> data_fetch_entry{{
    .name = "data fetch",
    .summary = "Download data sets, verify them and move them into place",
    .add = add_fetch,
}};

const Registered<CommandEntry> data_convert_entry{{
    .name = "data convert",
    .summary = "Write a graph in another format",
    .add = add_convert,
}};

}  // namespace
}  // namespace gir::cli
