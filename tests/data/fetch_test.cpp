#include <gtest/gtest.h>

#include "gir/core/hash.h"
#include "gir/data/dataset.h"
#include "gir/io/zip.h"
#include "http_server.h"
#include "io/zip_fixtures.h"
#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;
using testing::HttpReply;
using testing::HttpServer;
using testing::TempDir;

std::string sha256(std::string_view text) {
  Sha256 hash;
  hash.add(text.data(), text.size());
  return hash.hex();
}

const std::string kEdges = "0 1\n1 2\n";
const std::string kZip = testing::zip_bytes({{.name = "inner/edges.txt", .bytes = kEdges}});

AttributedGraph load_edges(const std::filesystem::path& folder) { return read_graph(folder / "edges.txt"); }

const Registered<DatasetEntry> plain{{
    .name = "test-plain",
    .summary = "",
    .origin = "",
    .task = Task::kLinkPrediction,
    .sizes = {},
    .sources = {{.files = {{.name = "edges.txt",
                            .url = "https://127.0.0.1:1/nowhere",
                            .sha256 = sha256(kEdges),
                            .bytes = static_cast<std::int64_t>(kEdges.size())}},
                 .load = load_edges}},
}};

const Registered<DatasetEntry> archived{{
    .name = "test-archived",
    .summary = "",
    .origin = "",
    .task = Task::kLinkPrediction,
    .sizes = {},
    .sources =
        {{.files = {{.name = "edges.txt", .sha256 = sha256(kEdges), .bytes = static_cast<std::int64_t>(kEdges.size())}},
          .load = load_edges,
          .archive = DataArchive{.url = "http://127.0.0.1:1/all.zip", .sha256 = sha256(kZip), .folder = "inner"}}},
}};

std::string mirror_of(const HttpServer& server) { return server.url("/mirror"); }

TEST(Fetch, DownloadsADatasetThatThenLoads) {
  const TempDir dir;
  const HttpServer server(HttpReply{.body = kEdges});
  expect_user_error([&] { load_dataset("test-plain", dir.path()); }, "the files of test-plain are missing");
  const auto folder = fetch_dataset("test-plain", {.data_dir = dir.path(), .mirror = mirror_of(server)});
  EXPECT_EQ(folder, dir / "test-plain");
  EXPECT_EQ(load_dataset("test-plain", dir.path()).data.graph.num_nodes(), 3);
  EXPECT_EQ(server.requests().at(0).path, "/mirror/test-plain/edges.txt");
}

TEST(Fetch, DownloadsNothingThatIsThere) {
  const TempDir dir;
  const HttpServer server(HttpReply{.body = kEdges});
  for (int i = 0; i < 3; ++i) fetch_dataset("test-plain", {.data_dir = dir.path(), .mirror = mirror_of(server)});
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(Fetch, RefusesAWrongFileAndKeepsNothingOfIt) {
  const TempDir dir;
  const HttpServer server(HttpReply{.body = "0 1\n1 3\n"});
  expect_user_error([&] { fetch_dataset("test-plain", {.data_dir = dir.path(), .mirror = mirror_of(server)}); },
                    "edges.txt", sha256(kEdges), sha256("0 1\n1 3\n"));
  EXPECT_FALSE(std::filesystem::exists(dir / "test-plain/edges.txt"));
}

TEST(Fetch, ExtractsAnArchive) {
  const TempDir dir;
  const HttpServer server(HttpReply{.body = kZip});
  for (int i = 0; i < 2; ++i) fetch_dataset("test-archived", {.data_dir = dir.path(), .mirror = mirror_of(server)});
  EXPECT_EQ(server.requests().size(), 1u);
  EXPECT_EQ(load_dataset("test-archived", dir.path()).data.graph.num_nodes(), 3);
  EXPECT_FALSE(std::filesystem::exists(dir / "test-archived/all.zip"));
}

TEST(Fetch, SaysThatBuiltInGraphsNeedNoDownload) {
  expect_user_error([] { fetch_dataset("karate", {}); }, "karate is built in");
}

}  // namespace
}  // namespace gir
