# What WebAssembly does not have: the shared library, the module for MPI, and the inner functions for the benchmark.
include(exports)
add_library(alidade-shared SHARED $<TARGET_OBJECTS:alidade-objects>)
ald_describe_library(alidade-shared)
# Before 1.0 a minor version may change the binary interface, so the soname carries it.
set_target_properties(alidade-shared PROPERTIES EXPORT_NAME alidade VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
ald_public_functions(public_functions)
ald_export_only(alidade-shared ${public_functions})

# MPI is loaded by those that mpirun has started (src/cluster/ranks): neither library depends on it.
if(ald_mpi)
  file(GLOB mpi_sources CONFIGURE_DEPENDS src/cluster/mpi/*.c)
  add_library(alidade-mpi MODULE ${mpi_sources})
  target_include_directories(alidade-mpi PRIVATE include src)
  target_link_libraries(alidade-mpi PRIVATE ${ald_mpi_library})
  set_target_properties(alidade-mpi PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden)
  ald_export_only(alidade-mpi ald_mpi_start)
  add_dependencies(alidade-cli alidade-mpi)
endif()

include(cuda)

# For bench/bench.py; not installed.
add_library(alidade-bench MODULE bench/neighbours.c bench/folds.c)
target_include_directories(alidade-bench PRIVATE src)
target_link_libraries(alidade-bench PRIVATE alidade-static ${ald_libraries})
set_target_properties(alidade-bench PROPERTIES C_VISIBILITY_PRESET hidden)
