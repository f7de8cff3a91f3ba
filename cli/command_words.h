#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gir::cli {

/// The arguments as they are parsed: hyphens for underscores in the names of flags, and `gir help train` as `gir train
/// --help`.
std::vector<std::string> argument_words(int argc, char** argv);

/// The command line as a shell accepts it.
std::string command_line(int argc, char** argv);

/// The command of this name below `parent`; null where there is none.
const CLI::App* find_command(const CLI::App& parent, std::string_view name);

/// The command that `words` begin with, as far as they name commands: "gir data info" for data info pb.txt.
const CLI::App& named_command(const CLI::App& app, const std::vector<std::string>& words);

/// The innermost command that the parser found on the command line.
const CLI::App& chosen_command(const CLI::App& app);

/// "gir data info".
std::string full_name(const CLI::App& command);

/// Names of the commands below a command.
std::vector<std::string> command_names(const CLI::App& command);

/// The help text of the command that `words` name. UserError where they begin with a command that does not exist.
std::string help_text(const CLI::App& app, const std::vector<std::string>& words);

/// An error of the command line parser in our own words: one line, with the nearest names for an unknown one.
std::string explain_parsing(const CLI::App& app, const CLI::ParseError& error);

}  // namespace gir::cli
