#include "gir/anchors/anchors.h"
#include "gir/data/dataset.h"
#include "gir/graph/generators.h"
#include "gir/io/format.h"
#include "gir/pairs/pair_features.h"
#include "registry_list.h"
#include "session.h"

namespace gir::cli {
void add_info_commands(CLI::App& app, Session& session) {
  CLI::App* info = app.add_subcommand("info", "List what is available, and show how the program was built");
  info->require_subcommand(1);
  add_command(*info, session, "datasets", "Data sets that have a name",
              [&session] { list_registry<DatasetEntry>(session); });
  add_command(*info, session, "formats", "File formats of graphs", [&session] { list_registry<GraphFormat>(session); });
  add_command(*info, session, "generators", "Kinds of graphs for gir data generate",
              [&session] { list_registry<Generator>(session); });
  add_command(*info, session, "pair-features", "Features of node pairs for decoders",
              [&session] { list_registry<PairFeatureEntry>(session); });
  add_command(*info, session, "strategies", "Strategies for selecting anchors",
              [&session] { list_registry<AnchorStrategy>(session); });
}

}  // namespace gir::cli
