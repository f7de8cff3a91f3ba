#pragma once

#include "gir/cli/session.h"

/// The entry of the library of commands that need tensors, which main() loads when one of them is asked for: prepares
/// the process for training. The commands themselves register when the library is loaded.
extern "C" GIR_API void gir_begin_learning(gir::cli::Session& session);
