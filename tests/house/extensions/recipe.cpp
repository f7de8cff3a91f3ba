#include <gir/runs/run_config.h>

namespace {

const gir::Registered<gir::Recipe> narrow{{
    .name = "outside-narrow",
    .summary = "two layers of four",
    .values = {{"layers", "2"}, {"hidden", "4"}, {"anchors", "3"}},
    .task_values = {{"lp", {{"pair-features", "outside-degrees"}}}},
}};

}  // namespace
