#include <gir/anchors/anchors.h>

namespace {

gir::AnchorSelection last_nodes(const gir::Graph& graph, const gir::AnchorOptions& options) {
  gir::AnchorSelection selection;
  for (std::int64_t i = 0; i < options.count; ++i) {
    selection.anchors.push_back(static_cast<gir::NodeId>(graph.num_nodes() - 1 - i));
  }
  return selection;
}

const gir::Registered<gir::AnchorStrategy> last{
    {.name = "outside-last", .summary = "the nodes with the largest numbers", .select = last_nodes}};

}  // namespace
