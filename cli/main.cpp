#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>

#include "command_words.h"
#include "flag_text.h"
#include "gir/cli/session.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/core/text.h"
#include "gir/core/version.h"
#include "gir/data/dataset.h"
#include "learn/learn_commands.h"
#include "openblas_core.h"

namespace gir::cli {
namespace {

enum ExitCode { kDone = 0, kOurFailure = 1, kUsersInput = 2, kInterrupted = 130 };

/// Whether a flag names a device or a precision: such flags need libtorch even where the command does not, because only
/// libtorch knows the devices of the machine.
bool names_device(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const auto& word) { return word.starts_with("--device") || word.starts_with("--precision"); });
}

/// Whether the command works without libtorch, which takes half a second to load.
bool is_light(const CLI::App& app, const std::vector<std::string>& words) {
  if (words == std::vector<std::string>{"--version"}) return true;
  const CLI::App& command = named_command(app, words);
  return !names_device(words) && &command != &app && command.get_subcommands({}).empty();
}

/// Adds the commands that are registered and not there yet; a group precedes its commands.
void add_commands(CLI::App& app, Session& session) {
  for (const CommandEntry& entry : Registry<CommandEntry>::all()) {
    const auto space = entry.name.find(' ');
    CLI::App& parent = space == std::string::npos ? app : *app.get_subcommand(entry.name.substr(0, space));
    const std::string name = entry.name.substr(space == std::string::npos ? 0 : space + 1);
    if (find_command(parent, name) != nullptr) continue;
    CLI::App& command = *parent.add_subcommand(name, entry.summary);
    if (entry.add != nullptr) {
      entry.add(command, session);
    } else {
      command.require_subcommand(1);
    }
  }
}

/// Loads a library whose commands, models and so on register themselves.
void* load_library(const std::filesystem::path& path, std::string_view remedy) {
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) throw UserError("{} [{}]", ::dlerror(), remedy);
  check_registrations(path);
  return library;
}

/// Loads the commands that need tensors, from the library beside the program.
void load_learn_commands(Session& session) {
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::filesystem::path beside = folder / "libgir_learn_commands.so";
  const std::filesystem::path installed = folder / ".." / GIR_INSTALL_LIBDIR / beside.filename();
  choose_openblas_core();
  // A cuBLAS workspace for every stream: without, products of several streams may be summed in another order.
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
  void* library = load_library(std::filesystem::exists(beside) ? beside : installed, "install libtorch, or gir again");
  const auto init = reinterpret_cast<decltype(&gir_init_learning)>(::dlsym(library, "gir_init_learning"));
  ensure(init != nullptr, "the library of commands has no entry");
  init(session);
}

/// Libraries of others, which may add models, commands and whatever else registers itself.
std::vector<std::string> plugins() {
  const char* names = std::getenv("GIR_PLUGINS");
  return names == nullptr ? std::vector<std::string>() : split_at(names, ':');
}

/// Also the commands that need tensors, which plugins may use.
void load_plugins(Session& session) {
  load_learn_commands(session);
  for (const std::string& plugin : plugins()) load_library(plugin, "check the paths in GIR_PLUGINS");
}

/// The subcommand of `gir info` that lists all names of a kind ("strategy": strategies); empty where there is none.
std::string info_topic(const CLI::App& app, std::string topic) {
  std::replace(topic.begin(), topic.end(), ' ', '-');
  if (topic.ends_with('y')) topic.replace(topic.size() - 1, 1, "ie");
  topic += 's';
  const std::vector<std::string> topics = command_names(*app.get_subcommand("info"));
  return std::find(topics.begin(), topics.end(), topic) != topics.end() ? topic : "";
}

/// `message`, which may end with a remedy in brackets, with more at the end of the remedy.
std::string with_remedy(std::string message, std::string_view more) {
  if (message.ends_with(']')) message.insert(message.size() - 1, more);
  return message;
}

/// An error of the library as users of the program read it: with flags for settings, and with the command that helps.
std::string explain(const CLI::App& app, const UserError& error) {
  const std::string message = with_flags(error.what());
  if (const auto* files = dynamic_cast<const DatasetFilesError*>(&error)) {
    return with_remedy(message, fmt::format(": gir data fetch {}", files->dataset()));
  }
  if (const auto* unknown = dynamic_cast<const UnknownNameError*>(&error); unknown && !unknown->lists_all()) {
    const std::string topic = info_topic(app, unknown->kind());
    if (!topic.empty()) return with_remedy(message, fmt::format(" (gir info {} lists all)", topic));
  }
  return message;
}

int fail(const CLI::App& app, std::string_view message, ExitCode code) {
  fmt::print(stderr, "{}: {}\n", full_name(chosen_command(app)), with_flags(message));
  return code;
}

int show_help(const CLI::App& app, const Session& session, const std::vector<std::string>& words) {
  try {
    session.print(help_text(app, words));
    return kDone;
  } catch (const UserError& error) {
    return fail(app, error.what(), kUsersInput);
  }
}

int run(int argc, char** argv) {
  Session session;
  session.catch_signals();
  session.command_line = command_line(argc, argv);
  const std::vector<std::string> words = argument_words(argc, argv);
  CLI::App app("Position-aware graph learning: node embeddings that encode where in the graph a node is.", "gir");
  app.set_version_flag("--version", std::string("gir ") + kVersion);
  app.require_subcommand(1);
  add_shared_flags(app, session);
  try {
    if (!plugins().empty()) load_plugins(session);
    add_commands(app, session);
    if (plugins().empty() && !is_light(app, words)) {
      load_learn_commands(session);
      add_commands(app, session);
    }
    app.footer("gir help COMMAND describes a command.");  // only here: commands take over the footer of their parent
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 expects them in reverse
    session.init();
    const ThreadScope threads(session.threads);
    session.run();
    return kDone;
  } catch (const CLI::CallForHelp&) {
    return show_help(app, session, words);
  } catch (const CLI::CallForVersion&) {
    session.print(fmt::format("gir {}\n", kVersion));
    return kDone;
  } catch (const CLI::ParseError& error) {
    return fail(app, explain_parsing(app, error), kUsersInput);
  } catch (const UserError& error) {
    return fail(app, explain(app, error), kUsersInput);
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(
        app, fmt::format("{}: {} [check the path and its permissions]", error.path1().string(), error.code().message()),
        kUsersInput);
  } catch (const Interrupted&) {
    return fail(app, "interrupted", kInterrupted);
  } catch (const std::bad_alloc&) {
    return fail(app, "out of memory [use a larger machine or a smaller graph]", kUsersInput);
  } catch (const std::exception& error) {
    return fail(app, fmt::format("failed: {} [this is a bug in gir, please report it]", error.what()), kOurFailure);
  }
}

}  // namespace
}  // namespace gir::cli

int main(int argc, char** argv) { return gir::cli::run(argc, argv); }
