#include <gir/core/error.h>
#include <gir/io/format.h>

#include <fstream>

namespace {

/// "chain 5": the path of five nodes.
gir::AttributedGraph read_chain(const std::filesystem::path& path, const gir::ReadOptions&) {
  std::ifstream file(path);
  std::string word;
  gir::NodeId nodes = 0;
  if (!(file >> word >> nodes) || word != "chain" || nodes < 1) {
    throw gir::UserError(path, 1, "expected 'chain NODES'");
  }
  gir::EdgeInput edges{.arcs = gir::Array<gir::Arc>(nodes - 1), .names = gir::NodeNames::positions(nodes)};
  for (gir::NodeId v = 0; v + 1 < nodes; ++v) edges.arcs[v] = {v, v + 1};
  return {.graph = gir::build_graph(std::move(edges))};
}

const gir::Registered<gir::GraphFormat> chain{
    {.name = "outside-chain", .summary = "the length of a path", .endings = {".chain"}, .read = read_chain}};

}  // namespace
