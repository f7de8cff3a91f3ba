// Stands for a Ctrl-C while libraries are loaded, before any command runs.

#include <csignal>

namespace {

const int raised = std::raise(SIGINT);

}  // namespace
