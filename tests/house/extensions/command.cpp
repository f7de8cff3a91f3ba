#include <gir/cli/session.h>

#include <memory>

namespace {

void add_greet(CLI::App& command, gir::cli::Session& session) {
  const auto name = std::make_shared<std::string>("nobody");
  gir::cli::set_action(command, session, [&session, name] { session.print("hello, " + *name + "\n"); });
  command.add_option("--name", *name, "Whom to greet");
}

const gir::Registered<gir::cli::CommandEntry> greet{{.name = "greet", .summary = "Greets somebody", .add = add_greet}};

}  // namespace
