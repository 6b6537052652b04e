# The libraries used, in the order they are linked. OpenBLAS comes before LAPACKE: on Debian the latter brings the
# generic libblas and liblapack along, and the first library that has a symbol provides it.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(LAPACKE REQUIRED IMPORTED_TARGET lapacke)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(MATIO IMPORTED_TARGET matio)

set(ald_packages OPENBLAS LAPACKE JANSSON ZLIB)
set(ald_feature_definitions "")
if(MATIO_FOUND)
  list(APPEND ald_packages MATIO)
  list(APPEND ald_feature_definitions ALD_HAVE_MATIO)
endif()

# DSDP has no pkg-config file.
find_path(DSDP_INCLUDE_DIR dsdp5.h PATH_SUFFIXES dsdp)
find_library(DSDP_LIBRARY dsdp)
if(DSDP_INCLUDE_DIR AND DSDP_LIBRARY)
  list(APPEND ald_feature_definitions ALD_HAVE_DSDP)
  include_directories(SYSTEM ${DSDP_INCLUDE_DIR})
endif()

set(ald_libraries "")
set(ald_static_flags "")    # what a link with libalidade.a needs, for alidade.pc: these libraries, themselves shared
set(ald_static_packages "") # the same for alidadeConfig.cmake: OPENBLAS openblas LAPACKE lapacke ...
foreach(package ${ald_packages})
  string(TOLOWER ${package} module)
  list(APPEND ald_libraries PkgConfig::${package})
  list(APPEND ald_static_flags ${${package}_LDFLAGS})
  list(APPEND ald_static_packages ${package} ${module})
endforeach()
if(DSDP_INCLUDE_DIR AND DSDP_LIBRARY)
  list(APPEND ald_libraries ${DSDP_LIBRARY})
  list(APPEND ald_static_flags -ldsdp)
endif()
list(APPEND ald_libraries Threads::Threads m)
list(APPEND ald_static_flags -lpthread -lm)
list(REMOVE_DUPLICATES ald_static_flags)
string(REPLACE ";" " " ald_static_flags "${ald_static_flags}")
string(REPLACE ";" " " ald_static_packages "${ald_static_packages}")
