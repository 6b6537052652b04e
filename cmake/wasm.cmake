# WebAssembly by emscripten (the preset wasm, `make app`). jansson, zlib and cmocka are compiled from
# Debian's source packages, which tools/app unpacks in ALD_WASM_SOURCES: emscripten brings no libraries of its own.
# They take the names that pkg-config gives them elsewhere.
set(ALD_WASM_SOURCES ${CMAKE_BINARY_DIR}/sources CACHE PATH "Folder with the unpacked sources of jansson, zlib and cmocka")

add_compile_options(-msimd128)
# The library NAME from the files that match PATTERNS in its source package, as PkgConfig::TARGET.
function(ald_wasm_library name target folder)
  file(GLOB root ${ALD_WASM_SOURCES}/${name}-[0-9]*)
  list(FILTER root EXCLUDE REGEX "[.](dsc|xz|gz|bz2)$")
  list(TRANSFORM ARGN PREPEND ${root}/${folder}/)
  file(GLOB sources ${ARGN})
  if(NOT sources)
    message(FATAL_ERROR "The sources of ${name} are not in ${ALD_WASM_SOURCES}: `make app` fetches them from Debian.")
  endif()
  add_library(${name} STATIC ${sources})
  target_compile_options(${name} PRIVATE -w)
  target_include_directories(${name} SYSTEM PUBLIC ${root}/${folder} ${root}/include)
  add_library(PkgConfig::${target} ALIAS ${name})
  set(${name}_root ${root} PARENT_SCOPE)
endfunction()

ald_wasm_library(zlib ZLIB . *.c)
target_compile_definitions(zlib PUBLIC HAVE_UNISTD_H) # its header asks for it too

ald_wasm_library(jansson JANSSON src *.c)
set(json_inline inline)
foreach(ability long_long localeconv atomic_builtins sync_builtins)
  set(json_have_${ability} 1)
endforeach()
configure_file(${jansson_root}/src/jansson_config.h.in ${CMAKE_BINARY_DIR}/jansson/jansson_config.h @ONLY)
file(WRITE ${CMAKE_BINARY_DIR}/jansson/jansson_private_config.h "") # what it would say is defined below
target_include_directories(jansson SYSTEM PUBLIC ${CMAKE_BINARY_DIR}/jansson)
target_compile_definitions(jansson PRIVATE HAVE_STDINT_H HAVE_UNISTD_H HAVE_ATOMIC_BUILTINS)

ald_wasm_library(cmocka CMOCKA src cmocka.c)
target_compile_definitions(cmocka PRIVATE HAVE_INTTYPES_H HAVE_SIGNAL_H HAVE_STRINGS_H HAVE_STRUCT_TIMESPEC HAVE_CLOCK_REALTIME)
target_compile_definitions(cmocka PUBLIC _UINTPTR_T_DEFINED) # its header would define it, as another type
set_target_properties(cmocka PROPERTIES EXCLUDE_FROM_ALL ON)
