#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gir/anchors/anchors.h"
#include "gir/io/csv_cell.h"
#include "gir/io/format.h"
#include "gir/io/node_lists.h"
#include "gir/io/split_files.h"
#include "read_graphs.h"
#include "support.h"

namespace gir {
namespace {

using testing::joined_notes;
using testing::names;
using testing::TempDir;

/// Ids that look like something else in a text file: comments, quotes, separators, headers, other formats.
std::vector<std::string> awkward_ids() {
  std::vector<std::string> ids = {
      "#ai",       "%x",     " a",     "b ",  "Smith, J.",  "O\"Neil",  "\"quoted\"", "a;b",       "c|d",
      "two words", "source", "target", "007", "1.50",       "<graphml", "graph [",    "{\"a\":1}", "*Vertices 3",
      "sep=;",     "key: v", "-1",     "NaN", "# gir node", "\"",       "\"\"",       "don't",     "M\xC3\xBC"};
  std::sort(ids.begin(), ids.end());
  return ids;
}

/// A ring of the nodes with these ids; the last has no edges.
Graph ring(std::vector<std::string> ids, bool weighted = false) {
  const auto nodes = static_cast<NodeId>(ids.size());
  EdgeInput input{.arcs = Array<Arc>(nodes - 1), .names = NodeNames::strings(ids)};
  for (NodeId v = 0; v + 1 < nodes; ++v) input.arcs[v] = {v, static_cast<NodeId>((v + 1) % (nodes - 1))};
  if (weighted) input.weights = Array<float>(input.arcs.size(), 0.5F);
  return build_graph(std::move(input));
}

TEST(WrittenIds, AreReadBackFromEdgeListsAndMatrixMarket) {
  const TempDir dir;
  for (const bool weighted : {false, true}) {
    const Graph graph = ring(awkward_ids(), weighted);
    for (const char* name : {"a.csv", "a.tsv", "a.txt", "a.csv.gz", "a.mtx"}) {
      write_graph(dir / name, {.graph = graph.clone()});
      const AttributedGraph back = read_graph(dir / name);
      EXPECT_EQ(back.graph.fingerprint(), graph.fingerprint()) << name << ": " << joined_notes(back);
    }
  }
}

TEST(WrittenIds, OfSinglePairsAreReadBack) {
  const TempDir dir;
  const auto ids = awkward_ids();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (std::size_t j = i + 1; j < std::min(i + 4, ids.size()); ++j) {
      const Graph graph = build_graph({.arcs = {{0, 1}}, .names = NodeNames::strings({ids[i], ids[j]})});
      for (const char* name : {"a.csv", "a.txt"}) {
        write_graph(dir / name, {.graph = graph.clone()});
        EXPECT_EQ(read_graph(dir / name).graph.fingerprint(), graph.fingerprint()) << ids[i] << " " << ids[j] << name;
      }
    }
  }
}

TEST(WrittenIds, AreReadBackFromListsOfAnchorsAndSplits) {
  const TempDir dir;
  auto ids = awkward_ids();
  ids.insert(ids.end(), {"", "tab\tinside", "line\nbreak", "return\r"});
  const Graph graph = ring(ids);
  std::vector<NodeId> all(ids.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<NodeId>(all.size() - 1 - i);
  write_anchors(dir / "anchors.txt", graph, all);
  EXPECT_EQ(read_anchors(dir / "anchors.txt", graph), all);
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) pairs.emplace_back(all[i], all[i + 1]);
  std::filesystem::create_directories(dir / "pairs");
  std::filesystem::create_directories(dir / "nodes");
  write_split_files(dir / "pairs", {{.name = "train.txt", .pairs = pairs, .nodes = {}}}, graph.names());
  EXPECT_EQ(read_pair_lists(dir / "pairs", graph.names()).train.items, pairs);
  write_split_files(dir / "nodes", {{.name = "train.txt", .pairs = {}, .nodes = all}}, graph.names());
  EXPECT_EQ(read_node_lists(dir / "nodes", graph.names(), 0).train.items, all);
}

TEST(WrittenIds, HaveNoQuotesWhereNoneAreNeeded) {
  EXPECT_EQ(id_cell("two words", '\t'), "two words");
  EXPECT_EQ(id_cell("Smith, J.", '\t'), "Smith, J.");
  EXPECT_EQ(id_cell("Smith, J.", ','), "\"Smith, J.\"");
  EXPECT_EQ(id_cell("#ai", ','), "\"#ai\"");
  EXPECT_EQ(id_cell("O\"Neil", ','), "\"O\"\"Neil\"");
}

TEST(WrittenIds, ThatBeginLikeACommentMayBeQuotedByOthers) {
  const TempDir dir;
  const AttributedGraph data = read_graph(dir.file("g.csv", "source,target\n\"#ai\",bob\nbob,\"#ml\"\n"));
  EXPECT_THAT(names(data.graph), ::testing::ElementsAre("#ai", "#ml", "bob"));
}

TEST(WrittenIds, ThatWereDroppedAsCommentsAreCounted) {
  const TempDir dir;
  const auto notes = [&](const char* text) { return joined_notes(read_graph(dir.file("g.csv", text))); };
  EXPECT_THAT(notes("source,target\nann,bob\n#ai,bob\nbob,cid\n#ml,ann\n"),
              ::testing::HasSubstr("g.csv:3: \"#ai,bob\" is skipped as a comment, and so are 1 more lines [put ids"));
  EXPECT_THAT(notes("#ai,#ml\nann,bob\nbob,cid\ncid,ann\n"), ::testing::HasSubstr("g.csv:1: \"#ai,#ml\" is skipped"));
  EXPECT_EQ(notes("# friends, by hand\nann,bob\nbob,cid\ncid,ann\n"), "");
}

}  // namespace
}  // namespace gir
