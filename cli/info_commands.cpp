#include "gir/anchors/anchors.h"
#include "gir/data/dataset.h"
#include "gir/graph/generators.h"
#include "gir/io/format.h"
#include "gir/pairs/pair_features.h"
#include "registry_list.h"
#include "session.h"

namespace gir::cli {
void add_info_commands(CLI::App& app, Session& session) {
  CLI::App* info = app.add_subcommand("info", "What this program knows and how it was built");
  info->require_subcommand(1);
  add_command(*info, session, "datasets", "Data sets known by name",
              [&session] { list_registry<DatasetEntry>(session); });
  add_command(*info, session, "formats", "Formats that graphs are read from and written to",
              [&session] { list_registry<GraphFormat>(session); });
  add_command(*info, session, "generators", "Kinds of graphs that gir data generate makes",
              [&session] { list_registry<Generator>(session); });
  add_command(*info, session, "pair-features", "What decoders can be told about a pair of nodes",
              [&session] { list_registry<PairFeatureEntry>(session); });
  add_command(*info, session, "strategies", "Ways to choose anchors",
              [&session] { list_registry<AnchorStrategy>(session); });
}

}  // namespace gir::cli
