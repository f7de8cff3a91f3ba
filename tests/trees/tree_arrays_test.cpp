#include <gmock/gmock.h>

#include <set>

#include "gir/trees/boosted_trees.h"
#include "support.h"
#include "trees/examples.h"

namespace gir {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TreeArrays, GiveARowTheSameScoreAloneAndAmongOthers) {
  const Examples examples = random_examples(7, 150, 3, 40);
  const BoostedTrees trees = train(examples, {.trees = 10, .min_leaf_rows = 1});
  const TreeArrays& arrays = trees.arrays();
  const auto scores = scores_of(trees, examples.rows());
  EXPECT_GT(std::set<float>(scores.begin(), scores.end()).size(), 20u);
  for (std::int64_t i = 0; i < examples.rows().rows(); ++i) {
    const float* row = examples.rows().row(i);
    EXPECT_THAT(scores_of(trees, {.values = {row, 3}, .columns = 3}), ElementsAre(scores[static_cast<std::size_t>(i)]));
    double sum = arrays.base_score;
    for (std::int64_t tree = 0; tree < 10; ++tree) {
      sum += arrays.values[static_cast<std::size_t>(tree * arrays.nodes_per_tree + leaf_of(arrays, tree, row))];
    }
    EXPECT_EQ(scores[static_cast<std::size_t>(i)], static_cast<float>(sum));
  }
  EXPECT_THAT(scores_of(trees, {.values = {}, .columns = 3}), IsEmpty());
}

TEST(TreeArrays, MakeTheSameTreesAgain) {
  const Examples examples = random_examples(8, 300, 3, 40);
  const BoostedTrees trees = train(examples, {.trees = 10});
  const BoostedTrees restored(trees.arrays());
  EXPECT_EQ(restored.arrays(), trees.arrays());
  EXPECT_EQ(scores_of(restored, examples.rows()), scores_of(trees, examples.rows()));
}

TEST(TreeArrays, SendAValueEqualToTheThresholdToTheLeft) {
  const BoostedTrees trees({.base_score = 10,
                            .columns = 2,
                            .trees = 1,
                            .nodes_per_tree = 3,
                            .features = {1, -1, -1},
                            .thresholds = {0.5, 0, 0},
                            .left = {2, 0, 0},
                            .right = {1, 0, 0},
                            .values = {0, 1, 2}});
  const std::vector<float> values = {9, 0.5, 9, 0.75};
  EXPECT_THAT(scores_of(trees, {.values = values, .columns = 2}), ElementsAre(12, 11));
}

TEST(TreeArrays, AreRefusedWhereTheyAreNotTrees) {
  const TreeArrays good = {.columns = 2,
                           .trees = 2,
                           .nodes_per_tree = 3,
                           .features = {0, -1, -1, 1, -1, -1},
                           .thresholds = {0.5, 0, 0, -kInfinity, 0, 0},
                           .left = {1, 0, 0, 1, 0, 0},
                           .right = {2, 0, 0, 2, 0, 0},
                           .values = {0, 1, 2, 0, 3, 4}};
  EXPECT_NO_THROW(BoostedTrees{good});
  const auto refused = [&](const char* place, const char* fact, const auto& damage) {
    TreeArrays arrays = good;
    damage(arrays);
    expect_user_error([&] { const BoostedTrees trees(arrays); }, "boosted trees: ", place, fact,
                      "[the file is damaged");
  };
  const char* all = "";
  refused(all, "there are no features", [](TreeArrays& arrays) { arrays.columns = 0; });
  refused(all, "base score", [](TreeArrays& arrays) { arrays.base_score = static_cast<double>(kNaN); });
  refused(all, "out of range", [](TreeArrays& arrays) { arrays.trees = -1; });
  refused(all, "out of range", [](TreeArrays& arrays) { arrays.nodes_per_tree = 0; });
  refused(all, "one element per node", [](TreeArrays& arrays) { arrays.trees = 3; });
  refused(all, "one element per node", [](TreeArrays& arrays) { arrays.features.pop_back(); });
  refused(all, "one element per node", [](TreeArrays& arrays) { arrays.thresholds.pop_back(); });
  refused(all, "one element per node", [](TreeArrays& arrays) { arrays.left.pop_back(); });
  refused(all, "one element per node", [](TreeArrays& arrays) { arrays.right.pop_back(); });
  refused(all, "one element per node", [](TreeArrays& arrays) { arrays.values.pop_back(); });
  const char* second_root = "tree 1, node 0";
  refused(second_root, "no such feature", [](TreeArrays& arrays) { arrays.features[3] = 2; });
  refused(second_root, "no such feature", [](TreeArrays& arrays) { arrays.features[3] = -2; });
  refused(second_root, "threshold", [](TreeArrays& arrays) { arrays.thresholds[3] = kNaN; });
  refused(second_root, "no such child", [](TreeArrays& arrays) { arrays.left[3] = 0; });
  refused(second_root, "no such child", [](TreeArrays& arrays) { arrays.left[3] = 3; });
  refused(second_root, "no such child", [](TreeArrays& arrays) { arrays.right[3] = -1; });
  refused(second_root, "no such child", [](TreeArrays& arrays) { arrays.right[3] = 3; });
  refused("tree 1, node 2", "value", [](TreeArrays& arrays) { arrays.values[5] = kInfinity; });
}

}  // namespace
}  // namespace gir
