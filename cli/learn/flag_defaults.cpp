#include "flag_defaults.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <string_view>
#include <vector>

#include "gir/core/text.h"
#include "gir/data/dataset.h"

namespace gir::cli {
namespace {

constexpr std::array<const char*, 3> kTasks = {"lp", "npc", "nc"};

/// One value of a setting per task, in the order of kTasks.
using TaskValues = std::array<std::string, kTasks.size()>;

/// The values of a setting on a small graph.
TaskValues example_of(std::string_view recipe, const Setting& setting) {
  static const std::map<std::string_view, std::vector<RunConfig>> configs = [] {
    const Dataset dataset = load_dataset("karate");
    std::map<std::string_view, std::vector<RunConfig>> all;
    for (const std::string_view name : {kRecipeOfNamedData, kRecipeOfOtherGraphs}) {
      for (const char* task : kTasks) all[name].push_back(resolve(name, {{"task", task}}, dataset));
    }
    return all;
  }();
  TaskValues values;
  for (std::size_t i = 0; i < kTasks.size(); ++i) values[i] = setting.get(configs.at(recipe)[i]);
  return values;
}

/// The values of the recipe of data sets known by name, or of RunConfig.
TaskValues plain_defaults(const Setting& setting) {
  const Recipe& recipe = Registry<Recipe>::get(kRecipeOfNamedData);
  TaskValues values;
  for (std::size_t i = 0; i < kTasks.size(); ++i) {
    values[i] = setting.get(RunConfig());
    if (const auto found = recipe.values.find(setting.name); found != recipe.values.end()) values[i] = found->second;
    const auto task = recipe.task_values.find(kTasks[i]);
    if (task == recipe.task_values.end()) continue;
    if (const auto found = task->second.find(setting.name); found != task->second.end()) values[i] = found->second;
  }
  return values;
}

/// "10", "10 (nc: 5)"
std::string by_task(const TaskValues& values, bool boolean) {
  const auto shown = [&](const std::string& value) -> std::string {
    if (boolean) return value == "true" ? "on" : "off";
    return value.empty() ? "''" : value;
  };
  std::vector<std::string> others;
  for (std::size_t i = 1; i < kTasks.size(); ++i) {
    if (values[i] != values[0]) others.push_back(fmt::format("{}: {}", kTasks[i], shown(values[i])));
  }
  return shown(values[0]) + (others.empty() ? "" : fmt::format(" ({})", join(others, ", ")));
}

}  // namespace

std::string default_text(const Setting& setting) {
  const bool boolean = setting.type.empty();
  const TaskValues plain = plain_defaults(setting);
  const TaskValues automatic = example_of(kRecipeOfOtherGraphs, setting);
  const std::string text = by_task(plain, boolean);
  if (automatic != plain && automatic != example_of(kRecipeOfNamedData, setting)) {
    return fmt::format("{}; auto: {}", text, by_task(automatic, boolean));
  }
  return text == "''" || text == "off" ? "" : text;
}

}  // namespace gir::cli
