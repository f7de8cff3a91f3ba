# Installs gir into a folder of its own, then builds and runs a project that finds it there.
# Wants BUILD (gir's build folder), GENERATOR (of build files), SOURCE (the project) and WORK (a scratch folder).
function(must_succeed)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN} failed:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
must_succeed(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
must_succeed(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE} -B ${WORK}/build -DCMAKE_PREFIX_PATH=${WORK}/installed
             -DCMAKE_BUILD_TYPE=Release)
must_succeed(${CMAKE_COMMAND} --build ${WORK}/build)
must_succeed(${WORK}/build/consumer)
must_succeed(${WORK}/installed/bin/gir data info karate)
must_succeed(${WORK}/installed/bin/gir info build)
file(REMOVE_RECURSE ${WORK})
