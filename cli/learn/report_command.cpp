#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "../graph_input.h"
#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/text.h"
#include "gir/report/html_report.h"
#include "learn_commands.h"
#include "run_flags.h"

namespace gir::cli {
namespace {

struct ReportRequest {
  std::string folder;
  std::string output;
  GraphInput graph;
};

std::string command_that_repeats(const RunToRepeat& run) {
  std::string command = "gir train --config " + shell_word(run.config.string());
  if (run.seed) command += fmt::format(" --seed {}", *run.seed);
  if (run.split) command += fmt::format(" --split {}", *run.split);
  return command + device_flags(run.device) + " -o again";
}

/// UserError if the output would replace a file that is no HTML page, such as one of the folder.
void protect_other_files(const std::filesystem::path& output) {
  if (!std::filesystem::is_regular_file(output) || std::filesystem::file_size(output) == 0) return;
  if (MappedFile(output).text().starts_with("<!doctype html>")) return;
  throw UserError(output, "exists and is no HTML page, so it is not replaced [choose another name]");
}

void report(const Session& session, const ReportRequest& request) {
  protect_other_files(request.output);
  const HtmlReport made = html_report(request.folder, {.context = session.context,
                                                       .data_dir = session.data_dir,
                                                       .data = request.graph.complete(),
                                                       .command = command_that_repeats});
  write_file(request.output, made.page);
  for (const std::string& note : made.notes) session.note(note);
  session.note(fmt::format("wrote {} ({}); open it in a browser", request.output, human_bytes(std::ssize(made.page))));
}

void add_report_command(CLI::App& command, Session& session) {
  const auto request = std::make_shared<ReportRequest>();
  set_action(command, session, [&session, request] { report(session, *request); });
  command.add_option("folder", request->folder, "Folder of a run, or of gir compare or gir reproduce")
      ->required()
      ->type_name("DIR");
  command.add_option("-o,--output", request->output, "Output file: self-contained HTML")
      ->required()
      ->type_name("REPORT.html");
  command
      .add_option("--graph", request->graph.request.graph, "The graph of a run at another path, or in another format")
      ->type_name("NAME_OR_FILE");
  add_graph_flags(command, request->graph);
}

const Registered<CommandEntry> report_entry{{
    .name = "report",
    .summary = "Write an HTML report of a run, a comparison or a reproduced table",
    .add = add_report_command,
}};

}  // namespace
}  // namespace gir::cli
