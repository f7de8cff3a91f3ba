#include "gir/nn/runtime.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <torch/version.h>

#include <filesystem>
#include <mutex>
#include <string_view>

namespace gir {
namespace {

/// Calls a C function `const char* f()` if a loaded library exports it; else empty.
std::string call_for_text(const char* function) {
  const auto address = reinterpret_cast<const char* (*)()>(::dlsym(RTLD_DEFAULT, function));
  return address == nullptr ? "" : address();
}

/// The file of the library that provides sgemm_, the BLAS matrix product that torch calls.
std::string blas_library() {
  void* product = ::dlsym(RTLD_DEFAULT, "sgemm_");
  Dl_info info{};
  if (product == nullptr || ::dladdr(product, &info) == 0 || info.dli_fname == nullptr) return "";
  std::error_code error;
  const auto file = std::filesystem::canonical(info.dli_fname, error);
  return error ? info.dli_fname : file.string();
}

/// "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY USE_OPENMP ..." becomes "OpenBLAS 0.3.21 (openmp)".
std::string openblas_name(const std::string& configuration) {
  const auto version_end = configuration.find(' ', std::string_view("OpenBLAS ").size());
  const bool openmp = configuration.find("USE_OPENMP") != std::string::npos;
  return configuration.substr(0, version_end) + (openmp ? " (openmp)" : "");
}

template <typename Function>
Function* function_named(void* library, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(library, name));
}

/// Functions of other libraries that set their number of threads; null if the library is not loaded.
struct ThreadFunctions {
  // The OpenMP runtime that torch is linked with (a process may contain several). Applies to the calling thread.
  void (*set_openmp)(int) = nullptr;
  // MKL, for the calling thread; returns the previous number, 0 for MKL's default.
  int (*set_mkl)(int) = nullptr;
  // An OpenBLAS with its own threads (not OpenMP), for the whole process.
  void (*set_openblas)(int) = nullptr;
  int (*openblas_threads)() = nullptr;
};

ThreadFunctions find_thread_functions() {
  ThreadFunctions found;
  Dl_info torch{};
  if (::dladdr(reinterpret_cast<void*>(&at::get_num_threads), &torch) != 0) {
    if (void* library = ::dlopen(torch.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) {
      found.set_openmp = function_named<void(int)>(library, "omp_set_num_threads");
      found.set_mkl = function_named<int(int)>(library, "MKL_Set_Num_Threads_Local");
      ::dlclose(library);
    }
  }
  constexpr int kOwnThreads = 1;  // result of openblas_get_parallel() for a build with its own threads
  const auto parallel = function_named<int()>(RTLD_DEFAULT, "openblas_get_parallel");
  if (parallel != nullptr && parallel() == kOwnThreads) {
    found.set_openblas = function_named<void(int)>(RTLD_DEFAULT, "openblas_set_num_threads");
    found.openblas_threads = function_named<int()>(RTLD_DEFAULT, "openblas_get_num_threads");
  }
  return found;
}

const ThreadFunctions& thread_functions() {
  static const ThreadFunctions found = find_thread_functions();
  return found;
}

/// Numbers of threads of the libraries for this thread, before SerialLibraries.
struct LibraryThreads {
  int torch = 0;
  int mkl = 0;
};

/// Number of SerialLibraries that hold an OpenBLAS with its own threads at one thread, and its previous number of
/// threads.
struct OpenBlasScopes {
  std::mutex mutex;
  int count = 0;
  int before = 0;
};

OpenBlasScopes& openblas_scopes() {
  static OpenBlasScopes scopes;
  return scopes;
}

thread_local int thread_scopes = 0;
thread_local LibraryThreads threads_before;

LibraryThreads take_threads() {
  const ThreadFunctions& functions = thread_functions();
  LibraryThreads before{.torch = at::get_num_threads()};  // also makes torch initialise its value for this thread
  functions.set_openmp != nullptr ? functions.set_openmp(1) : at::set_num_threads(1);
  if (functions.set_mkl != nullptr) before.mkl = functions.set_mkl(1);
  if (functions.set_openblas != nullptr) {
    OpenBlasScopes& scopes = openblas_scopes();
    const std::lock_guard lock(scopes.mutex);
    if (scopes.count++ == 0) {
      scopes.before = functions.openblas_threads();
      functions.set_openblas(1);
    }
  }
  return before;
}

void give_back_threads(const LibraryThreads& before) {
  const ThreadFunctions& functions = thread_functions();
  functions.set_openmp != nullptr ? functions.set_openmp(before.torch) : at::set_num_threads(before.torch);
  if (functions.set_mkl != nullptr) functions.set_mkl(before.mkl);
  if (functions.set_openblas != nullptr) {
    OpenBlasScopes& scopes = openblas_scopes();
    const std::lock_guard lock(scopes.mutex);
    if (--scopes.count == 0) functions.set_openblas(scopes.before);
  }
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
    // The distributed builds of libtorch link MKL statically.
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

SerialLibraries::SerialLibraries() {
  if (thread_scopes++ == 0) threads_before = take_threads();
}

SerialLibraries::~SerialLibraries() {
  if (--thread_scopes == 0) give_back_threads(threads_before);
}

}  // namespace gir
