#pragma once

#include "flag_text.h"
#include "gir/cli/session.h"
#include "gir/core/registry.h"

namespace gir::cli {

/// Prints the names and summaries of all entries of a registry.
template <typename Entry>
void list_registry(const Session& session) {
  if (session.format() == OutputFormat::kJson) {
    nlohmann::json document = nlohmann::json::array();
    for (const Entry& entry : Registry<Entry>::all()) {
      document.push_back({{"name", entry.name}, {"summary", with_flags(entry.summary)}});
    }
    session.print_json(document);
    return;
  }
  Table table{.columns = {{"name"}, {"summary"}}, .rows = {}};
  for (const Entry& entry : Registry<Entry>::all()) table.rows.push_back({entry.name, with_flags(entry.summary)});
  session.print(render(table, session.format()));
}

}  // namespace gir::cli
