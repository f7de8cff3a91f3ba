#include "gir/anchors/anchors.h"
#include "gir/cli/session.h"
#include "gir/data/dataset.h"
#include "gir/graph/generators.h"
#include "gir/io/format.h"
#include "gir/pairs/pair_features.h"
#include "registry_list.h"

namespace gir::cli {
namespace {

const Registered<CommandEntry> info_entry{
    {.name = "info", .summary = "List what is available, and show how the program was built"}};

/// `gir info TOPIC`, which lists a registry.
template <typename Entry>
CommandEntry listing(const std::string& topic, const std::string& summary) {
  return {.name = "info " + topic, .summary = summary, .add = [](CLI::App& command, Session& session) {
            set_action(command, session, [&session] { list_registry<Entry>(session); });
          }};
}

const Registered<CommandEntry> info_datasets_entry{listing<DatasetEntry>("datasets", "Data sets known by name")};
const Registered<CommandEntry> info_formats_entry{listing<GraphFormat>("formats", "File formats of graphs")};
const Registered<CommandEntry> info_generators_entry{
    listing<Generator>("generators", "Kinds of graphs for gir data generate")};
const Registered<CommandEntry> info_pair_features_entry{
    listing<PairFeatureEntry>("pair-features", "Features of node pairs for decoders")};
const Registered<CommandEntry> info_strategies_entry{
    listing<AnchorStrategy>("strategies", "Strategies for selecting anchors")};

}  // namespace
}  // namespace gir::cli
