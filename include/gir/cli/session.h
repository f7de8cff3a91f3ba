#pragma once

// The one header that needs CLI11 and nlohmann-json beside fmt: for libraries with commands of their own, which link
// with gir::plugin and are loaded with GIR_PLUGINS.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "gir/anchors/distances.h"
#include "gir/core/context.h"
#include "gir/core/export.h"
#include "gir/core/progress.h"
#include "gir/core/registry.h"
#include "gir/report/table.h"

namespace gir::cli {

/// What all commands share: the flags of every command, and the output of results, notes and progress.
class GIR_API Session {
 public:
  std::filesystem::path data_dir;
  std::string format_name = "text";
  int threads = 0;  ///< 0: all
  std::string device = "cpu";
  std::string precision = "fp32";       ///< of matrix products on a GPU
  Context context = {};                 ///< made of the three before, once the command runs
  DistanceSearch distance_search = {};  ///< of the context's device
  std::string command_line;             ///< as a shell accepts it
  bool quiet = false;
  bool verbose = false;

  OutputFormat format() const { return parse_output_format(format_name); }

  /// Installs signal handlers; called once, before libraries are loaded, so that Ctrl-C always ends with a message.
  void catch_signals() const;

  /// Prepares the work of a command; called once, after parsing.
  void init();

  /// Prints results to standard output.
  void print(std::string_view text) const;
  void print_json(const nlohmann::json& document) const;

  /// Prints a note to standard error, with flags for settings (see with_flags()); nothing with --quiet.
  void note(std::string_view text) const;

  /// Throws Interrupted after Ctrl-C. From the first call on, Ctrl-C no longer ends the program at once: the next call
  /// does, so that the work can be stopped cleanly.
  void stop_if_asked() const;

  /// The same, but does not change what Ctrl-C does.
  void stop_if_interrupted() const;

  /// Shows progress on standard error and throws Interrupted after Ctrl-C.
  ProgressCallback progress() const;

  /// Runs the action; replaced by the library of learning commands, which translates torch's errors.
  std::function<void()> run = [this] { action(); };

  /// The work of the parsed command; set by the command's callback and run after all flags are parsed.
  std::function<void()> action;
};

/// Adds --data-dir, --format, --threads, --device, --precision, -q and -v to a command.
GIR_API void add_shared_flags(CLI::App& command, Session& session);

/// Makes a command run `action` when it is chosen, and adds the shared flags to it.
GIR_API void set_action(CLI::App& command, Session& session, std::function<void()> action);

/// Adds a command to another one that has no entry of its own, such as one per generator.
GIR_API CLI::App* add_command(CLI::App& parent, Session& session, const std::string& name, const std::string& summary,
                              std::function<void()> action);

/// A command of the program, or a group of them. Commands register themselves; adding one is one file. Those of other
/// libraries come with GIR_PLUGINS (docs/architecture.md).
struct GIR_API CommandEntry {
  static constexpr std::string_view kKind = "command";

  std::string name;  ///< as it is typed: "train"; "info models" for one of a group
  std::string summary;
  void (*add)(CLI::App& command,
              Session& session) = nullptr;  ///< adds flags and calls set_action(); null: a group, whose commands have
                                            ///< entries of their own
};

}  // namespace gir::cli
