#include "gir/nn/runtime.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <torch/version.h>

#include <filesystem>
#include <string_view>

namespace gir {
namespace {

/// The value of a C function without arguments that returns text, if a loaded library has it.
std::string call_for_text(const char* function) {
  const auto address = reinterpret_cast<const char* (*)()>(::dlsym(RTLD_DEFAULT, function));
  return address == nullptr ? "" : address();
}

/// The file that provides sgemm_, the matrix product that torch calls.
std::string blas_library() {
  void* product = ::dlsym(RTLD_DEFAULT, "sgemm_");
  Dl_info info{};
  if (product == nullptr || ::dladdr(product, &info) == 0 || info.dli_fname == nullptr) return "";
  std::error_code error;
  const auto file = std::filesystem::canonical(info.dli_fname, error);
  return error ? info.dli_fname : file.string();
}

/// "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY USE_OPENMP ..." in short.
std::string openblas_name(const std::string& configuration) {
  const auto version_end = configuration.find(' ', std::string_view("OpenBLAS ").size());
  const bool openmp = configuration.find("USE_OPENMP") != std::string::npos;
  return configuration.substr(0, version_end) + (openmp ? " (openmp)" : "");
}

}  // namespace

TensorRuntime tensor_runtime() {
  TensorRuntime runtime;
  runtime.torch_version = TORCH_VERSION;
  runtime.blas_library = blas_library();
  const std::string openblas = call_for_text("openblas_get_config");
  if (!openblas.empty()) {
    runtime.blas = openblas_name(openblas);
    runtime.blas_core = call_for_text("openblas_get_corename");
  } else if (const std::string file = std::filesystem::path(runtime.blas_library).filename().string();
             file.empty() || file.starts_with("libtorch") || file.find("mkl") != std::string::npos) {
    // The wheels of libtorch carry MKL inside.
    runtime.blas = "MKL or built into libtorch";
  } else if (runtime.blas_library.find("blis") != std::string::npos) {
    runtime.blas = "BLIS";
  } else if (runtime.blas_library.find("atlas") != std::string::npos) {
    runtime.blas = "ATLAS";
  } else {
    runtime.blas = "reference BLAS";
    runtime.blas_is_slow = true;
  }
  return runtime;
}

void stay_on_this_thread() {
  thread_local const bool done = [] {
    at::set_num_threads(1);
    // OpenBLAS with threads of its own does not listen to torch.
    const auto set = reinterpret_cast<void (*)(int)>(::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
    if (set != nullptr) set(1);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace gir
