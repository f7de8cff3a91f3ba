#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gir/io/format.h"
#include "gir/io/tables.h"
#include "read_graphs.h"
#include "support.h"

namespace gir {
namespace {

using ::testing::ElementsAre;
using testing::expect_user_error;
using ::testing::HasSubstr;
using testing::joined_notes;
using testing::TempDir;

AttributedGraph read(std::string_view content, const ReadOptions& options = {}, std::string_view name = "graph.csv") {
  const TempDir dir;
  return read_graph(dir.file(name, content), options);
}

/// The weights of the edges 1-0 and 1-2.
std::vector<float> weights(std::string_view content) {
  const Graph graph = read(content).graph;
  if (!graph.weighted()) return {};
  const auto row = graph.out().row_weights(1);
  return {row.begin(), row.end()};
}

TEST(TableNumbers, MayHaveDecimalCommasAndMarksBetweenThousands) {
  EXPECT_THAT(weights("a;b;Weight\n0;1;1.000,5\n1;2;2\n"), ElementsAre(1000.5F, 2));
  EXPECT_THAT(weights("a;b;Weight\n0;1;0,5\n1;2;1.234\n"), ElementsAre(0.5F, 1234));
  EXPECT_THAT(weights("a\tb\tWeight\n0\t1\t0,5\n1\t2\t2\n"), ElementsAre(0.5F, 2));
  EXPECT_THAT(weights("a;b;Weight\n0;1;1,000.5\n1;2;2.5\n"), ElementsAre(1000.5F, 2.5F));
  EXPECT_THAT(weights("a,b,Weight\n0,1,\"1.000,5\"\n1,2,2\n"), ElementsAre(1000.5F, 2));
  EXPECT_THAT(weights("a,b,Weight\n0,1,\"1,234,567\"\n1,2,2\n"), ElementsAre(1234567, 2));
  EXPECT_THAT(weights("a;b;Weight\n0;1;0.5\n1;2;1.234\n"), ElementsAre(0.5F, 1.234F));
  EXPECT_THAT(weights("\"a\" \"b\" \"Weight\"\n0 1 0,5\n1 2 2,5\n"), ElementsAre(0.5F, 2.5F))
      << "write.table(dec = \",\")";
  EXPECT_THAT(weights("0 1 0,5\n1 2 2,5\n"), ElementsAre(0.5F, 2.5F));
}

TEST(TableNumbers, TellWhatAMarkAloneMeans) {
  EXPECT_THAT(joined_notes(read("a;b;weight\n0;1;0,5\n1;2;1.234\n")),
              HasSubstr("graph.csv:3: points in weights are read as marks between thousands"));
  EXPECT_THAT(joined_notes(read("a\tb\tweight\n0\t1\t1,500\n1\t2\t2\n")),
              HasSubstr("graph.csv:2: commas in weights are read as decimal commas"));
  EXPECT_THAT(joined_notes(read("source;target;weight\n0;1;0,5\n1;2;2\n")), ::testing::Not(HasSubstr("commas")));
}

TEST(TableNumbers, AreRefusedWhereTheyContradictEachOther) {
  expect_user_error([] { read("a;b;weight\n0;1;0,5\n1;2;0.5\n"); }, "graph.csv:3:", "on line 2 the other");
  expect_user_error([] { read("a,b,weight\n0,1,\"1,500\"\n1,2,2\n"); },
                    "graph.csv:2:", "decimal commas or stand between");
}

TEST(TableNumbers, InAColumnCalledWeightAreNeverDropped) {
  expect_user_error([] { read("source,target,weight\n0,1,5 kg\n1,2,7 kg\n"); },
                    "graph.csv:2:", "\"5 kg\" is not a number", "`columns`");
  expect_user_error([] { read("source,target,weight\n0,1,2\n1,2,NA\n"); }, "graph.csv:3:", "\"NA\"");
  EXPECT_THAT(joined_notes(read("source,target,weight\na,b,strong\nb,c,weak\n")), HasSubstr("not used: \"weight\""));
}

TEST(TableNumbers, OfTimesAreNoWeights) {
  for (const std::string name : {"when", "year", "time", "date", "timestamp", "Timestamps", "start_time", "unix_ts"}) {
    const AttributedGraph data = read("source,target," + name + "\n0,1,1999\n1,2,2001\n");
    EXPECT_FALSE(data.graph.weighted()) << name;
    EXPECT_THAT(joined_notes(data), HasSubstr("columns not used: \"" + name + "\"")) << name;
    EXPECT_TRUE(read("source,target," + name + "\n0,1,1999\n1,2,2001\n",
                     {.columns = "source=source,target=target,weight=" + name})
                    .graph.weighted());
  }
}

TEST(TableNumbers, OfFeaturesMayHaveDecimalCommas) {
  const TempDir dir;
  const NodeNames names = NodeNames::positions(2);
  const Features features = read_features(dir.file("f.csv", "node;x;y\n1;0,5;1.000,5\n0;2,5;3\n"), names);
  EXPECT_THAT(std::get<DenseMatrix>(features).values.span(), ElementsAre(2.5F, 3, 0.5F, 1000.5F));
  const Features bare = read_features(dir.file("f.csv", "0,5;0,3\n0,1;0,2\n"), names);
  EXPECT_THAT(std::get<DenseMatrix>(bare).values.span(), ElementsAre(0.5F, 0.3F, 0.1F, 0.2F));
}

TEST(TableNumbers, IdsOfNumpyAndMatlabAreWholeNumbers) {
  const TempDir dir;
  const auto path =
      dir.file("g.txt", "0.000000000000000000e+00 1.200000000000000000e+01\n1.2000000e+01 3.0000000e+00\n");
  const AttributedGraph data = read_graph(path);
  EXPECT_EQ(data.graph.fingerprint(), read_graph(dir.file("h.txt", "0 12\n12 3\n")).graph.fingerprint());
  EXPECT_NE(joined_notes(data).find("0.000000000000000000e+00 as 0"), std::string::npos) << joined_notes(data);
  EXPECT_EQ(read_graph(dir.file("i.txt", "1e+05 2e+05\n2e+05 3e+05\n")).graph.names().kind(), NodeNames::Kind::kStrings)
      << "abbreviated: other ids may have become the same";
}

}  // namespace
}  // namespace gir
