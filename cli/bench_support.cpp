#include "bench_support.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "gir/core/error.h"

namespace gir::cli {

using nlohmann::json;

json run_for_json(const std::string& command, const std::string& field) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string output;
  char buffer[4096];
  while (pipe) {
    const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe.get());
    if (count == 0) break;
    output.append(buffer, count);
  }
  const json parsed = json::parse(output, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_object() || !parsed.contains(field)) {
    throw UserError("{} printed no JSON with {} [check the command]", quoted(command), field);
  }
  return parsed;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Table fields_table(const json& fields) {
  Table table{.columns = {{"field"}, {"value", true}}, .rows = {}};
  for (const auto& [key, value] : fields.items()) {
    table.rows.push_back({key, value.is_string() ? value.get<std::string>() : value.dump()});
  }
  return table;
}

}  // namespace gir::cli
