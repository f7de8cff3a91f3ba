#include "gir/data/dataset.h"
#include "gir/io/planetoid.h"

namespace gir {
namespace {

const std::string kRepository =
    "https://raw.githubusercontent.com/EdisonLeeeee/GraphData/f8022c26b917346f2a461ffec0ec5ae24b36de68/";
const char* const kOrigin = "shchur/gnn-benchmark (MIT) as GraphData distributes it (MIT)";
constexpr ModelSizes kSizes = {.hidden = 256, .anchors = 256, .anchor_sets = 8};

const Registered<DatasetEntry> amazon_computers{{
    .name = "amazon-computers",
    .summary = "computers bought together, words of reviews as features, 10 categories",
    .origin = kOrigin,
    .task = Task::kNodeClassification,
    .sizes = kSizes,
    .sources =
        {{.files = {{.name = "amazon_cs.npz",
                     .url = kRepository + "datasets/amazon_cs.npz",
                     .sha256 = "a6942db609f196b53503d91b99a02ad8d052d5d9be8ef41db976fb65f66ed1f3",
                     .bytes = 3410531}},
          .load = [](const std::filesystem::path& folder) { return read_graphdata_npz(folder / "amazon_cs.npz"); }},
         {.files = {{.name = "amazon_cs.plain.npz",
                     .sha256 = "72282ff99c92e42ab14a56f5e3806db8c4dd25571d64384ca2197962d9aa3614",
                     .bytes = 3459420}},
          .load = [](const std::filesystem::path& folder) { return read_graph(folder / "amazon_cs.plain.npz"); }}},
}};

const Registered<DatasetEntry> amazon_photo{{
    .name = "amazon-photo",
    .summary = "photo goods bought together, words of reviews as features, 8 categories",
    .origin = kOrigin,
    .task = Task::kNodeClassification,
    .sizes = kSizes,
    .sources =
        {{.files = {{.name = "amazon_photo.npz",
                     .url = kRepository + "datasets/amazon_photo.npz",
                     .sha256 = "bdb98b54cd3125bfa69b23ba0aae84fabcb770c6727175b8f6eb1d64f3be4b2b",
                     .bytes = 1772672}},
          .load = [](const std::filesystem::path& folder) { return read_graphdata_npz(folder / "amazon_photo.npz"); }},
         {.files = {{.name = "amazon_photo.plain.npz",
                     .sha256 = "ab0697b80039f4197837b304b29af7f61a37419fdb079a09ae5c294f5ad591a6",
                     .bytes = 1802301}},
          .load = [](const std::filesystem::path& folder) { return read_graph(folder / "amazon_photo.plain.npz"); }}},
}};

const Registered<DatasetEntry> coauthor_cs{{
    .name = "coauthor-cs",
    .summary = "co-authors in computer science, keywords as features, 15 fields",
    .origin = kOrigin,
    .task = Task::kNodeClassification,
    .sizes = kSizes,
    .sources =
        {{.files = {{.name = "coauthor_cs.npz",
                     .url = kRepository + "datasets/coauthor_cs.npz",
                     .sha256 = "7b7b51bf270d341f1c4231834c58a526bb04db003fd76a6d2f51ad7d252005ed",
                     .bytes = 2800548}},
          .load = [](const std::filesystem::path& folder) { return read_graphdata_npz(folder / "coauthor_cs.npz"); }},
         {.files = {{.name = "coauthor_cs.plain.npz",
                     .sha256 = "34b3c5096caa551c6fee47f4c90b6c345eeb785cbf4ff37d0c9a4d681233ad29",
                     .bytes = 2478893}},
          .load = [](const std::filesystem::path& folder) { return read_graph(folder / "coauthor_cs.plain.npz"); }}},
}};

const Registered<DatasetEntry> coauthor_physics{{
    .name = "coauthor-physics",
    .summary = "co-authors in physics, keywords as features, 5 fields",
    .origin = kOrigin,
    .task = Task::kNodeClassification,
    .sizes = kSizes,
    .sources =
        {{.files = {{.name = "coauthor_phy.npz",
                     .url = kRepository + "datasets/coauthor_phy.npz",
                     .sha256 = "1c930d99910763bc5f0c1aa90e8baa945f5ad6027663fe5332d0f08fde33cd7d",
                     .bytes = 3772032}},
          .load = [](const std::filesystem::path& folder) { return read_graphdata_npz(folder / "coauthor_phy.npz"); }},
         {.files = {{.name = "coauthor_phy.plain.npz",
                     .sha256 = "17023a590dfa8abdb82252c6fb57f91845e9de5224a76786da3e07113df987c8",
                     .bytes = 2984269}},
          .load = [](const std::filesystem::path& folder) { return read_graph(folder / "coauthor_phy.plain.npz"); }}},
}};

}  // namespace
}  // namespace gir
