#include "gir/runs/run_record.h"

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/version.h"
#include "json_fields.h"

namespace gir {
namespace {

using nlohmann::ordered_json;

/// The fields of result.json, in their order.
template <typename Record, typename Fields>
void list_fields(Record& record, Fields& fields) {
  auto& result = record.result;
  fields("dataset", result.dataset);
  fields("task", result.task);
  fields("model", result.model);
  fields("metric", result.metric);
  fields.derived("test", [&] { return result.test.main(); });
  fields.derived("valid", [&] { return result.valid.main(); });
  fields("best_epoch", result.best_epoch);
  fields("epochs", result.epochs);
  fields("seed", result.seed);
  fields("split", result.split);
  fields.optional("split_fingerprint", result.split_fingerprint, std::string());
  fields.optional("messages", result.messages, std::string());
  fields.optional("refit", result.refit, false);
  fields.derived("valid_of", [&] { return result.refit ? "model before the refit" : "model"; });
  fields("seconds", result.seconds);
  fields("prepare_seconds", result.prepare_seconds);
  fields("version", record.version);
  fields("device", result.device);
  fields("graph_fingerprint", record.graph_fingerprint);
  fields("data_fingerprint", record.data_fingerprint);
  fields("nodes", record.nodes);
  fields("features", record.features);
  fields("anchors", result.anchors);
  fields("parameters", result.parameters);
  fields("interrupted", result.interrupted);
  fields("bad_epoch", result.bad_epoch);
  fields.renamed("test_metrics", "test_figures", result.test);
  fields.renamed("valid_metrics", "valid_figures", result.valid);
  // Of macro_auc and macro_ap.
  fields.optional("test_ranked_classes", result.test.ranked_classes, std::int64_t{0});
  fields.optional("valid_ranked_classes", result.valid.ranked_classes, std::int64_t{0});
  fields("classes", record.classes);
  fields.optional("experts", result.experts, std::vector<std::string>());
  fields.optional("select_by", result.select_by, std::string());
  fields("reach", result.reach);
  fields.optional("baselines", result.baselines, std::vector<Baseline>());
  fields("warnings", result.warnings);
}

}  // namespace

RunRecord make_record(RunResult result, const Dataset& dataset) {
  const bool has_classes = result.task == Task::kNodeClassification;
  return {.result = std::move(result),
          .version = kVersion,
          .graph_fingerprint = dataset.data.graph.fingerprint(),
          .data_fingerprint = fingerprint(dataset.data),
          .nodes = dataset.data.graph.num_nodes(),
          .features = num_features(dataset.data.features),
          .classes = has_classes ? dataset.data.labels.names : std::vector<std::string>()};
}

std::string record_text(const RunRecord& record) {
  FieldWriter fields;
  list_fields(record, fields);
  return fields.document().dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

RunRecord read_record(const std::filesystem::path& path) {
  const MappedFile file(path);
  const ordered_json document = ordered_json::parse(file.text(), nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) throw UserError(path, "is damaged: not a JSON object [train the run again]");
  RunRecord record;
  FieldReader fields(document, /*strict=*/false);
  try {
    list_fields(record, fields);
  } catch (const std::exception&) {  // of nlohmann, or a UserError for an unknown name
    throw UserError(path, "is damaged: a value has the wrong type [train the run again]");
  }
  return record;
}

}  // namespace gir
