#include <gir/data/dataset.h>
#include <gir/graph/generators.h>

namespace {

const gir::Registered<gir::DatasetEntry> ring{{
    .name = "outside-ring",
    .summary = "a ring of 60 nodes",
    .origin = "made when it is opened",
    .task = gir::Task::kLinkPrediction,
    .make =
        [] {
          return gir::generate_graph("ring", {{"nodes", 60}});
        },
}};

}  // namespace
