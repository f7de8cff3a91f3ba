#include "gir/data/dataset.h"

namespace gir {
namespace {

const std::string kRepository =
    "https://raw.githubusercontent.com/muhanzhang/SEAL/ca1f019a15fb0c21796042165b4e6bee73981dd3/";
const char* const kOrigin = "from SEAL (MIT)";

const Registered<DatasetEntry> celegans{{
    .name = "celegans",
    .summary = "connections between neurons of a roundworm",
    .origin = kOrigin,
    .task = Task::kLinkPrediction,
    .sizes = {.hidden = 16, .anchors = 16, .anchor_sets = 8},
    .sources = {{.files = {{.name = "Celegans.txt",
                            .url = kRepository + "MATLAB/data/raw_data/Celegans.txt",
                            .sha256 = "386a62a23faea46584188a05e190010cd7b317021dfe3e2948fe0fb8411a7ca9",
                            .bytes = 16535}},
                 .load = [](const std::filesystem::path& folder) { return read_graph(folder / "Celegans.txt"); }}},
}};

const Registered<DatasetEntry> ns{{
    .name = "ns",
    .summary = "co-authors in network science, 268 components",
    .origin = kOrigin,
    .task = Task::kLinkPrediction,
    .sizes = {.hidden = 32, .anchors = 64, .anchor_sets = 8},
    .sources = {{.files = {{.name = "NS.txt",
                            .url = kRepository + "MATLAB/data/raw_data/NS.txt",
                            .sha256 = "2521bdae0f66bab156e82daaf1db7775cef75e7244c2bde4023adc7fa2081c23",
                            .bytes = 43461}},
                 .load = [](const std::filesystem::path& folder) { return read_graph(folder / "NS.txt"); }}},
}};

const Registered<DatasetEntry> pb{{
    .name = "pb",
    .summary = "links between political blogs of the USA",
    .origin = kOrigin,
    .task = Task::kLinkPrediction,
    .sizes = {.hidden = 32, .anchors = 64, .anchor_sets = 8},
    .sources = {{.files = {{.name = "PB.txt",
                            .url = kRepository + "MATLAB/data/raw_data/PB.txt",
                            .sha256 = "6bce5de253c734604fe3395eb01ef02fad358314a4c67afdb628eac974e8a653",
                            .bytes = 160121}},
                 .load = [](const std::filesystem::path& folder) { return read_graph(folder / "PB.txt"); }}},
}};

}  // namespace
}  // namespace gir
