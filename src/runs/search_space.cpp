#include "gir/runs/search_space.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/text.h"
#include "gir/runs/run_config.h"
#include "setting_json.h"

namespace gir {
namespace {

using nlohmann::ordered_json;

/// A row of the default space. A setting may have one row for nodes and one for pairs.
struct Row {
  bool nodes;  ///< for nc
  bool pairs;  ///< for lp and npc
  const char* setting;
  std::vector<const char*> values;
};

const std::vector<Row>& default_rows() {
  static const std::vector<Row> rows = {
      {true, false, "model", {"gir-a", "gir-x", "gcn", "sage"}},
      {false, true, "model", {"gir-a", "gir-x", "gir-o", "gcn-o"}},
      {true, true, "layers", {"2", "3", "5"}},
      {true, true, "hidden", {"16", "32", "64"}},
      {true, true, "anchors", {"16", "64", "256"}},
      {true, true, "dropout", {"0", "0.2", "0.5"}},
      {true, true, "lr", {"0.003", "0.01", "0.03"}},
      {true, false, "weight-decay", {"0", "1e-05", "0.0001", "0.001"}},
      {true, true, "norm", {"none", "batch"}},
      {true, true, "jump", {"false", "true"}},
      {true, true, "structural", {"false", "true"}},
      {true, true, "positions", {"none", "anchors"}},
  };
  return rows;
}

SearchDimension dimension_of(const std::string& name, const nlohmann::json& values) {
  const Setting& setting = find_setting(name);
  if (!setting.scope.searchable) {
    throw UserError(
        "`{}` cannot be searched: it does not affect the validation metrics of trials, or changes their data [remove "
        "it from the space]",
        setting.name);
  }
  if (!values.is_array() || values.empty()) {
    throw UserError("{} is not a list of values [such as {{\"layers\": [2, 3]}}]", quoted(name));
  }
  SearchDimension dimension{.setting = setting.name, .values = {}};
  for (const auto& value : values) {
    if (value.is_structured() || value.is_null()) {
      throw UserError("{}: a value is not a string, number or boolean", quoted(name));
    }
    RunConfig scratch;
    set(scratch, setting.name, setting_text(value));
    // As the setting prints it, so that 1e-4 and 0.0001 are the same value.
    const std::string text = setting.get(scratch);
    if (std::find(dimension.values.begin(), dimension.values.end(), text) == dimension.values.end()) {
      dimension.values.push_back(text);
    }
  }
  return dimension;
}

}  // namespace

SearchSpace default_search_space(Task task, std::int64_t nodes) {
  SearchSpace space;
  for (const Row& row : default_rows()) {
    if (!(task == Task::kNodeClassification ? row.nodes : row.pairs)) continue;
    SearchDimension dimension{.setting = row.setting, .values = {}, .may_keep = true};
    for (const char* value : row.values) {
      if (dimension.setting == "anchors" && parse_integer(value).value() > nodes) continue;
      dimension.values.emplace_back(value);
    }
    if (!dimension.values.empty()) space.push_back(std::move(dimension));
  }
  return space;
}

SearchSpace read_search_space(const std::filesystem::path& path) {
  const MappedFile file(path);
  const auto document = ordered_json::parse(file.text(), nullptr, /*allow_exceptions=*/false);
  if (!document.is_object() || document.empty()) {
    throw UserError(path, "not a search space [a JSON object such as {{\"layers\": [2, 3], \"lr\": [0.003, 0.01]}}]");
  }
  SearchSpace space;
  try {
    for (const auto& [name, values] : document.items()) {
      space.push_back(dimension_of(name, values));
      const auto twice = std::find_if(space.begin(), space.end() - 1,
                                      [&](const auto& other) { return other.setting == space.back().setting; });
      if (twice != space.end() - 1) throw UserError("`{}` is listed twice [join the two lists]", twice->setting);
    }
  } catch (const UserError& error) {
    throw UserError(path, "{}", error.what());
  }
  return space;
}

std::string search_space_text(const SearchSpace& space) {
  ordered_json document = ordered_json::object();
  for (const SearchDimension& dimension : space) {
    auto& values = document[dimension.setting] = ordered_json::array();
    for (const std::string& value : dimension.values) {
      values.emplace_back(setting_json(find_setting(dimension.setting), value));
    }
  }
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace gir
