#include "gir/cli/session.h"

namespace gir::cli {
namespace {

const Registered<CommandEntry> bench_entry{{.name = "bench", .summary = "Benchmark this program on this machine"}};

}  // namespace
}  // namespace gir::cli
