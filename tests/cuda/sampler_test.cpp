// Sampling pairs on a GPU gives the same pairs as on the CPU.

#include <torch/types.h>

#include "cuda/training.h"
#include "gir/data/split.h"
#include "gir/graph/generators.h"
#include "gir/nn/pair_sampler.h"
#include "gir/nn/recording.h"

namespace gir {
namespace {

template <typename T>
std::vector<T> values_of(const torch::Tensor& tensor) {
  const torch::Tensor host = tensor.cpu().contiguous();
  const auto* data = static_cast<const T*>(host.data_ptr());
  return {data, data + host.nbytes() / sizeof(T)};
}

template <typename T>
std::vector<T> values_of(const Array<T>& array) {
  return {array.begin(), array.end()};
}

/// The batch of an epoch, sampled on the CPU.
PairBatch expected_batch(const PairSplit& split, std::uint64_t epoch, std::uint64_t seed) {
  std::vector<NodePair> pairs = split.train_positives();
  for (const NodePair& pair : split.train_negatives(epoch, seed)) pairs.push_back(pair);
  return {pairs, split.message_graph().num_nodes()};
}

void expect_the_same_batch(const PairBatch& found, const PairBatch& expected) {
  ASSERT_TRUE(found.on_device());
  EXPECT_EQ(found.num_pairs(), expected.num_pairs());
  EXPECT_EQ(found.num_nodes(), expected.num_nodes());
  EXPECT_EQ(values_of<NodePair>(found.on_device()->pairs), values_of(expected.pairs()));
  EXPECT_EQ(values_of<std::int64_t>(found.on_device()->offsets), values_of(expected.offsets()));
  EXPECT_EQ(values_of<std::int32_t>(found.on_device()->pair_of), values_of(expected.pair_of()));
  EXPECT_EQ(values_of<NodeId>(found.on_device()->partner), values_of(expected.partner()));
}

std::unique_ptr<PairSampler> sampler_of(const PairSplit& split, const Context& context) {
  return make_pair_sampler(context.device, {.positives = split.train_positives(),
                                            .universe = split.universe(),
                                            .excluded = split.train_positive_set(),
                                            .nodes = split.message_graph().num_nodes()});
}

PairSplit links_of(const char* name) {
  return PairSplit::of_links(testing::open_known(name).data.graph, 1, default_shares(Task::kLinkPrediction));
}

void expect_the_same_draws(const PairSplit& split) {
  const Context context = make_context("cuda");
  const ContextScope scope(context);
  const auto sampler = sampler_of(split, context);
  ASSERT_NE(sampler, nullptr);
  for (const std::uint64_t epoch : {1, 2, 77}) {
    expect_the_same_batch(sampler->draw(PairSplit::negatives_stream(epoch, 9)), expected_batch(split, epoch, 9));
  }
}

TEST(PairSampler, SamplesTheSameLinksAsTheCpu) {
  for (const char* name : {"celegans", "ns", "pb"}) expect_the_same_draws(links_of(name));
}

TEST(PairSampler, SamplesTheSameNodePairsAsTheCpu) {
  for (const char* name : {"email", "europe", "usa"}) {
    expect_the_same_draws(
        PairSplit::of_node_pairs(testing::open_known(name).data, 2, default_shares(Task::kNodePairClassification)));
  }
}

TEST(PairSampler, SamplesFromLargeGraphs) {
  const Graph graph = generate_graph("rmat", {{"scale", 15}}).graph;
  expect_the_same_draws(PairSplit::of_links(graph, 0, default_shares(Task::kLinkPrediction)));
}

TEST(PairSampler, LeavesNearlyCompleteGraphsToTheCpu) {
  const Graph cliques = generate_graph("barbell", {{"clique", 6}}).graph;
  const PairSplit split = PairSplit::of_links(cliques, 0, default_shares(Task::kLinkPrediction));
  const Context context = make_context("cuda");
  const ContextScope scope(context);
  EXPECT_EQ(sampler_of(split, context), nullptr);
}

TEST(PairSampler, DoesNotExistForTheCpu) { EXPECT_EQ(sampler_of(links_of("celegans"), {}), nullptr); }

TEST(Recording, ReplaysWithTheRandomNumbersOfOtherEpochs) {
  const PairSplit split = links_of("celegans");
  const Context context = make_context("cuda");
  const ContextScope scope(context);
  const auto sampler = sampler_of(split, context);
  const PairBatch* batch = nullptr;
  const auto recording = Recording::of(
      context.device, 5, {}, [&](const at::Tensor&) { batch = &sampler->draw(PairSplit::negatives_stream(5, 9)); });
  for (const std::uint64_t epoch : {1, 5, 6, 1000}) {
    recording->replay(epoch, {});
    expect_the_same_batch(*batch, expected_batch(split, epoch, 9));
  }
}

TEST(Recording, LeavesTheDeviceUsableIfTheCaptureFails) {
  const PairSplit split = links_of("celegans");
  const Context context = make_context("cuda");
  const ContextScope scope(context);
  EXPECT_THROW(Recording::of(context.device, 1, {}, [](const at::Tensor&) { throw UserError("stop"); }), UserError);
  const auto sampler = sampler_of(split, context);
  expect_the_same_batch(sampler->draw(PairSplit::negatives_stream(3, 9)), expected_batch(split, 3, 9));
}

}  // namespace
}  // namespace gir
