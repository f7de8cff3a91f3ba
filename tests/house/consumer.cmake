# Installs gir into a folder of its own, then builds and runs projects that find it there.
# Wants BUILD (gir's build folder), GENERATOR (of build files), CONSUMER and EXAMPLES (the projects), TORCH (the folder of
# libtorch's CMake files) and WORK (a scratch folder).
function(must_succeed)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE code OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
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

function(build_project source build)
  must_succeed(${CMAKE_COMMAND} -G ${GENERATOR} -S ${source} -B ${build} -DCMAKE_PREFIX_PATH=${WORK}/installed
               -DTorch_DIR=${TORCH} -DCMAKE_BUILD_TYPE=Release)
  must_succeed(${CMAKE_COMMAND} --build ${build})
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
must_succeed(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)

build_project(${CONSUMER} ${WORK}/consumer)
must_succeed(${WORK}/consumer/consumer)

build_project(${EXAMPLES} ${WORK}/examples)
must_print("a link from 0 to 33: 0\\.[0-9]+\nthe vector of 0:( -?[0-9.e-]+)+\n$"
           ${WORK}/examples/train_and_embed karate 0 33)
file(STRINGS ${WORK}/embeddings.csv vectors)
list(LENGTH vectors lines)
if(NOT lines EQUAL 35)
  message(FATAL_ERROR "embeddings.csv has ${lines} lines, not a header and 34 nodes")
endif()

must_succeed(${WORK}/installed/bin/gir data info karate)
must_succeed(${WORK}/installed/bin/gir info build)
must_print("gir-a on karate" ${WORK}/installed/bin/gir train --dataset karate --epochs 5 -o ${WORK}/run)
file(REMOVE_RECURSE ${WORK})
