#include "gir/anchors/anchors.h"
#include "gir/data/dataset.h"
#include "gir/graph/generators.h"
#include "gir/io/format.h"
#include "session.h"

namespace gir::cli {
namespace {

using nlohmann::json;

/// Names and summaries of all entries of a registry.
template <typename Entry>
void list_registry(const Session& session) {
  if (session.format() == OutputFormat::kJson) {
    json document = json::array();
    for (const Entry& entry : Registry<Entry>::all()) {
      document.push_back({{"name", entry.name}, {"summary", entry.summary}});
    }
    session.print_json(document);
    return;
  }
  Table table{.columns = {{"name"}, {"what it is"}}, .rows = {}};
  for (const Entry& entry : Registry<Entry>::all()) table.rows.push_back({entry.name, entry.summary});
  session.print(render(table, session.format()));
}

}  // namespace

void add_info_commands(CLI::App& app, Session& session) {
  CLI::App* info = app.add_subcommand("info", "What this program knows and how it was built");
  info->require_subcommand(1);
  add_command(*info, session, "datasets", "Data sets known by name",
              [&session] { list_registry<DatasetEntry>(session); });
  add_command(*info, session, "formats", "Formats that graphs are read from and written to",
              [&session] { list_registry<GraphFormat>(session); });
  add_command(*info, session, "generators", "Kinds of graphs that gir data generate makes",
              [&session] { list_registry<Generator>(session); });
  add_command(*info, session, "strategies", "Ways to choose anchors",
              [&session] { list_registry<AnchorStrategy>(session); });
}

}  // namespace gir::cli
