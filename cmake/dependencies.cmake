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

# All of gir uses fmt in one way: the compiled library, or the headers alone where a libtorch (Python's torch 2) ships
# headers of another fmt, which are read first and do not fit that library.
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
