# Installs gir into a folder of its own, then builds and runs projects that find it there: by CMake with and without
# libtorch, and by pkg-config.
# Wants BUILD (gir's build folder), GENERATOR (of build files), COMPILER, CONSUMER, EXTENSIONS, HEADERS and EXAMPLES (the projects), HEADER_LIST (the file that lists the headers), TORCH (the
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

# Every header compiles alone.
build_project(${HEADERS} ${WORK}/headers -DTorch_DIR=${TORCH} -DLIST=${HEADER_LIST})

# One of everything, added by a library that knows nothing but the installed headers.
build_project(${EXTENSIONS} ${WORK}/extensions -DTorch_DIR=${TORCH})
file(COPY_FILE ${WORK}/extensions/libextensions.so ${WORK}/libagain.so)
set(gir ${CMAKE_COMMAND} -E env GIR_PLUGINS=${WORK}/extensions/libextensions.so ${installed}/bin/gir)
must_print("^hello, world\n$" ${gir} greet --name world)
must_print("outside-last +the nodes with the largest numbers" ${gir} info strategies)
file(WRITE ${WORK}/five.chain "chain 5\n")
must_print("nodes +5\nedges +4 " ${gir} data info ${WORK}/five.chain)
must_print("outside-table on karate \\(nc\\): test accuracy" ${gir} train --dataset karate --task nc --epochs 5
           --model outside-table --objective outside-half --optimizer outside-descent -o ${WORK}/outside-nc)
must_print("gir-a on outside-ring \\(lp\\): test roc_auc" ${gir} train --dataset outside-ring --epochs 5
           --decoder outside-half-dot --strategy outside-last -o ${WORK}/outside-lp)
file(STRINGS ${WORK}/outside-lp/anchors.txt anchors)
list(GET anchors 0 first_anchor)
if(NOT first_anchor EQUAL 59)
  message(FATAL_ERROR "anchors of a strategy from outside: ${anchors}")
endif()
must_succeed(${gir} data generate outside-star --nodes 7 -o ${WORK}/star.npz)
must_print("nodes +7\nedges +6 " ${gir} data info ${WORK}/star.npz)
must_print("outside-degrees +the degrees of the two nodes" ${gir} info pair-features)
must_print("gir-a on outside-ring \\(lp\\): test roc_auc" ${gir} train --dataset outside-ring --epochs 5
           --recipe outside-narrow -o ${WORK}/outside-recipe)
file(READ ${WORK}/outside-recipe/config.json config)
if(NOT config MATCHES "\"hidden\": 4," OR NOT config MATCHES "\"pair-features\": \"outside-degrees\"")
  message(FATAL_ERROR "settings of a recipe from outside: ${config}")
endif()
must_fail("libagain.so: registers the .+, but there is one of that name already"
          ${CMAKE_COMMAND} -E env GIR_PLUGINS=${WORK}/extensions/libextensions.so:${WORK}/libagain.so
          ${installed}/bin/gir info models)
must_fail("nowhere.so.*check the paths in GIR_PLUGINS" ${CMAKE_COMMAND} -E env GIR_PLUGINS=${WORK}/nowhere.so
          ${installed}/bin/gir info models)

must_succeed(${installed}/bin/gir data info karate)
must_succeed(${installed}/bin/gir info build)
must_print("gir-a on karate" ${installed}/bin/gir train --dataset karate --epochs 5 -o ${WORK}/run)
file(REMOVE_RECURSE ${WORK})
