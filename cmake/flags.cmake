# How everything here is compiled.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

add_compile_options(-Wall -Wextra -Wpedantic -Wconversion
                    $<$<COMPILE_LANGUAGE:C>:-Werror=implicit-function-declaration>)
if(ALD_WERROR)
  add_compile_options(-Werror)
endif()
# No fused multiply-add behind our back: the same input gives the same bytes on every machine.
add_compile_options(-ffp-contract=off)
add_compile_definitions(_POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)

if(ALD_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "ALD_FUZZ needs clang (libFuzzer): configure with -DCMAKE_C_COMPILER=clang or use the preset fuzz.")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_compile_definitions(ALD_FUZZING)
endif()

if(ALD_SANITIZE)
  add_compile_definitions(ALD_SANITIZED)
  if(ALD_SANITIZE MATCHES "undefined")
    # A double too large for the integer it is cast to is undefined, though -fsanitize=undefined leaves it out.
    add_compile_options(-fsanitize=float-cast-overflow)
  endif()
  add_compile_options(-fsanitize=${ALD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ALD_SANITIZE})
  # dlopen is the sanitizer's then, which asks for the modules beside the program: by RPATH, as RUNPATH is for those
  # only that the program asks for itself.
  if(NOT APPLE)
    add_link_options(-Wl,--disable-new-dtags)
  endif()
endif()
