# Required everywhere. scripts/setup installs all of these on Debian.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(CURL REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(Torch REQUIRED)
if(GIR_TESTS)
  find_package(GTest REQUIRED)
endif()
if(GIR_BENCHMARKS)
  find_package(benchmark REQUIRED)
endif()

# All targets use fmt the same way: as a compiled library, or header-only if libtorch ships the headers of another version
# (Python's torch 2 does), which come first on the include path and do not match the compiled library.
include(CheckCXXSourceCompiles)
include(CMakePushCheckState)
cmake_push_check_state(RESET)
set(CMAKE_REQUIRED_INCLUDES ${TORCH_INCLUDE_DIRS})
set(CMAKE_REQUIRED_LIBRARIES fmt::fmt)
check_cxx_source_compiles("
  #include <fmt/format.h>
  int main(int count, char**) { return fmt::format(\"{} {}\", count, 0.5).empty(); }" GIR_FMT_FITS_TORCH)
cmake_pop_check_state()
set(GIR_FMT fmt::fmt)
if(NOT GIR_FMT_FITS_TORCH)
  set(GIR_FMT fmt::fmt-header-only)
endif()
