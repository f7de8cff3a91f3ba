#include <fmt/format.h>

#include "gir/runs/run_config.h"
#include "learn_commands.h"
#include "run_flags.h"

namespace gir::cli {
namespace {

void list_recipes(const Session& session) {
  if (session.format() == OutputFormat::kJson) {
    nlohmann::json document = nlohmann::json::array();
    for (const Recipe& recipe : Registry<Recipe>::all()) {
      document.push_back({{"name", recipe.name},
                          {"summary", recipe.summary},
                          {"settings", recipe.values},
                          {"task_settings", recipe.task_values},
                          {"model_settings", recipe.model_values}});
    }
    session.print_json(document);
    return;
  }
  Table table{.columns = {{"name"}, {"description"}, {"settings"}}, .rows = {}};
  for (const Recipe& recipe : Registry<Recipe>::all()) {
    std::vector<std::string> settings = in_words(recipe.values);
    for (const auto& [task, values] : recipe.task_values) {
      settings.push_back(fmt::format("for {} {}", task, join(in_words(values), " and ")));
    }
    for (const auto& [model, values] : recipe.model_values) {
      settings.push_back(fmt::format("for {} {}", model, join(in_words(values), " and ")));
    }
    table.rows.push_back({recipe.name, recipe.summary, join(settings, ", ")});
  }
  session.print(render(table, session.format()));
}

void add_info_recipes_command(CLI::App& command, Session& session) {
  set_action(command, session, [&session] { list_recipes(session); });
}

const Registered<CommandEntry> info_recipes_entry{{
    .name = "info recipes",
    .summary = "List the recipes: sets of common settings, for --recipe",
    .add = add_info_recipes_command,
}};

}  // namespace
}  // namespace gir::cli
