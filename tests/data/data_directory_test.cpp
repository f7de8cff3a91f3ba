#include "gir/data/data_directory.h"

#include <gmock/gmock.h>

#include "environment.h"
#include "gir/core/error.h"
#include "support.h"

namespace gir {
namespace {

using std::filesystem::path;
using ::testing::ElementsAre;
using testing::expect_user_error;
using testing::ScopedVariable;

/// Starts without any of the environment variables.
class DataDirectory : public ::testing::Test {
 protected:
  testing::TempDir folder_;

 private:
  ScopedVariable data_{"GIR_DATA", std::nullopt};
  ScopedVariable cache_{"XDG_CACHE_HOME", std::nullopt};
  ScopedVariable home_{"HOME", std::nullopt};
};

TEST_F(DataDirectory, IsTheChosenOneThenGirDataThenTheCache) {
  const ScopedVariable data("GIR_DATA", "/data");
  const ScopedVariable home("HOME", "/home/me");
  EXPECT_THAT(data_directories("/chosen"), ElementsAre("/chosen", "/data", "/home/me/.cache/gir"));
}

TEST_F(DataDirectory, OmitsWhatIsNotSet) {
  const ScopedVariable home("HOME", "/home/me");
  EXPECT_THAT(data_directories(), ElementsAre("/home/me/.cache/gir"));
}

TEST_F(DataDirectory, TreatsAnEmptyVariableAsNotSet) {
  const ScopedVariable data("GIR_DATA", "");
  const ScopedVariable cache("XDG_CACHE_HOME", "");
  const ScopedVariable home("HOME", "/home/me");
  EXPECT_THAT(data_directories(), ElementsAre("/home/me/.cache/gir"));
}

TEST_F(DataDirectory, PrefersTheCacheThatXdgNames) {
  const ScopedVariable cache("XDG_CACHE_HOME", "/var/cache/me");
  const ScopedVariable home("HOME", "/home/me");
  EXPECT_THAT(data_directories(), ElementsAre("/var/cache/me/gir"));
}

TEST_F(DataDirectory, IgnoresARelativeXdgCache) {
  const ScopedVariable cache("XDG_CACHE_HOME", "cache");
  const ScopedVariable home("HOME", "/home/me");
  EXPECT_THAT(data_directories(), ElementsAre("/home/me/.cache/gir"));
}

TEST_F(DataDirectory, SaysWhatToDoWithoutAHome) {
  expect_user_error([] { data_directories(); }, "no data directory", "HOME", "`data-dir`", "GIR_DATA");
  expect_user_error([] { download_directory(); }, "no data directory");
  expect_user_error([] { find_data_file("", "cora/ind.cora.x"); }, "no data directory");
}

TEST_F(DataDirectory, NeedsNoHomeWhenAnotherFolderIsGiven) {
  EXPECT_THAT(data_directories("chosen"), ElementsAre("chosen"));
  const ScopedVariable data("GIR_DATA", "/data");
  EXPECT_THAT(data_directories(), ElementsAre("/data"));
}

TEST_F(DataDirectory, FindsAFileInTheFirstThatHasIt) {
  const path in_second = folder_.file("second/cora/ind.cora.x", "x");
  folder_.file("third/gir/cora/ind.cora.x", "x");
  const path in_third = folder_.file("third/gir/cora/ind.cora.y", "y");
  const ScopedVariable data("GIR_DATA", folder_ / "second");
  const ScopedVariable cache("XDG_CACHE_HOME", folder_ / "third");
  EXPECT_EQ(find_data_file(folder_ / "first", "cora/ind.cora.x"), in_second);
  EXPECT_EQ(find_data_file(folder_ / "first", "cora/ind.cora.y"), in_third);
  const path in_first = folder_.file("first/cora/ind.cora.x", "x");
  EXPECT_EQ(find_data_file(folder_ / "first", "cora/ind.cora.x"), in_first);
}

TEST_F(DataDirectory, FindsAFolder) {
  folder_.file("ogbn-arxiv/raw/edge.csv.gz", "");
  EXPECT_EQ(find_data_file(folder_.path(), "ogbn-arxiv"), folder_ / "ogbn-arxiv");
}

TEST_F(DataDirectory, FindsNothingInEmptyFolders) {
  EXPECT_EQ(find_data_file(folder_.path(), "cora/ind.cora.x"), std::nullopt);
}

TEST_F(DataDirectory, DownloadsToTheFirst) {
  const ScopedVariable home("HOME", "/home/me");
  EXPECT_EQ(download_directory(), path("/home/me/.cache/gir"));
  const ScopedVariable data("GIR_DATA", "/data");
  EXPECT_EQ(download_directory(), path("/data"));
  EXPECT_EQ(download_directory("/chosen"), path("/chosen"));
}

}  // namespace
}  // namespace gir
