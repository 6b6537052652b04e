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

# What Debian's hardening asks for: an error in memory stops the program instead of running what an attacker left.
# It costs up to 2 % of the instructions of reading csv and of small fits, 0.2 % of larger ones (callgrind).
include(CheckCCompilerFlag)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(hardening -fstack-protector-strong -fstack-clash-protection -fcf-protection)
if(EMSCRIPTEN) # a module cannot leave its memory, and its calls and returns are out of reach
  set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
  set(hardening "")
else()
  include(CheckPIESupported)
  check_pie_supported()
endif()
foreach(flag ${hardening})
  string(MAKE_C_IDENTIFIER "ALD_HAS${flag}" known)
  check_c_compiler_flag(${flag} ${known})
  if(${known})
    add_compile_options(${flag})
  endif()
endforeach()
if(NOT ALD_SANITIZE AND NOT EMSCRIPTEN) # the sanitizers have checks of their own, and FORTIFY needs optimisation
  add_compile_options($<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
endif()
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  add_link_options(-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
endif()

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
endif()
