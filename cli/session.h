#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "gir/anchors/distances.h"
#include "gir/core/context.h"
#include "gir/core/progress.h"
#include "gir/report/table.h"

namespace gir::cli {

/// What every command shares: the flags that work everywhere, and where results go.
class Session {
 public:
  std::filesystem::path data_dir;
  std::string format_name = "text";
  int threads = 0;  ///< 0: all of them
  std::string device = "cpu";
  std::string precision = "fp32";       ///< of matrix products on a GPU
  Context context = {};                 ///< what the three before amount to, once the command runs
  DistanceSearch distance_search = {};  ///< of the context's device
  std::string command_line;             ///< as a shell takes it
  bool quiet = false;
  bool verbose = false;

  OutputFormat format() const { return parse_output_format(format_name); }

  /// Takes up signals and the number of threads; called once, after parsing.
  void begin();

  /// Results, to standard output.
  void print(std::string_view text) const;
  void print_json(const nlohmann::json& document) const;

  /// Remarks, to standard error; nothing with --quiet.
  void note(std::string_view text) const;

  /// Throws Interrupted after Ctrl-C. From the first call on, a Ctrl-C waits for the next one to end things in order.
  void stop_if_asked() const;

  /// Shows progress on standard error and throws Interrupted after Ctrl-C.
  ProgressCallback progress() const;

  /// Runs the action; the library of commands puts one in place that understands torch's errors.
  std::function<void()> run = [this] { action(); };

  /// What the parsed command does; set by the command's callback and run after all flags are known.
  std::function<void()> action;
};

/// Adds --data-dir, --format, --threads, --device, --precision, -q and -v to a command.
void add_shared_flags(CLI::App& command, Session& session);

/// Makes a command that runs `action` when it is chosen.
CLI::App* add_command(CLI::App& parent, Session& session, const std::string& name, const std::string& summary,
                      std::function<void()> action);

// One a file of this folder.
void add_data_commands(CLI::App& app, Session& session);
void add_generate_command(CLI::App& data, Session& session);
void add_anchors_command(CLI::App& app, Session& session);
void add_info_commands(CLI::App& app, Session& session);
void add_bench_commands(CLI::App& app, Session& session);
void add_bench_distances_command(CLI::App& bench, Session& session);
void add_bench_load_command(CLI::App& bench, Session& session);

}  // namespace gir::cli
