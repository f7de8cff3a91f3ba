#include "gir/runs/metrics_log.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "json_fields.h"

namespace gir {
namespace {

using nlohmann::ordered_json;

template <typename Record, typename Fields>
void list_fields(Record& line, Fields& fields) {
  fields("epoch", line.epoch);
  fields.or_nan("loss", line.loss);
  fields.with_prefix("valid_", line.valid);
}

}  // namespace

double MetricsLine::metric(std::string_view name) const {
  const auto found = std::find_if(valid.begin(), valid.end(), [&](const auto& each) { return each.first == name; });
  return found == valid.end() ? std::nan("") : found->second;
}

std::string metrics_text(const MetricsLine& line) {
  FieldWriter fields;
  list_fields(line, fields);
  return fields.document().dump();
}

std::optional<MetricsLine> parse_metrics(std::string_view text) {
  const ordered_json document = ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) return std::nullopt;
  MetricsLine line;
  FieldReader fields(document, /*strict=*/true);
  try {
    list_fields(line, fields);
  } catch (const ordered_json::exception&) {
    return std::nullopt;
  }
  return line;
}

}  // namespace gir
