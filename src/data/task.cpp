#include "gir/data/task.h"

#include <array>
#include <utility>

#include "gir/core/error.h"
#include "gir/core/text.h"

namespace gir {
namespace {

constexpr std::array<std::pair<Task, std::string_view>, 3> kTasks = {{
    {Task::kNodeClassification, "nc"},
    {Task::kLinkPrediction, "lp"},
    {Task::kNodePairClassification, "npc"},
}};

}  // namespace

std::string_view task_name(Task task) {
  for (const auto& [value, name] : kTasks) {
    if (value == task) return name;
  }
  throw InternalError("a task has no name");
}

Task parse_task(std::string_view name) {
  for (const auto& [task, known] : kTasks) {
    if (known == canonical_name(name)) return task;
  }
  throw UserError(
      "unknown task {} [known: nc (node classification), lp (link prediction), npc (node-pair "
      "classification)]",
      quoted(name));
}

std::string_view default_metric(std::string_view task) {
  return task == task_name(Task::kNodeClassification) ? kNodeMetric : kPairMetric;
}

}  // namespace gir
