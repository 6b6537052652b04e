# What `make install` puts where.
include(CMakePackageConfigHelpers)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/alidade)
set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS alidade-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS alidade-shared EXPORT alidade-shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS alidade-static EXPORT alidade-static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(ald_mpi)
  install(TARGETS alidade-mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/alidade)
endif()
if(TARGET alidade-cuda)
  install(PROGRAMS ${CMAKE_BINARY_DIR}/alidade-cuda.so DESTINATION ${CMAKE_INSTALL_LIBDIR}/alidade)
endif()
install(DIRECTORY include/alidade DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Two sets of targets, so that a user of the shared library need not have the libraries behind it.
foreach(kind shared static)
  install(EXPORT alidade-${kind} NAMESPACE alidade:: FILE alidade-${kind}-targets.cmake DESTINATION ${config_folder})
endforeach()
configure_package_config_file(cmake/alidadeConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/alidadeConfig.cmake
                              INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/alidadeConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/alidadeConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/alidadeConfigVersion.cmake
        DESTINATION ${config_folder})

# The prefix is found from where the file lies, so that an installed tree can be moved.
file(RELATIVE_PATH ald_pc_to_prefix /prefix/${pc_folder} /prefix)
string(REGEX REPLACE "/$" "" ald_pc_to_prefix "${ald_pc_to_prefix}")
configure_file(cmake/alidade.pc.in ${CMAKE_CURRENT_BINARY_DIR}/alidade.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/alidade.pc DESTINATION ${pc_folder})
