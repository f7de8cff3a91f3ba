#include <gtest/gtest.h>

#include "data/http_server.h"
#include "program.h"

namespace gir {
namespace {

using testing::HttpReply;
using testing::HttpServer;
using testing::ProgramRun;
using testing::run_gir;
using testing::TempDir;

/// The command line that fetches pb from a server into a folder.
std::vector<std::string> fetch_pb(const HttpServer& server, const TempDir& dir) {
  return {"data", "fetch", "pb", "--mirror", server.url(""), "--data-dir", dir.path().string()};
}

TEST(DataFetch, DownloadsADatasetFromAServer) {
  GIR_NEEDS_DATA();
  const TempDir dir;
  const HttpServer server(HttpReply{.body = testing::read_text(*testing::data_directory() / "pb/PB.txt")});
  const ProgramRun run = run_gir(fetch_pb(server, dir));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find((dir / "pb").string()), std::string::npos) << run.out;
  EXPECT_NE(run.err.find("100 %"), std::string::npos) << run.err;
  EXPECT_EQ(run_gir({"data", "info", "pb", "--data-dir", dir.path().string(), "--format", "json"}).json()["edges"],
            16714);
  EXPECT_EQ(server.requests().at(0).path, "/pb/PB.txt");
}

TEST(DataFetch, ContinuesAPartialFile) {
  GIR_NEEDS_DATA();
  const TempDir dir;
  const std::string whole = testing::read_text(*testing::data_directory() / "pb/PB.txt");
  dir.file("pb/PB.txt.part", whole.substr(0, 100'000));
  const HttpServer server(HttpReply{.body = whole});
  EXPECT_EQ(run_gir(fetch_pb(server, dir)).exit_code, 0);
  EXPECT_EQ(server.requests().at(0).range, "bytes=100000-");
  EXPECT_EQ(testing::read_text(dir / "pb/PB.txt"), whole);
}

TEST(DataFetch, RefusesAWrongFileByName) {
  const TempDir dir;
  const HttpServer server(HttpReply{.body = "not the graph"});
  std::vector<std::string> words = fetch_pb(server, dir);
  words.push_back("-q");
  testing::expect_refusal(words, {"gir data fetch: ", "PB.txt"});
  EXPECT_FALSE(std::filesystem::exists(dir / "pb/PB.txt"));
}

}  // namespace
}  // namespace gir
