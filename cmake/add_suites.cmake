# Run after a test program is built: writes the file that adds one test per suite.
#   cmake -DPROGRAM=... -DROOM=... -DOUTPUT=... -P add_suites.cmake
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
# Suites stand at the beginning of a line, their tests are indented; comments explain type and value parameters.
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+\\." suites "${listed}")
if(NOT suites)
  message(FATAL_ERROR "${PROGRAM} has no tests")
endif()
set(lines)
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "[\n.]" "" suite "${suite}")
  string(APPEND lines "add_test([==[${ROOM}/${suite}]==] [==[${PROGRAM}]==] [==[--gtest_filter=${suite}.*]==])\n"
                      "set_tests_properties([==[${ROOM}/${suite}]==] PROPERTIES LABELS [==[${ROOM}]==])\n")
endforeach()
file(WRITE ${OUTPUT} "${lines}")
