#include "../registry_list.h"
#include "gir/models/model.h"
#include "learn_commands.h"

namespace gir::cli {

void add_info_models_command(CLI::App& info, Session& session) {
  add_command(info, session, "models", "Models that can be trained",
              [&session] { list_registry<ModelEntry>(session); });
}

}  // namespace gir::cli
