#include "learn_commands.h"

#include <malloc.h>

#include <limits>

namespace {

/// Every epoch asks for the same arrays. glibc would hand them back to the system and have them zeroed again page by
/// page, which takes up to half of the time of short epochs. Large ones are still handed back: kept, they would leave
/// holes.
void keep_freed_memory() {
#ifdef M_TRIM_THRESHOLD
  constexpr int kLargeBytes = 32 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLargeBytes);
  ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

}  // namespace

void gir_add_learn_commands(CLI::App& app, gir::cli::Session& session) {
  keep_freed_memory();
  CLI::App& info = *app.get_subcommand("info");
  gir::cli::add_info_build_command(info, session);
  gir::cli::add_info_models_command(info, session);
  gir::cli::add_verify_command(app, session);
  gir::cli::add_train_command(app, session);
  gir::cli::add_run_commands(app, session);
  gir::cli::add_compare_command(app, session);
  gir::cli::add_reproduce_command(app, session);
}
