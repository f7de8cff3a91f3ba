#include "gir/runs/class_warnings.h"

#include <gmock/gmock.h>

namespace gir {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Labels and a split of which each part has the given classes.
struct Classes {
  Labels labels;
  NodeSplit split;
  std::vector<std::int32_t> predicted;

  Classes(const std::vector<std::int64_t>& train, const std::vector<std::int64_t>& valid,
          const std::vector<std::int64_t>& test) {
    std::vector<std::int64_t> all;
    const auto add = [&](const std::vector<std::int64_t>& part, std::vector<NodeId>& nodes) {
      for (const std::int64_t each : part) {
        nodes.push_back(static_cast<NodeId>(all.size()));
        all.push_back(each);
      }
    };
    add(train, split.train);
    add(valid, split.valid);
    add(test, split.test);
    labels = labels_from_integers(all);
    for (const NodeId node : split.valid) predicted.push_back(labels.classes[node]);
  }

  std::vector<std::string> warnings(bool weighted = false, bool selects = false) const {
    return class_warnings(
        {.labels = labels, .split = split, .predicted = predicted, .weighted = weighted, .selects = selects});
  }
};

TEST(ClassWarnings, AreNoneForBalancedClassesInAllParts) {
  EXPECT_THAT(Classes({0, 1, 2}, {0, 1, 2}, {2, 1, 0}).warnings(), IsEmpty());
}

TEST(ClassWarnings, NameClassesThatAPartOfTheSplitLacks) {
  EXPECT_THAT(Classes({0, 1, 7}, {0, 1}, {0, 1, 7}).warnings(),
              ElementsAre(AllOf(HasSubstr("class \"7\" has no validation node"), HasSubstr("[use another `split`"))));
  EXPECT_THAT(Classes({0, 1}, {0, 1, 2, 3}, {0, 1, 2, 3}).warnings(),
              ElementsAre(HasSubstr("2 of 4 classes, \"2\" among them, have no training node: no model can learn it")));
  EXPECT_THAT(Classes({0, 1}, {0, 1}, {1}).warnings(), ElementsAre(HasSubstr("class \"0\" has no test node")));
  EXPECT_THAT(Classes({0, 1}, {0, 1}, {}).warnings(), IsEmpty()) << "a split without a test set";
}

TEST(ClassWarnings, ReportAModelThatPredictsOneClassOnly) {
  Classes classes({0, 0, 1}, {0, 1, 0}, {0, 1});
  classes.predicted = {0, 0, 0};
  EXPECT_THAT(classes.warnings(),
              ElementsAre(AllOf(HasSubstr("all 3 validation nodes are predicted as class \"0\", although 2 classes"),
                                HasSubstr("`class-weights`"), HasSubstr("`select-by` macro_f1"))));
  EXPECT_THAT(classes.warnings(true), ElementsAre(Not(HasSubstr("`class-weights`")))) << "remedies that are not in use";
  EXPECT_THAT(classes.warnings(true, true), ElementsAre(Not(HasSubstr("`select-by`"))));
  classes.predicted = {0, 1, 0};
  EXPECT_THAT(classes.warnings(), IsEmpty());
  Classes one({0, 1}, {0, 0}, {0, 1});
  EXPECT_THAT(one.warnings(), ElementsAre(HasSubstr("no validation node"))) << "the predictions are right";
}

TEST(ClassWarnings, ReportImbalanceThatAccuracyHides) {
  std::vector<std::int64_t> many(20, 0);
  many.push_back(1);
  Classes classes(many, {0, 0, 0, 0, 0, 0, 0, 1, 1, 0}, {0, 1});
  classes.predicted = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0};
  EXPECT_THAT(classes.warnings(),
              ElementsAre(AllOf(HasSubstr("20 training nodes of class \"0\", 1 of class \"1\""),
                                HasSubstr("accuracy 0.90, balanced accuracy 0.75"), HasSubstr("`class-weights`"))));
  classes.predicted[8] = 1;
  EXPECT_THAT(classes.warnings(), IsEmpty()) << "the small class is recognised";
  many.resize(9, 0);
  many.push_back(1);
  Classes milder(many, {0, 0, 0, 0, 0, 0, 0, 1, 1, 0}, {0, 1});
  milder.predicted = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0};
  EXPECT_THAT(milder.warnings(), IsEmpty());
}

TEST(ClassWarnings, ReportAModelThatIsNoBetterThanGuessing) {
  Classes classes({0, 1, 0, 1}, {0, 0, 0, 1, 1}, {0, 1});
  classes.predicted = {0, 0, 1, 0, 1};
  EXPECT_THAT(classes.warnings(),
              ElementsAre(AllOf(HasSubstr("validation accuracy 0.600 is not better than always answering the largest "
                                          "class (0.600), and balanced accuracy is 0.583, by guessing 0.500"),
                                HasSubstr("[another `model`"))));
  EXPECT_THAT(classes.warnings(true), IsEmpty()) << "weights trade accuracy for balanced accuracy";
  classes.predicted = {0, 0, 0, 0, 1};
  EXPECT_THAT(classes.warnings(), IsEmpty());
  std::vector<std::int64_t> halves(40, 0);
  std::fill(halves.begin() + 20, halves.end(), 1);
  Classes many({0, 1}, halves, {0, 1});
  many.predicted.assign(halves.begin(), halves.end());
  EXPECT_THAT(many.warnings(), IsEmpty());
  for (std::size_t i = 0; i < 40; ++i) many.predicted[i] = i % 2 == 0 ? 0 : 1;
  many.predicted[1] = 0;  // one more than half of them
  EXPECT_THAT(many.warnings(), ElementsAre(HasSubstr("validation accuracy 0.525 is hardly better than")));
}

TEST(ClassWarnings, AfterARefitJudgeTheModelBeforeIt) {
  const Classes before({0, 0, 0, 1, 1}, {0, 0, 0, 1, 1}, {0, 1});
  const Classes joined({0, 0, 0, 1, 1, 0, 0, 0, 1, 1}, {}, {0, 1});
  const std::vector<std::int32_t> wrong = {1, 1, 0, 0, 0};
  EXPECT_THAT(class_warnings(
                  {.labels = joined.labels, .split = joined.split, .predicted = wrong, .before_refit = &before.split}),
              ElementsAre(HasSubstr("validation accuracy 0.200 of the model before the refit is not better")));
}

}  // namespace
}  // namespace gir
