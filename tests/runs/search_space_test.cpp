#include "gir/runs/search_space.h"

#include <gtest/gtest.h>

#include "gir/core/error.h"
#include "gir/runs/run_config.h"
#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;
using testing::TempDir;

TEST(SearchSpace, TheDefaultOneHasValidValuesForEveryTask) {
  for (const Task task : {Task::kLinkPrediction, Task::kNodePairClassification, Task::kNodeClassification}) {
    const SearchSpace space = default_search_space(task);
    EXPECT_GE(space.size(), 8U);
    for (const SearchDimension& dimension : space) {
      RunConfig config;
      for (const std::string& value : dimension.values) {
        set(config, dimension.setting, value);
        EXPECT_EQ(find_setting(dimension.setting).get(config), value) << "as settings print it";
      }
    }
  }
}

TEST(SearchSpace, TheDefaultOneHasNoMoreAnchorsThanNodes) {
  for (const SearchDimension& dimension : default_search_space(Task::kLinkPrediction, 34)) {
    if (dimension.setting != "anchors") continue;
    EXPECT_EQ(dimension.values, std::vector<std::string>{"16"});
  }
}

TEST(SearchSpace, IsReadFromTheFileThatItWrites) {
  const TempDir dir;
  const SearchSpace space = read_search_space(dir.file(
      "space.json", R"({"layers": [2, 3], "weight_decay": [1e-4, 0.0001, 0], "jump": [true], "norm": ["batch"]})"));
  ASSERT_EQ(space.size(), 4U);
  EXPECT_EQ(space[1].setting, "weight-decay");
  EXPECT_EQ(space[1].values, (std::vector<std::string>{"0.0001", "0"})) << "equal values once";
  const SearchSpace again = read_search_space(dir.file("again.json", search_space_text(space)));
  for (std::size_t i = 0; i < space.size(); ++i) {
    EXPECT_EQ(again[i].setting, space[i].setting);
    EXPECT_EQ(again[i].values, space[i].values);
  }
}

TEST(SearchSpace, RefusesWhatCannotBeSearched) {
  const TempDir dir;
  const auto refused = [&](const char* text, const std::string& part) {
    expect_user_error([&] { read_search_space(dir.file("space.json", text)); }, "space.json: ", part);
  };
  refused("[1, 2]", "not a search space [a JSON object such as {\"layers\": [2, 3]");
  refused("{}", "not a search space");
  refused(R"({"layerz": [2]})", "unknown setting \"layerz\" [known: layers,");
  refused(R"({"layers": [0]})", "`layers`: 0 [at least 1]");
  refused(R"({"layers": 2})", "\"layers\" is not a list of values");
  refused(R"({"layers": []})", "\"layers\" is not a list of values");
  refused(R"({"layers": [[2]]})", "\"layers\": a value is not a string, number or boolean");
  refused(R"({"norm": ["bach"]})", "`norm`: unknown norm");
  refused(R"({"labels": ["a.txt"]})", "`labels` cannot be searched");
  refused(R"({"seed": [1, 2]})", "`seed` cannot be searched");
  refused(R"({"refit": [false, true]})", "`refit` cannot be searched: it does not affect the validation metrics");
  refused(R"({"weight-decay": [0], "weight_decay": [1]})", "`weight-decay` is listed twice");
}

}  // namespace
}  // namespace gir
