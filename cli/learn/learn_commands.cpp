#include "learn_commands.h"

void gir_add_learn_commands(CLI::App& app, gir::cli::Session& session) {
  gir::cli::add_info_build_command(*app.get_subcommand("info"), session);
  gir::cli::add_verify_command(app, session);
}
