#include "gir/io/planetoid.h"

#include "gir/data/dataset.h"

namespace gir {
namespace {

const std::string kRepository =
    "https://raw.githubusercontent.com/kimiyoung/planetoid/af6abf468a772cc055bec88c52e4d6f51b7c37e3/";
const char* const kOrigin = "from Planetoid (MIT), with its public split";

const Registered<DatasetEntry> cora{{
    .name = "cora",
    .summary = "citations between papers on machine learning, words as features, 7 topics",
    .origin = kOrigin,
    .task = Task::kNodeClassification,
    .sizes = {.hidden = 256, .anchors = 256, .anchor_sets = 8},
    .sources = {{.files = {{.name = "ind.cora.x",
                            .url = kRepository + "data/ind.cora.x",
                            .sha256 = "23cfa55d91c6f624233f5eb7b6e3f141f1bd2b2ae39608a63cf5d084bb27baab",
                            .bytes = 22119},
                           {.name = "ind.cora.y",
                            .url = kRepository + "data/ind.cora.y",
                            .sha256 = "94465c14eb53e04ca262198dcbb2521ee8af60fb3f3d546cd6ca24a511b0e7d1",
                            .bytes = 4054},
                           {.name = "ind.cora.tx",
                            .url = kRepository + "data/ind.cora.tx",
                            .sha256 = "b9afbaa4a400df991f6f02ef677e1e44da55ffc04801fd02f9e673987829226a",
                            .bytes = 148025},
                           {.name = "ind.cora.ty",
                            .url = kRepository + "data/ind.cora.ty",
                            .sha256 = "41f5ac76596a1699cc33f53084a2419e92961c42bb75f36fc38e616d348532ad",
                            .bytes = 28135},
                           {.name = "ind.cora.allx",
                            .url = kRepository + "data/ind.cora.allx",
                            .sha256 = "9419ba2f26f5c35243db64aba110e0f35a04851609e0dc5433450676ca6b8543",
                            .bytes = 257305},
                           {.name = "ind.cora.ally",
                            .url = kRepository + "data/ind.cora.ally",
                            .sha256 = "2b998f5cc7fedc86e7f97ca2498f47a1ffc1462c29e2d578b23bf3f62b6e7d71",
                            .bytes = 47959},
                           {.name = "ind.cora.graph",
                            .url = kRepository + "data/ind.cora.graph",
                            .sha256 = "58f13302f39dde8852dad6fe6d15b89b077b6d7f837626bce671ef80344b383d",
                            .bytes = 59847},
                           {.name = "ind.cora.test.index",
                            .url = kRepository + "data/ind.cora.test.index",
                            .sha256 = "297ce89af2b51a6a194181c7dbe1796c6a1cf9cd9349a88383b1b1e227867875",
                            .bytes = 5000}},
                 .load = [](const std::filesystem::path& folder) { return read_planetoid(folder, "cora"); }},
                {.files = {{.name = "cora.plain.npz",
                            .sha256 = "6bf8758fca093d66128b9602166b42d4aaac3c7f80844de689effa370375868f",
                            .bytes = 102759}},
                 .load = [](const std::filesystem::path& folder) { return read_graph(folder / "cora.plain.npz"); }}},
}};

const Registered<DatasetEntry> citeseer{{
    .name = "citeseer",
    .summary = "citations between computer science papers, words as features, 6 topics",
    .origin = kOrigin,
    .task = Task::kNodeClassification,
    .sizes = {.hidden = 256, .anchors = 256, .anchor_sets = 8},
    .sources = {{.files = {{.name = "ind.citeseer.x",
                            .url = kRepository + "data/ind.citeseer.x",
                            .sha256 = "d20de19150741e555de0ed037195630fc194114ebc7fd72ced62810148aa22f6",
                            .bytes = 31087},
                           {.name = "ind.citeseer.y",
                            .url = kRepository + "data/ind.citeseer.y",
                            .sha256 = "8ba87e515d8e3ee3cf52f6d2c5b86aa73f11ecad825a808455209ec26cd54924",
                            .bytes = 3014},
                           {.name = "ind.citeseer.tx",
                            .url = kRepository + "data/ind.citeseer.tx",
                            .sha256 = "539a8906a2da97628d212f2fdd668c109a8b3f0d36574b59e5d3fd5b5303da21",
                            .bytes = 260321},
                           {.name = "ind.citeseer.ty",
                            .url = kRepository + "data/ind.citeseer.ty",
                            .sha256 = "55e5bd1ba1e733a04598753ad1a8d57957f4b8f89e74519f41f4f4938767e4ce",
                            .bytes = 24135},
                           {.name = "ind.citeseer.allx",
                            .url = kRepository + "data/ind.citeseer.allx",
                            .sha256 = "2ac30345d95c9ec933a817ee0bdd6a5f077f8c184a20e696910192d534414668",
                            .bytes = 595021},
                           {.name = "ind.citeseer.ally",
                            .url = kRepository + "data/ind.citeseer.ally",
                            .sha256 = "f704b2d986dde6c2669934de1f3ae5696a6cf9455c0f6b2646a2d135ea0a1c95",
                            .bytes = 55623},
                           {.name = "ind.citeseer.graph",
                            .url = kRepository + "data/ind.citeseer.graph",
                            .sha256 = "d79a4ef9d3e7169aee8946145f6b7306e35bc79bffad26346cfb94e10e9912a7",
                            .bytes = 61987},
                           {.name = "ind.citeseer.test.index",
                            .url = kRepository + "data/ind.citeseer.test.index",
                            .sha256 = "2af990671580b6b2df5d158d1038f8292e30c9cd821b5453f399659b25b723d4",
                            .bytes = 5000}},
                 .load = [](const std::filesystem::path& folder) { return read_planetoid(folder, "citeseer"); }},
                {.files = {{.name = "citeseer.plain.npz",
                            .sha256 = "1574ac268353504cf91f24285f4c1ffa0c32bb5da99cb92340d005b2d3427140",
                            .bytes = 204288}},
                 .load =
                     [](const std::filesystem::path& folder) { return read_graph(folder / "citeseer.plain.npz"); }}},
}};

}  // namespace
}  // namespace gir
