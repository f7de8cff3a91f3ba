# find_package(gir) gives gir::gir (graphs, formats, data sets) and, with libtorch, gir::learn.
include(CMakePackageConfigHelpers)

install(TARGETS gir gir_learn EXPORT gir-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS gir_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS gir_learn_commands LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/gir ${PROJECT_BINARY_DIR}/include/gir DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
install(EXPORT gir-targets NAMESPACE gir:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gir)
configure_package_config_file(cmake/gir-config.cmake.in gir-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gir)
write_basic_package_version_file(gir-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gir-config.cmake ${PROJECT_BINARY_DIR}/gir-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gir)
