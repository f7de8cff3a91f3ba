#include "gir/anchors/anchors.h"
#include "gir/core/error.h"

namespace gir {
namespace {

AnchorSelection select_from_file(const Graph& graph, const AnchorOptions& options) {
  if (options.file.empty()) throw UserError("the strategy file needs node ids [set `anchors` to a file of node ids]");
  return {.anchors = read_anchors(options.file, graph), .restricted = false, .notes = {}};
}

const Registered<AnchorStrategy> file{{
    .name = "file",
    .summary = "node ids from a file, one per line",
    .select = select_from_file,
}};

}  // namespace
}  // namespace gir
