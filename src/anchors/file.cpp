#include "gir/anchors/anchors.h"
#include "gir/core/error.h"

namespace gir {
namespace {

AnchorSelection select_from_file(const Graph& graph, const AnchorOptions& options) {
  if (options.file.empty()) throw UserError("the strategy file needs a file of node ids [give --anchors FILE]");
  return {.anchors = read_anchors(options.file, graph), .restricted = false, .notes = {}};
}

const Registered<AnchorStrategy> file{{
    .name = "file",
    .summary = "ids from a file, one a line",
    .select = select_from_file,
}};

}  // namespace
}  // namespace gir
