#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>

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

/// The arguments with hyphens for underscores in the names of flags.
std::vector<std::string> normalised(int argc, char** argv) {
  std::vector<std::string> words;
  for (int i = argc - 1; i > 0; --i) {  // CLI11 expects them in reverse
    std::string word = argv[i];
    if (word.starts_with("--")) {
      const auto end = std::min(word.find('='), word.size());
      std::replace(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(end), '_', '-');
    }
    words.push_back(std::move(word));
  }
  return words;
}

/// The innermost command on the command line: "gir data info".
const CLI::App& chosen_command(const CLI::App& app) {
  const CLI::App* chosen = &app;
  while (!chosen->get_subcommands().empty()) chosen = chosen->get_subcommands().front();
  return *chosen;
}

std::string full_name(const CLI::App& command) {
  return command.get_parent() == nullptr ? command.get_name()
                                         : full_name(*command.get_parent()) + " " + command.get_name();
}

std::string help_of(const CLI::App& command) {
  return command.help(command.get_parent() == nullptr ? "" : full_name(*command.get_parent()));
}

/// The subcommands or the long flags (without dashes) of a command.
std::vector<std::string> words_of(const CLI::App& command, bool flags) {
  std::vector<std::string> words;
  if (flags) {
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) words.push_back(name);
    }
  } else {
    for (const CLI::App* sub : command.get_subcommands({})) words.push_back(sub->get_name());
  }
  return words;
}

/// The first word that could not be parsed: a command where one is expected, else a flag rather than its value.
std::string unknown_word(const CLI::App& app, bool expects_command) {
  const auto left = app.remaining(/*recurse=*/true);
  const auto best = std::find_if(left.begin(), left.end(),
                                 [&](const auto& word) { return word.starts_with("-") != expects_command; });
  return best != left.end() ? *best : left.empty() ? "" : left.front();
}

/// "did you mean a, b or c?".
std::string did_you_mean(const std::vector<std::string>& names) {
  std::string text = "did you mean " + names.front();
  for (std::size_t i = 1; i < names.size(); ++i) text += (i + 1 < names.size() ? ", " : " or ") + names[i];
  return text + "?";
}

/// The error for a word that is neither a command nor a flag. A surplus argument has no names to compare with.
std::string explain_unknown(const CLI::App& command, const std::string& word) {
  const bool is_flag = word.starts_with("-");
  const std::vector<std::string> known = words_of(command, is_flag);
  const std::size_t begin = std::min(word.find_first_not_of('-'), word.size());
  auto similar = similar_names(word.substr(begin, word.find('=') - begin), known);
  if (is_flag) {
    for (std::string& name : similar) name.insert(0, "--");
  }
  const std::string_view kind = known.empty() ? "argument" : is_flag ? "flag" : "command";
  return fmt::format("unknown {} {} [{}]", kind, quoted(word),
                     similar.empty() ? fmt::format("see {} --help", full_name(command)) : did_you_mean(similar));
}

/// An error of the command line parser in our own words.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(app);
  const bool expects_command = !command.get_subcommands({}).empty();
  const std::string word = unknown_word(app, expects_command);
  if (!word.empty()) return explain_unknown(command, word);
  if (expects_command) return fmt::format("a command is missing [one of: {}]", join(words_of(command, false), ", "));
  std::string message = error.what();
  std::replace(message.begin(), message.end(), '\n', ' ');
  message.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(message.front())));
  return message.ends_with("]") ? message : message + fmt::format(" [see {} --help]", full_name(command));
}

/// Whether somebody asks for another device than the processor, or thinks so: only libtorch knows which there are.
bool names_device(int argc, char** argv) {
  return std::any_of(argv + std::min(argc, 1), argv + argc, [](const char* word) {
    return std::string_view(word).starts_with("--device") || std::string_view(word).starts_with("--precision");
  });
}

/// The command of this name below `parent`; null where there is none.
const CLI::App* find_command(const CLI::App& parent, std::string_view name) {
  for (const CLI::App* command : parent.get_subcommands({})) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

/// Whether the command that was typed is among those of `app`, from its first word to a command without further ones.
bool knows_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* command = &app;
  for (int i = 1; i < argc && !command->get_subcommands({}).empty(); ++i) {
    command = find_command(*command, argv[i]);
    if (command == nullptr) return false;
  }
  return command != &app && command->get_subcommands({}).empty();
}

/// Whether everything that was asked for can be done without tensors: loading libtorch takes half a second.
bool is_light(const CLI::App& app, int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--version") return true;
  return !names_device(argc, argv) && knows_command(app, argc, argv);
}

/// Adds the commands that are registered and not there yet; a group stands before its commands.
void add_commands(CLI::App& app, Session& session) {
  for (const CommandEntry& entry : Registry<CommandEntry>::all()) {
    const auto space = entry.name.find(' ');
    CLI::App& parent = space == std::string::npos ? app : *app.get_subcommand(entry.name.substr(0, space));
    const std::string name = entry.name.substr(space == std::string::npos ? 0 : space + 1);
    if (find_command(parent, name) != nullptr) continue;
    if (entry.add != nullptr) {
      entry.add(parent, session);
    } else {
      parent.add_subcommand(entry.name, entry.summary)->require_subcommand(1);
    }
  }
}

/// Loads a library whose commands, models and so on register themselves.
void* load_library(const std::filesystem::path& path, std::string_view remedy) {
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) throw UserError("{} [{}]", ::dlerror(), remedy);
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
  const auto begin = reinterpret_cast<decltype(&gir_begin_learning)>(::dlsym(library, "gir_begin_learning"));
  ensure(begin != nullptr, "the library of commands has no entry");
  begin(session);
}

/// Libraries of others, which may add models, commands and whatever else registers itself.
std::vector<std::string> plugins() {
  const char* names = std::getenv("GIR_PLUGINS");
  return names == nullptr ? std::vector<std::string>() : split_at(names, ':');
}

/// The subcommand of `gir info` that lists all names of a kind ("strategy": strategies); empty where there is none.
std::string info_topic(const CLI::App& app, std::string topic) {
  std::replace(topic.begin(), topic.end(), ' ', '-');
  if (topic.ends_with('y')) topic.replace(topic.size() - 1, 1, "ie");
  topic += 's';
  const std::vector<std::string> topics = words_of(*app.get_subcommand("info"), /*flags=*/false);
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

/// The command line as a shell accepts it.
std::string command_line(int argc, char** argv) {
  std::string line = "gir";
  for (int i = 1; i < argc; ++i) line += " " + shell_word(argv[i]);
  return line;
}

int run(int argc, char** argv) {
  Session session;
  session.command_line = command_line(argc, argv);
  CLI::App app("Position-aware graph learning: node embeddings that know where in the graph a node is.", "gir");
  app.set_version_flag("--version", std::string("gir ") + kVersion);
  app.require_subcommand(1);
  add_shared_flags(app, session);
  try {
    add_commands(app, session);
    if (!plugins().empty() || !is_light(app, argc, argv)) {
      load_learn_commands(session);
      for (const std::string& plugin : plugins()) load_library(plugin, "check the paths in GIR_PLUGINS");
      add_commands(app, session);
    }
    app.parse(normalised(argc, argv));
    session.begin();
    const ThreadScope threads(session.threads);
    session.run();
    return kDone;
  } catch (const CLI::CallForHelp&) {
    session.print(help_of(chosen_command(app)));
    return kDone;
  } catch (const CLI::CallForVersion&) {
    session.print(fmt::format("gir {}\n", kVersion));
    return kDone;
  } catch (const CLI::ParseError& error) {
    return fail(app, explain(app, error), kUsersInput);
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
