# Installs gir into a folder of its own, then builds and runs projects that find it there: by CMake with and without
# libtorch, and by pkg-config.
# Wants BUILD (gir's build folder), GENERATOR (of build files), COMPILER, CONSUMER and EXAMPLES (the projects), TORCH (the
# folder of libtorch's CMake files) and WORK (a scratch folder).
set(installed ${WORK}/installed)

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE code OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  set(code "${code}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(must_succeed)
  run(${ARGN})
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN} failed:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(must_print pattern)
  must_succeed(${ARGN})
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "${ARGN} printed no ${pattern}:\n${output}")
  endif()
endfunction()

function(must_fail pattern)
  run(${ARGN})
  string(REGEX REPLACE "[ \n]+" " " output "${output}")  # CMake breaks its messages into lines
  if(code EQUAL 0 OR NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "${ARGN} did not fail with ${pattern}:\n${output}")
  endif()
endfunction()

# build_project(source build [options of CMake])
function(build_project source build)
  must_succeed(${CMAKE_COMMAND} -G ${GENERATOR} -S ${source} -B ${build} -DCMAKE_PREFIX_PATH=${installed}
               -DCMAKE_BUILD_TYPE=Release ${ARGN})
  must_succeed(${CMAKE_COMMAND} --build ${build})
endfunction()

# build_by_pkg_config(package source program)
function(build_by_pkg_config package source program)
  must_succeed(${PKG_CONFIG} --cflags --libs ${package})
  separate_arguments(flags UNIX_COMMAND "${output}")
  must_succeed(${COMPILER} -std=c++20 -o ${program} ${source} ${flags} -Wl,-rpath,${libraries})
endfunction()

function(check_examples program)
  must_print("probability of a link from 0 to 33: 0\\.[0-9]+\nembedding of 0:( -?[0-9.e-]+)+\n$" ${program} karate 0 33)
  file(STRINGS ${WORK}/embeddings.csv vectors)
  list(LENGTH vectors lines)
  if(NOT lines EQUAL 35)
    message(FATAL_ERROR "embeddings.csv has ${lines} lines, not a header and 34 nodes")
  endif()
  file(REMOVE ${WORK}/embeddings.csv)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
must_succeed(${CMAKE_COMMAND} --install ${BUILD} --prefix ${installed})

# The installed tree can be moved, and says nothing about the machine it was built on.
file(GLOB_RECURSE files ${installed}/*.cmake)
foreach(file IN LISTS files)
  file(READ ${file} text)
  if(text MATCHES "[\"; \n](/[A-Za-z][^\"; \n]*)")
    message(FATAL_ERROR "${file} has an absolute path: ${CMAKE_MATCH_1}")
  endif()
endforeach()

# Without libtorch.
set(no_torch -DCMAKE_DISABLE_FIND_PACKAGE_Torch=ON)
build_project(${CONSUMER} ${WORK}/consumer ${no_torch})
must_succeed(${WORK}/consumer/consumer)
must_fail("gir::learn needs libtorch, which was not found"
          ${CMAKE_COMMAND} -G ${GENERATOR} -S ${CONSUMER} -B ${WORK}/learner -DCMAKE_PREFIX_PATH=${installed}
          -DCOMPONENTS=learn ${no_torch})

# With it.
build_project(${EXAMPLES} ${WORK}/examples -DTorch_DIR=${TORCH})
check_examples(${WORK}/examples/train_and_embed)

find_program(PKG_CONFIG pkg-config REQUIRED)
file(GLOB_RECURSE package_file ${installed}/*/gir.pc)
get_filename_component(package_folder ${package_file} DIRECTORY)
get_filename_component(libraries ${package_folder} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${package_folder})
build_by_pkg_config(gir ${CONSUMER}/main.cpp ${WORK}/consumer_by_pkg_config)
must_succeed(${WORK}/consumer_by_pkg_config)
build_by_pkg_config(gir-learn ${EXAMPLES}/train_and_embed.cpp ${WORK}/example_by_pkg_config)
check_examples(${WORK}/example_by_pkg_config)

must_succeed(${installed}/bin/gir data info karate)
must_succeed(${installed}/bin/gir info build)
must_print("gir-a on karate" ${installed}/bin/gir train --dataset karate --epochs 5 -o ${WORK}/run)
file(REMOVE_RECURSE ${WORK})
