#include "gir/data/dataset.h"

#include <gtest/gtest.h>

#include "environment.h"
#include "gir/graph/components.h"
#include "gir/graph/statistics.h"
#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;
using testing::TempDir;

struct Expected {
  const char* name;
  std::int64_t nodes;
  std::int64_t edges;
  std::int64_t directed_edges;
  std::int64_t self_loops;
  std::int64_t components;
  std::int64_t features;
  std::int64_t classes;
  Task task;
};

void PrintTo(const Expected& expected, std::ostream* out) { *out << expected.name; }

/// Counts from the GIR paper and from the SOURCES.md of the data; 0 for numbers of components that neither gives.
constexpr Expected kExpected[] = {
    {"email", 920, 7201, 14402, 0, 7, 0, 41, Task::kNodePairClassification},
    {"europe", 399, 5995, 2 * 5993 + 2, 2, 1, 0, 4, Task::kNodeClassification},
    {"usa", 1190, 13599, 2 * 13599, 0, 3, 0, 4, Task::kNodeClassification},
    {"celegans", 297, 2148, 2 * 2148, 0, 1, 0, 0, Task::kLinkPrediction},
    {"ns", 1461, 2742, 2 * 2742, 0, 268, 0, 0, Task::kLinkPrediction},
    {"pb", 1222, 16714, 2 * 16714, 0, 1, 0, 0, Task::kLinkPrediction},
    {"links/USAir", 332, 2126, 2 * 2126, 0, 1, 0, 0, Task::kLinkPrediction},
    {"links/NS", 1589, 2742, 2 * 2742, 0, 396, 0, 0, Task::kLinkPrediction},
    {"links/PB", 1222, 16714, 2 * 16714, 0, 1, 0, 0, Task::kLinkPrediction},
    {"links/Yeast", 2375, 11693, 2 * 11693, 0, 1, 0, 0, Task::kLinkPrediction},
    {"links/Celegans", 297, 2148, 2 * 2148, 0, 1, 0, 0, Task::kLinkPrediction},
    {"links/Power", 4941, 6594, 2 * 6594, 0, 1, 0, 0, Task::kLinkPrediction},
    {"links/Router", 5022, 6258, 2 * 6258, 0, 1, 0, 0, Task::kLinkPrediction},
    {"links/Ecoli", 1805, 14660, 2 * 14660, 0, 1, 0, 0, Task::kLinkPrediction},
    {"cora", 2708, 5278, 2 * 5278, 0, 78, 1433, 7, Task::kNodeClassification},
    {"citeseer", 3327, 4552, 2 * 4552, 0, 0, 3703, 6, Task::kNodeClassification},
    {"amazon-computers", 13752, 245861, 2 * 245861, 0, 0, 767, 10, Task::kNodeClassification},
    {"amazon-photo", 7650, 119081, 2 * 119081, 0, 0, 745, 8, Task::kNodeClassification},
    {"coauthor-cs", 18333, 81894, 2 * 81894, 0, 1, 6805, 15, Task::kNodeClassification},
    {"coauthor-physics", 34493, 247962, 2 * 247962, 0, 1, 8415, 5, Task::kNodeClassification},
    {"ogbn-arxiv", 169343, 1157799, 1166243, 0, 1, 0, 40, Task::kNodeClassification},
};

class RealDataset : public ::testing::TestWithParam<Expected> {};

TEST_P(RealDataset, HasThePublishedCounts) {
  GIR_NEEDS_DATA();
  const Expected& expected = GetParam();
  const Dataset dataset = load_dataset(expected.name, *testing::data_directory());
  const GraphStatistics s = graph_statistics(dataset.data.graph);
  EXPECT_EQ(s.nodes, expected.nodes);
  EXPECT_EQ(s.edges, expected.edges);
  EXPECT_EQ(s.directed_edges, expected.directed_edges);
  EXPECT_EQ(s.self_loops, expected.self_loops);
  if (expected.components > 0) {
    EXPECT_EQ(s.components, expected.components);
  }
  EXPECT_EQ(num_features(dataset.data.features), expected.features);
  EXPECT_EQ(dataset.data.labels.num_classes(), expected.classes);
  EXPECT_EQ(dataset.task, expected.task);
  if (expected.features > 0) {
    EXPECT_TRUE(std::holds_alternative<SparseMatrix>(dataset.data.features));
  }
}

INSTANTIATE_TEST_SUITE_P(All, RealDataset, ::testing::ValuesIn(kExpected), [](const auto& row) {
  std::string name = row.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '/'; }, '_');
  return name;
});

TEST(Datasets, EmailHasItsSevenComponents) {
  GIR_NEEDS_DATA();
  const Dataset email = load_dataset("email", *testing::data_directory());
  const Components components = connected_components(email.data.graph);
  std::multiset<std::int64_t> sizes(components.sizes.begin(), components.sizes.end());
  EXPECT_EQ(sizes, (std::multiset<std::int64_t>{245, 223, 186, 139, 58, 37, 32}));
}

TEST(Datasets, KeepTheIdsOfTheirFiles) {
  GIR_NEEDS_DATA();
  const Dataset usa = load_dataset("usa", *testing::data_directory());
  EXPECT_EQ(usa.data.graph.names().name(0), "10005");
  EXPECT_EQ(usa.data.graph.names().name(1189), "16746");
}

TEST(Datasets, HaveTheModelSizesOfThePaper) {
  const auto sizes = [](const char* name) {
    const ModelSizes& s = Registry<DatasetEntry>::get(name).sizes;
    return std::tuple(s.hidden, s.anchors, s.anchor_sets);
  };
  EXPECT_EQ(sizes("email"), std::tuple(32, 64, 8));
  EXPECT_EQ(sizes("europe"), std::tuple(16, 8, 4));
  EXPECT_EQ(sizes("usa"), std::tuple(32, 64, 8));
  EXPECT_EQ(sizes("celegans"), std::tuple(16, 16, 8));
  EXPECT_EQ(sizes("ns"), std::tuple(32, 64, 8));
  EXPECT_EQ(sizes("pb"), std::tuple(32, 64, 8));
}

TEST(Datasets, EveryFileHasAHashAndAnAddress) {
  for (const DatasetEntry& entry : Registry<DatasetEntry>::all()) {
    if (entry.make != nullptr) continue;
    ASSERT_FALSE(entry.sources.empty()) << entry.name;
    const DataSource& downloaded = entry.sources.front();
    for (const DataFile& file : downloaded.files) {
      EXPECT_EQ(file.sha256.size(), 64u) << entry.name << file.name;
      EXPECT_TRUE(downloaded.archive || file.url.starts_with("https://")) << entry.name << file.name;
      EXPECT_GT(file.bytes, 0) << entry.name << file.name;
    }
  }
}

TEST(Datasets, NameTheDatasetWhoseFilesAreMissing) {
  const TempDir empty;
  const testing::ScopedVariable data("GIR_DATA", empty.path().string());
  const testing::ScopedVariable cache("XDG_CACHE_HOME", empty.path().string());
  expect_user_error([&] { load_dataset("pb", empty.path()); }, "the files of pb are missing", empty.path().string(),
                    "[fetch the data set first]");
  try {
    load_dataset("pb", empty.path());
    FAIL() << "nothing was thrown";
  } catch (const DatasetFilesError& error) {
    EXPECT_EQ(error.dataset(), "pb");
  }
}

TEST(Datasets, RefuseAChangedFile) {
  const TempDir dir;
  dir.file("pb/PB.txt", "1 2\n");
  expect_user_error([&] { load_dataset("pb", dir.path()); }, "PB.txt", "sha256", "published file of pb",
                    "fetch the data set again");
}

TEST(Datasets, UnknownNamesListTheNearestFirst) {
  expect_user_error([] { load_dataset("cora_"); }, "unknown dataset", "known: cora,");
  expect_user_error([] { open_dataset("kartae"); }, "neither a file nor a known graph", "known: karate,");
}

TEST(OpenDataset, AcceptsFilesNamesAndGenerators) {
  const TempDir dir;
  const Dataset file = open_dataset(dir.file("mine.txt", "0 1\n").string());
  EXPECT_EQ(file.name, "mine.txt");
  EXPECT_FALSE(file.task);
  EXPECT_EQ(open_dataset("karate").data.graph.num_nodes(), 34);
  EXPECT_EQ(open_dataset("KARATE").name, "karate");
  EXPECT_GT(open_dataset("watts_strogatz").data.graph.num_nodes(), 0);
}

TEST(OpenData, AddsNodesThatOnlyTheLabelsOrFeaturesName) {
  const testing::TempDir dir;
  const std::string graph = dir.file("g.csv", "from,to\n1,2\n2,3\n").string();
  const std::string labels = dir.file("l.csv", "id,label\n1,x\n3,y\n7,x\n").string();
  const std::string features = dir.file("f.csv", "id,age\n1,10\n2,20\n3,30\n5,50\n7,70\n").string();
  const AttributedGraph data = open_data({.graph = graph, .features = features, .labels = labels}).data;
  ASSERT_EQ(data.graph.num_nodes(), 5);
  EXPECT_EQ(data.graph.num_arcs(), 4);
  EXPECT_EQ(data.graph.names().name(4), "7");
  EXPECT_EQ(data.labels.classes[4], 0);
  EXPECT_EQ(std::get<DenseMatrix>(data.features).values[3], 50);
  EXPECT_NE(
      std::find(data.notes.begin(), data.notes.end(), labels + ": 1 nodes without edges were added, such as \"7\""),
      data.notes.end());
}

TEST(OpenData, RefusesALabelFileThatNamesNoneOfTheNodes) {
  const testing::TempDir dir;
  const std::string graph = dir.file("g.txt", "a b\nb c\n").string();
  const std::string labels = dir.file("l.csv", "id,label\nx1,x\nx2,y\n").string();
  testing::expect_user_error([&] { open_data({.graph = graph, .features = "", .labels = labels}); },
                             "l.csv: ", "\"x1\"", "\"a\"");
}

TEST(OpenDataset, MakesARegisteredGraphUndirectedButNeverDirected) {
  expect_user_error([] { open_dataset("karate", {}, {.directed = true}); }, "undirected graph [omit `directed`]");
  GIR_NEEDS_DATA();
  const Dataset undirected = open_dataset("ogbn-arxiv", *testing::data_directory(), {.directed = false});
  EXPECT_FALSE(undirected.data.graph.directed());
  EXPECT_EQ(undirected.data.graph.num_arcs(), 2 * 1157799);
}

TEST(OgbnArxivStructural, HasTheOfficialGraphLabelsAndSplitWithFeaturesOfTheGraph) {
  GIR_NEEDS_DATA();
  const Dataset dataset = load_dataset("ogbn-arxiv-structural", *testing::data_directory());
  EXPECT_EQ(dataset.data.graph.num_nodes(), 169343);
  EXPECT_EQ(dataset.data.labels.num_classes(), 40);
  EXPECT_EQ(num_features(dataset.data.features), 6 + 128);
  EXPECT_TRUE(dataset.official_split);
  ASSERT_TRUE(dataset.data.split);
  EXPECT_EQ(dataset.data.split->test.size(), 48603u);
  ASSERT_EQ(dataset.data.notes.size(), 1u);
  EXPECT_NE(dataset.data.notes.front().find("not comparable"), std::string::npos);
}

}  // namespace
}  // namespace gir
