#include <fmt/format.h>

#include "../bench_support.h"
#include "gir/core/parallel.h"
#include "gir/core/text.h"
#include "gir/core/version.h"
#include "gir/nn/runtime.h"
#include "learn_commands.h"

namespace gir::cli {
namespace {

nlohmann::json describe_build() {
  const TensorRuntime runtime = tensor_runtime();
  return {{"version", kVersion},
          {"compiler", GIR_COMPILER},
          {"build_type", GIR_BUILD_TYPE},
          {"libtorch", runtime.torch_version},
          {"blas", runtime.blas},
          {"blas_core", runtime.blas_core},
          {"blas_library", runtime.blas_library},
          {"blas_is_slow", runtime.blas_is_slow},
          {"threads", max_threads()}};
}

void show_build(const Session& session) {
  const nlohmann::json build = describe_build();
  if (session.format() == OutputFormat::kJson) {
    session.print_json(build);
  } else {
    session.print(render(fields_table(build), session.format()));
  }
  if (build["blas_is_slow"]) {
    session.note(
        fmt::format("warning: {}: matrix products run on the reference BLAS, 10 to 28 times slower than "
                    "OpenBLAS [apt-get install libopenblas0-openmp]",
                    build["blas_library"].get<std::string>()));
  }
}

void add_info_build_command(CLI::App& command, Session& session) {
  set_action(command, session, [&session] { show_build(session); });
}

const Registered<CommandEntry> info_build_entry{{
    .name = "info build",
    .summary = "Show version, compiler, libraries and threads",
    .add = add_info_build_command,
}};

}  // namespace
}  // namespace gir::cli
