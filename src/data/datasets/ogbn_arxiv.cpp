#include "gir/data/dataset.h"
#include "gir/graph/structure.h"

namespace gir {
namespace {

/// The official files. The second hash of the edges is that of the same graph with its lines in another order.
std::vector<DataFile> files(bool with_features) {
  std::vector<DataFile> list = {{.name = "raw/edge.csv.gz",
                                 .sha256 = "47629e986116407d27eff4c9d2e923f06bf5da5c85cbae93b660f530bc9355df",
                                 .bytes = 5033515,
                                 .other_sha256 = {"33904318401bf6876e49893b52ae87e73467ae697e94332021c3a40e0304fdab"}},
                                {.name = "raw/num-node-list.csv.gz",
                                 .sha256 = "9aa60a342efd209408933ace51e6b0a814e81c2894a993c44f9b173e477e2e82",
                                 .bytes = 51},
                                {.name = "raw/num-edge-list.csv.gz",
                                 .sha256 = "430f1e00ae204bbb3208c5f494ab70170e9f2995fd3548d1754a74a8f59250d1",
                                 .bytes = 52},
                                {.name = "raw/node-label.csv.gz",
                                 .sha256 = "b06e7cf75d909de66ce49bc4188a6dc525224f85dd6dcb36137de3d9321830d1",
                                 .bytes = 123505},
                                {.name = "split/time/train.csv.gz",
                                 .sha256 = "84983391900af45194e5db8d977ec9e01d4eda96e20328f3d7575fdd45c6797c",
                                 .bytes = 211044},
                                {.name = "split/time/valid.csv.gz",
                                 .sha256 = "ebe6cdcd77c75eedbce2064a05a49bc28e2c4a631f49d66b9e9ff317eef993eb",
                                 .bytes = 66916},
                                {.name = "split/time/test.csv.gz",
                                 .sha256 = "588fb66ce57bcaef51ac0235f0a49a056370ac31fc27c8ebf556d3f5cdd02545",
                                 .bytes = 113234}};
  if (with_features) {
    list.push_back({.name = "raw/node-feat.csv.gz",
                    .sha256 = "60a844c7aff2f129335d34da2f6b9271bd1cac03aff8c70c229e6f0d13624718",
                    .bytes = 76357181,
                    .optional = true});
  }
  return list;
}

const DataArchive kArchive = {.url = "https://snap.stanford.edu/ogb/data/nodeproppred/arxiv.zip",
                              .sha256 = "49f85c801589ecdcc52cfaca99693aaea7b8af16a9ac3f41dd85a5f3193fe276",
                              .folder = "arxiv"};

constexpr ModelSizes kSizes = {.hidden = 256, .anchors = 256, .anchor_sets = 8};

/// The official graph, labels and split, with features computed from the graph alone.
AttributedGraph with_structural_features(const std::filesystem::path& folder) {
  AttributedGraph data = read_graph(folder);
  data.features = joined_columns(structural_features(data.graph), spread_features(data.graph));
  data.notes = {"features are computed from the graph: results are not comparable with those on the official features"};
  return data;
}

const Registered<DatasetEntry> ogbn_arxiv{{
    .name = "ogbn-arxiv",
    .summary = "citations between arXiv papers on computer science, word vectors as features, 40 subject areas",
    .origin = "Open Graph Benchmark (ODC-BY), with its split by time",
    .task = Task::kNodeClassification,
    .sizes = kSizes,
    .official_split = true,
    .sources = {{.files = files(true),
                 .load = [](const std::filesystem::path& folder) { return read_graph(folder); },
                 .archive = kArchive}},
}};

const Registered<DatasetEntry> ogbn_arxiv_structural{{
    .name = "ogbn-arxiv-structural",
    .summary = "ogbn-arxiv with features computed from its graph, for use without the official ones",
    .origin = "Open Graph Benchmark (ODC-BY), the files of ogbn-arxiv",
    .task = Task::kNodeClassification,
    .sizes = kSizes,
    .official_split = true,
    .sources = {{.files = files(false), .load = with_structural_features, .archive = kArchive}},
    .folder = "ogbn-arxiv",
}};

}  // namespace
}  // namespace gir
