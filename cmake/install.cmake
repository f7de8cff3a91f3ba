# find_package(gir) provides gir::gir (graphs, formats, data sets) and, with libtorch, gir::learn; the pkg-config packages
# are gir and gir-learn.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/gir)

# Lets the library find a libtorch outside the system's library directories.
set_target_properties(gir_learn PROPERTIES INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS gir EXPORT gir-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS gir_learn EXPORT gir-learn-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS gir_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS gir_learn_commands LIBRARY DESTINATION ${GIR_INSTALL_PLUGINDIR})
include(cmake/api_headers.cmake)
foreach(header IN LISTS GIR_API_HEADERS GIR_LEARN_API_HEADERS)
  get_filename_component(room ${header} DIRECTORY)
  install(FILES include/gir/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gir/${room})
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/include/gir/core/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gir/core)

install(EXPORT gir-targets NAMESPACE gir:: DESTINATION ${package_folder})
install(EXPORT gir-learn-targets NAMESPACE gir:: DESTINATION ${package_folder})
configure_package_config_file(cmake/gir-config.cmake.in gir-config.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(gir-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gir-config.cmake ${PROJECT_BINARY_DIR}/gir-config-version.cmake
        DESTINATION ${package_folder})

# Paths in the .pc files are relative to the files, so that an installed tree can be moved.
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pkgconfig /prefix/${pkgconfig_folder} /prefix)
string(REGEX REPLACE "/$" "" prefix_from_pkgconfig ${prefix_from_pkgconfig})
set(fmt_requires "Requires: fmt")
set(fmt_cflags)
if(GIR_FMT STREQUAL "fmt::fmt-header-only")
  set(fmt_requires "Requires.private: fmt")
  set(fmt_cflags " -DFMT_HEADER_ONLY")
endif()
list(GET TORCH_INCLUDE_DIRS 0 torch_includedir)
get_filename_component(torch_libdir ${TORCH_LIBRARY} DIRECTORY)
foreach(package gir gir-learn)
  configure_file(cmake/${package}.pc.in ${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${pkgconfig_folder})
endforeach()
