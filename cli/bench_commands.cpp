#include "session.h"

namespace gir::cli {

void add_bench_commands(CLI::App& app, Session& session) {
  CLI::App* bench = app.add_subcommand("bench", "Benchmarks of this program on this machine");
  bench->require_subcommand(1);
  add_bench_distances_command(*bench, session);
  add_bench_load_command(*bench, session);
}

}  // namespace gir::cli
