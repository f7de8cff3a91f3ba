#include "gir/learn/objective.h"

#include <algorithm>

#include "gir/core/error.h"
#include "gir/core/text.h"

namespace gir {
namespace {

bool is_for(const ObjectiveEntry& entry, Task task) {
  return std::find(entry.tasks.begin(), entry.tasks.end(), task) != entry.tasks.end();
}

}  // namespace

void Metrics::put_first(std::string_view name) {
  const auto found = std::find_if(values.begin(), values.end(), [&](const auto& each) { return each.first == name; });
  ensure(found != values.end(), "a metric that was computed");
  std::rotate(values.begin(), found, found + 1);
}

const ObjectiveEntry& objective_entry(std::string_view name, Task task, bool fuses) {
  if (!name.empty()) return Registry<ObjectiveEntry>::get(name);
  const std::vector<ObjectiveEntry>& all = Registry<ObjectiveEntry>::all();
  const auto suits = [&](const ObjectiveEntry& entry) { return entry.is_default && entry.fuses == fuses; };
  auto found = std::find_if(all.begin(), all.end(),
                            [&](const ObjectiveEntry& entry) { return suits(entry) && is_for(entry, task); });
  // What fuses for no task at all is refused by make_objective(), which names the task.
  if (found == all.end()) found = std::find_if(all.begin(), all.end(), suits);
  ensure(found != all.end(), "a default objective, for fused models and for others");
  return *found;
}

std::string selection_metric(const ObjectiveEntry& objective, const std::string& name) {
  if (name.empty()) return "";
  if (objective.metrics.empty()) {
    throw UserError("`select-by`: the objective {} has only one metric [omit `select-by`]", objective.name);
  }
  const std::string wanted = canonical_name(name);
  const auto matches = [&](const std::string& metric) {
    const std::string known = canonical_name(metric);
    return known == wanted || known.ends_with("-" + wanted);
  };
  const auto found = std::find_if(objective.metrics.begin(), objective.metrics.end(), matches);
  if (found == objective.metrics.end()) {
    throw UserError("`select-by`: {} is not a metric of the objective {} [known: {}]", quoted(name), objective.name,
                    join(objective.metrics, ", "));
  }
  return found == objective.metrics.begin() ? "" : *found;
}

std::unique_ptr<Objective> make_objective(std::string_view name, const ObjectiveInputs& inputs, bool fuses) {
  const ObjectiveEntry& entry = Registry<ObjectiveEntry>::get(name);
  if (entry.fuses != fuses || !is_for(entry, inputs.task)) {
    throw UserError("`objective`: {} is not for {}{} [omit `objective`]", entry.name, task_name(inputs.task),
                    fuses ? " of a fused model" : "");
  }
  return entry.make(inputs);
}

}  // namespace gir
