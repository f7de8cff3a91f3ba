#include <gir/cli/session.h>

#include <memory>

namespace {

void add_greet(CLI::App& parent, gir::cli::Session& session) {
  const auto name = std::make_shared<std::string>("nobody");
  CLI::App* command = gir::cli::add_command(parent, session, "greet", "Greets somebody",
                                            [&session, name] { session.print("hello, " + *name + "\n"); });
  command->add_option("--name", *name, "Whom to greet");
}

const gir::Registered<gir::cli::CommandEntry> greet{{.name = "greet", .summary = "Greets somebody", .add = add_greet}};

}  // namespace
