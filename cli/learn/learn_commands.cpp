#include "learn_commands.h"

#include <c10/util/Exception.h>
#include <malloc.h>

#include <limits>
#include <new>

#include "gir/core/error.h"
#include "gir/nn/device.h"
#include "gir/nn/tensor_memory.h"

namespace {

/// Every epoch allocates the same arrays. By default glibc returns them to the system, which zeroes the pages again;
/// that takes up to half of the time of short epochs.
void keep_freed_memory() {
  gir::cache_tensor_memory();
#ifdef M_TRIM_THRESHOLD
  constexpr int kLargeBytes = 32 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLargeBytes);
  ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

/// Errors of torch contain a backtrace, which is omitted; those of its allocator are translated to std::bad_alloc.
void run_action(gir::cli::Session& session) {
  try {
    session.context = gir::make_context(session.device, session.precision);
    session.context.threads = session.threads;
    session.distance_search = gir::distance_search(session.context);
    session.action();
  } catch (const c10::Error& error) {
    const std::string message = error.what_without_backtrace();
    if (message.find("allocate") != std::string::npos || message.find("overflow") != std::string::npos) {
      throw std::bad_alloc();
    }
    throw gir::InternalError(message);
  }
}

}  // namespace

void gir_init_learning(gir::cli::Session& session) {
  keep_freed_memory();
  session.run = [&session] { run_action(session); };
}
