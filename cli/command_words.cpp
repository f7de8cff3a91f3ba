#include "command_words.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "gir/core/error.h"
#include "gir/core/text.h"

namespace gir::cli {
namespace {

bool is_flag(std::string_view word) { return word.starts_with("-"); }

bool is_group(const CLI::App& command) { return !command.get_subcommands({}).empty(); }

/// The long flags (without dashes) of a command.
std::vector<std::string> flag_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

/// The first word that could not be parsed: a command where one is expected, else a flag rather than its value.
std::string unknown_word(const CLI::App& app, bool expects_command) {
  const auto left = app.remaining(/*recurse=*/true);
  const auto best = expects_command ? left.begin() : std::find_if(left.begin(), left.end(), is_flag);
  return best != left.end() ? *best : left.empty() ? "" : left.front();
}

/// "did you mean a, b or c?".
std::string did_you_mean(const std::vector<std::string>& names) {
  std::string text = "did you mean " + names.front();
  for (std::size_t i = 1; i < names.size(); ++i) text += (i + 1 < names.size() ? ", " : " or ") + names[i];
  return text + "?";
}

/// Whether a word is a file or folder without the flag that it may have been meant for.
bool may_be_graph(const CLI::App& command, const std::string& word) {
  const std::vector<std::string> flags = flag_names(command);
  return std::find(flags.begin(), flags.end(), "graph") != flags.end() && std::filesystem::exists(word);
}

/// The error for a word that is neither a command nor a flag.
std::string explain_unknown(const CLI::App& command, const std::string& word) {
  const bool flag = is_flag(word);
  if (!flag && may_be_graph(command, word)) {
    return fmt::format("unknown argument {} [a graph is given as --graph {}]", quoted(word), shell_word(word));
  }
  const std::vector<std::string> known = flag ? flag_names(command) : command_names(command);
  const std::size_t begin = std::min(word.find_first_not_of('-'), word.size());
  auto similar = similar_names(word.substr(begin, word.find('=') - begin), known);
  if (flag) {
    for (std::string& name : similar) name.insert(0, "--");
  }
  const std::string_view kind = flag ? "flag" : is_group(command) ? "command" : "argument";
  return fmt::format("unknown {} {} [{}see {} --help]", kind, quoted(word),
                     similar.empty() ? "" : did_you_mean(similar) + " ", full_name(command));
}

/// The parser's message for a flag with too many or too few values ("--lr: At Most 1 required but received 2") in
/// words.
std::string explain_count(const CLI::ArgumentMismatch& error) {
  const std::string message = error.what();
  const std::string flag = message.substr(0, message.find(':'));
  if (message.find("At Most 1 required") != std::string::npos) return flag + " is given more than once [give it once]";
  return message.ends_with(" missing") ? flag + " needs a value" : message;
}

}  // namespace

std::vector<std::string> argument_words(int argc, char** argv) {
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word.starts_with("--")) {
      const auto end = std::min(word.find('='), word.size());
      std::replace(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(end), '_', '-');
    }
    words.push_back(std::move(word));
  }
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  return words;
}

std::string command_line(int argc, char** argv) {
  std::string line = "gir";
  for (int i = 1; i < argc; ++i) line += " " + shell_word(argv[i]);
  return line;
}

const CLI::App* find_command(const CLI::App& parent, std::string_view name) {
  for (const CLI::App* command : parent.get_subcommands({})) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

const CLI::App& named_command(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  for (const std::string& word : words) {
    const CLI::App* next = find_command(*command, word);
    if (next == nullptr) break;
    command = next;
  }
  return *command;
}

const CLI::App& chosen_command(const CLI::App& app) {
  const CLI::App* chosen = &app;
  while (!chosen->get_subcommands().empty()) chosen = chosen->get_subcommands().front();
  return *chosen;
}

std::string full_name(const CLI::App& command) {
  return command.get_parent() == nullptr ? command.get_name()
                                         : full_name(*command.get_parent()) + " " + command.get_name();
}

std::vector<std::string> command_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* sub : command.get_subcommands({})) names.push_back(sub->get_name());
  return names;
}

std::string help_text(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App& command = named_command(app, words);
  std::size_t depth = 0;
  for (const CLI::App* each = &command; each->get_parent() != nullptr; each = each->get_parent()) ++depth;
  if (is_group(command) && depth < words.size() && !is_flag(words[depth])) {
    throw UserError("{}", explain_unknown(command, words[depth]));
  }
  return command.help(command.get_parent() == nullptr ? "" : full_name(*command.get_parent()));
}

std::string explain_parsing(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(app);
  const bool expects_command = is_group(command);
  const std::string word = unknown_word(app, expects_command);
  if (!word.empty()) return explain_unknown(command, word);
  if (expects_command) return fmt::format("a command is missing [one of: {}]", join(command_names(command), ", "));
  const auto* mismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&error);
  std::string message = mismatch != nullptr ? explain_count(*mismatch) : error.what();
  std::replace(message.begin(), message.end(), '\n', ' ');
  message.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(message.front())));
  return message.ends_with("]") ? message : message + fmt::format(" [see {} --help]", full_name(command));
}

}  // namespace gir::cli
