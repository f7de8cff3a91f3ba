#include "gir/models/model.h"
#include "learn_commands.h"
#include "run_flags.h"

namespace gir::cli {
namespace {

void list_models(const Session& session) {
  if (session.format() == OutputFormat::kJson) {
    nlohmann::json document = nlohmann::json::array();
    for (const ModelEntry& entry : Registry<ModelEntry>::all()) {
      document.push_back({{"name", entry.name}, {"summary", entry.summary}, {"settings", entry.settings}});
    }
    session.print_json(document);
    return;
  }
  Table table{.columns = {{"name"}, {"description"}, {"settings"}}, .rows = {}};
  for (const ModelEntry& entry : Registry<ModelEntry>::all()) {
    table.rows.push_back({entry.name, entry.summary, join(in_words(entry.settings), ", ")});
  }
  session.print(render(table, session.format()));
}

void add_info_models_command(CLI::App& command, Session& session) {
  set_action(command, session, [&session] { list_models(session); });
}

const Registered<CommandEntry> info_models_entry{{
    .name = "info models",
    .summary = "List the models",
    .add = add_info_models_command,
}};

}  // namespace
}  // namespace gir::cli
