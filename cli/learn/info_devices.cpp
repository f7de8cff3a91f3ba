#include "gir/core/text.h"
#include "gir/nn/device.h"
#include "learn_commands.h"

namespace gir::cli {
namespace {

void show_devices(const Session& session) {
  std::string problem;
  const std::vector<DeviceDescription> devices = list_devices(&problem);
  if (session.format() == OutputFormat::kJson) {
    nlohmann::json document = nlohmann::json::array();
    for (const DeviceDescription& each : devices) {
      document.push_back({{"name", each.name}, {"what", each.what}, {"memory", each.memory}});
    }
    session.print_json(document);
  } else {
    Table table{.columns = {{"name"}, {"description"}, {"memory", true}}, .rows = {}};
    for (const DeviceDescription& each : devices) {
      table.rows.push_back({each.name, each.what, human_bytes(each.memory)});
    }
    session.print(render(table, session.format()));
  }
  if (!problem.empty()) session.note(problem);
}

void add_info_devices_command(CLI::App& command, Session& session) {
  set_action(command, session, [&session] { show_devices(session); });
}

const Registered<CommandEntry> info_devices_entry{{
    .name = "info devices",
    .summary = "List the devices of this machine, for --device",
    .add = add_info_devices_command,
}};

}  // namespace
}  // namespace gir::cli
