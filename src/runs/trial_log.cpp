#include "trial_log.h"

#include <nlohmann/json.hpp>

#include "appended_lines.h"
#include "gir/core/error.h"
#include "json_fields.h"

namespace gir {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// The fields of a line of trials.jsonl, in their order.
template <typename Record, typename Fields>
void list_fields(Record& training, Fields& fields) {
  fields("trial", training.trial);
  fields("round", training.round);
  fields("repeat", training.repeat);
  fields("split", training.split);
  fields("seed", training.seed);
  fields("settings", training.settings);
  fields("epochs", training.epochs);
  fields("best_epoch", training.best_epoch);
  fields("metric", training.metric);
  fields.optional("valid", training.valid, std::optional<double>());
  fields("setup_seconds", training.setup_seconds);
  fields("seconds", training.seconds);
  fields("elapsed", training.elapsed);
  fields.optional("failure", training.failure, std::string());
}

fs::path log_of(const fs::path& folder) { return folder / "trials.jsonl"; }

std::vector<TrialTraining> intact_trainings(const fs::path& path) {
  remove_incomplete_line(path);
  std::vector<TrialTraining> trainings;
  for (const std::string& line : appended_lines(path)) {
    const auto document = ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
    FieldReader fields(document, /*strict=*/true);
    try {
      list_fields(trainings.emplace_back(), fields);
    } catch (const nlohmann::json::exception&) {
      throw UserError(path, std::ssize(trainings), "is not the training of a trial [fix or remove the line]");
    }
  }
  return trainings;
}

}  // namespace

TrialLog::TrialLog(const fs::path& folder) : found_(intact_trainings(log_of(folder))), file_(log_of(folder)) {}

void TrialLog::add(const TrialTraining& training) {
  FieldWriter fields;
  list_fields(training, fields);
  file_.add(fields.document().dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace gir
