#include "gir/learn/objective.h"

#include <algorithm>

#include "gir/core/error.h"

namespace gir {

std::string_view default_objective(Task task, bool fuses) {
  if (fuses) return "fusion";
  return task == Task::kNodeClassification ? "nodes" : "pairs";
}

std::unique_ptr<Objective> make_objective(std::string_view name, const ObjectiveInputs& inputs, bool fuses) {
  const ObjectiveEntry& entry = Registry<ObjectiveEntry>::get(name);
  if (entry.fuses != fuses || std::find(entry.tasks.begin(), entry.tasks.end(), inputs.task) == entry.tasks.end()) {
    throw UserError("`objective`: {} is not for {}{} [omit `objective`]", entry.name, task_name(inputs.task),
                    fuses ? " of a fused model" : "");
  }
  return entry.make(inputs);
}

}  // namespace gir
