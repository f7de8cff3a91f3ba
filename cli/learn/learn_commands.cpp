#include "learn_commands.h"

void gir_add_learn_commands(CLI::App& app, gir::cli::Session& session) {
  CLI::App& info = *app.get_subcommand("info");
  gir::cli::add_info_build_command(info, session);
  gir::cli::add_info_models_command(info, session);
  gir::cli::add_verify_command(app, session);
  gir::cli::add_train_command(app, session);
  gir::cli::add_run_commands(app, session);
  gir::cli::add_compare_command(app, session);
}
