#pragma once

#include "../session.h"

/// The entry of the part of the program that needs tensors. main() loads it when a command asks for it.
extern "C" void gir_add_learn_commands(CLI::App& app, gir::cli::Session& session);

namespace gir::cli {

void add_info_build_command(CLI::App& info, Session& session);
void add_info_devices_command(CLI::App& info, Session& session);
void add_info_models_command(CLI::App& info, Session& session);
void add_info_recipes_command(CLI::App& info, Session& session);
void add_bench_epoch_command(CLI::App& bench, Session& session);
void add_verify_command(CLI::App& app, Session& session);
void add_train_command(CLI::App& app, Session& session);
void add_run_commands(CLI::App& app, Session& session);
void add_compare_command(CLI::App& app, Session& session);
void add_reproduce_command(CLI::App& app, Session& session);
void add_report_command(CLI::App& app, Session& session);

}  // namespace gir::cli
