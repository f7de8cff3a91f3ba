#include <gtest/gtest.h>

#include <algorithm>

#include "gir/data/dataset.h"
#include "gir/graph/statistics.h"
#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;

/// Names of the data sets with published splits of their edges.
std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const DatasetEntry& entry : Registry<DatasetEntry>::all()) {
    if (!entry.link_splits.files.empty()) found.push_back(entry.name);
  }
  return found;
}

PairSplit split_of(const Dataset& dataset, std::uint64_t number) {
  const PairLists lists = read_pair_lists(published_split(dataset, number), dataset.data.graph.names());
  return PairSplit::of_given_links(dataset.data.graph, lists, number, dataset.link_splits.shares);
}

bool is_edge(const Graph& graph, NodePair pair) { return graph.has_arc(pair.first, pair.second); }

class PublishedSplitsOf : public ::testing::TestWithParam<std::string> {};

TEST_P(PublishedSplitsOf, PartitionTheEdgesWithoutLeaks) {
  GIR_NEEDS_DATA();
  const Dataset dataset = load_dataset(GetParam(), *testing::data_directory());
  const Graph& graph = dataset.data.graph;
  const auto edges = static_cast<std::size_t>(graph.num_arcs() / 2);
  ASSERT_EQ(dataset.link_splits.files.size(), 10u);
  for (std::uint64_t number = 0; number < 10; ++number) {
    const PairSplit split = split_of(dataset, number);
    const std::size_t train = split.train_positives().size();
    EXPECT_EQ(train + split.valid().positives.size() + split.test().positives.size(), edges);
    EXPECT_EQ(split.message_graph().num_arcs(), 2 * static_cast<EdgeId>(train));
    EXPECT_EQ(split.message_graph().num_nodes(), graph.num_nodes());
    EXPECT_NEAR(static_cast<double>(split.valid().positives.size()), 0.05 * static_cast<double>(edges), 1.5);
    EXPECT_NEAR(static_cast<double>(split.test().positives.size()), 0.1 * static_cast<double>(edges), 1.5);
    for (const EvaluationPairs* part : {&split.valid(), &split.test()}) {
      EXPECT_EQ(part->negatives.size(), part->positives.size());
      const auto carries_messages = [&](NodePair pair) { return is_edge(split.message_graph(), pair); };
      EXPECT_TRUE(std::none_of(part->positives.begin(), part->positives.end(), carries_messages)) << number;
      EXPECT_TRUE(std::none_of(part->negatives.begin(), part->negatives.end(), [&](NodePair pair) {
        return is_edge(graph, pair);
      })) << number;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PublishedSplitsOf, ::testing::ValuesIn(names()),
                         [](const auto& row) { return row.param.substr(row.param.find('/') + 1); });

TEST(PublishedSplits, DifferFromEachOther) {
  GIR_NEEDS_DATA();
  const Dataset usair = load_dataset("links/USAir", *testing::data_directory());
  EXPECT_NE(split_of(usair, 0).fingerprint(), split_of(usair, 1).fingerprint());
  EXPECT_EQ(published_split(usair, 9).filename(), "USAir_split_10.mat") << "counted from 0";
}

TEST(PublishedSplits, AreTenAndNoMore) {
  const Dataset dataset{.name = "links/USAir",
                        .data = {},
                        .task = Task::kLinkPrediction,
                        .sizes = {},
                        .link_splits = Registry<DatasetEntry>::get("links/USAir").link_splits};
  expect_user_error([&] { published_split(dataset, 10); },
                    "links/USAir has 10 published splits, so there is no split 10 [`split` 0 to 9");
}

TEST(PublishedSplits, AreOfEightGraphsWhoseNamesMayBeWrittenInLowerCase) {
  EXPECT_EQ(names().size(), 8u);
  EXPECT_EQ(Registry<DatasetEntry>::get("links/usair").name, "links/USAir");
  expect_user_error([] { open_dataset("links/USAr"); }, "neither a file nor a known graph", "known: links/USAir");
  expect_user_error([] { open_dataset("other/USAir"); }, "no such file");
}

}  // namespace
}  // namespace gir
