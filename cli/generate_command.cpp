#include <map>
#include <memory>

#include "flag_text.h"
#include "gir/cli/session.h"
#include "gir/graph/generators.h"
#include "graph_output.h"

namespace gir::cli {
namespace {

/// The arguments of one generator.
struct GenerateRequest {
  std::map<std::string, std::string> values;  ///< by parameter; empty: not given
  std::uint64_t seed = 0;
  GraphOutput output;
};

void run_generator(const Session& session, const Generator& generator, const GenerateRequest& request) {
  GeneratorParameters parameters;
  for (const auto& [name, text] : request.values) {
    if (!text.empty()) parameters.set_text(name, text);
  }
  static_cast<void>(request.output.format());  // report an unknown output format before the work
  request.output.write(session, generate_graph(generator.name, parameters, request.seed));
}

void add_generator(CLI::App& parent, Session& session, const Generator& generator) {
  const auto request = std::make_shared<GenerateRequest>();
  CLI::App* command = add_command(parent, session, generator.name, with_flags(generator.summary),
                                  [&session, &generator, request] { run_generator(session, generator, *request); });
  for (const GeneratorParameter& parameter : generator.parameters) {
    command->add_option("--" + parameter.name, request->values[parameter.name], with_flags(parameter.meaning))
        ->default_str(to_text(parameter.default_value))
        ->type_name(std::holds_alternative<double>(parameter.default_value) ? "REAL" : "N");
  }
  command->add_option("--seed", request->seed, "Random seed")->capture_default_str()->type_name("N");
  add_output_flags(*command, request->output);
}

void add_generate_command(CLI::App& command, Session& session) {
  command.require_subcommand(1);
  for (const Generator& generator : Registry<Generator>::all()) add_generator(command, session, generator);
}

const Registered<CommandEntry> data_generate_entry{{
    .name = "data generate",
    .summary = "Generate a graph: KIND --help lists its parameters",
    .add = add_generate_command,
}};

}  // namespace
}  // namespace gir::cli
