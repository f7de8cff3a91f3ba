#include <gmock/gmock.h>

#include "program.h"

namespace gir {
namespace {

using testing::expect_refusal;
using ::testing::HasSubstr;
using testing::read_text;
using testing::run_gir;
using testing::TempDir;

TEST(ReportCommand, WritesOnePage) {
  const TempDir dir;
  ASSERT_EQ(run_gir({"train", "--dataset", "karate", "--epochs", "10", "-o", dir / "run"}).exit_code, 0);
  const auto run = run_gir({"report", dir / "run", "-o", dir / "report.html"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("report.html"));
  const std::string page = read_text(dir / "report.html");
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("gir-a on karate"));
  EXPECT_EQ(page.find("__GIR_PAYLOAD__"), std::string::npos);
}

TEST(ReportCommand, ThePageOfAGridShowsItsCommand) {
  const TempDir dir;
  ASSERT_EQ(run_gir({"compare", "--datasets", "karate", "--models", "gir-a,gcn", "--runs", "2", "--splits", "2",
                     "--epochs", "5", "-o", dir / "my grid"})
                .exit_code,
            0);
  ASSERT_EQ(run_gir({"report", dir / "my grid", "-o", dir / "report.html"}).exit_code, 0);
  EXPECT_THAT(read_text(dir / "report.html"), HasSubstr("gir compare --datasets karate --models gir-a,gcn --runs 2"));
}

TEST(ReportCommand, RejectsOtherFolders) {
  const TempDir dir;
  expect_refusal({"report", dir.path(), "-o", dir / "x.html"}, {"contains neither a run", "a training"});
  expect_refusal({"report", dir / "none", "-o", dir / "x.html"}, {"no such folder"});
  expect_refusal({"report", dir.file("file", ""), "-o", dir / "x.html"}, {"is a file, not a folder"});
  expect_refusal({"report", dir / "none"}, {"--output"});
  EXPECT_FALSE(std::filesystem::exists(dir / "x.html"));
}

TEST(ReportCommand, ReplacesPagesAndNoOtherFiles) {
  const TempDir dir;
  ASSERT_EQ(run_gir({"train", "--dataset", "karate", "--epochs", "2", "-o", dir / "run"}).exit_code, 0);
  const std::string before = read_text(dir / "run/result.json");
  expect_refusal({"report", dir / "run", "-o", dir / "run/result.json"}, {"result.json", "is no HTML page"});
  EXPECT_EQ(read_text(dir / "run/result.json"), before);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(run_gir({"report", dir / "run", "-o", dir / "page"}).exit_code, 0);
}

}  // namespace
}  // namespace gir
