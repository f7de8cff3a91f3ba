#pragma once

#include "gir/cli/session.h"

/// The entry point of the library of commands that need tensors, which main() loads when one of them is used: prepares
/// the process for training. The commands register themselves when the library is loaded.
extern "C" GIR_API void gir_init_learning(gir::cli::Session& session);
