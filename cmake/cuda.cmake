# Fits on a card: a module that is loaded where a device is asked for (src/math/device), so that neither the libraries nor
# the program depend on it. nvcc compiles and links it by one command: CMake's own support would look for a card's
# compiler on every machine.
set(ALD_CUDA_ARCHITECTURES "80;90" CACHE STRING "Cards that the module is compiled for; newer ones compile it when they load it")
if(ALD_CUDA)
  find_program(ALD_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATH_SUFFIXES bin PATHS /usr/local/cuda/bin)
endif()
if(ALD_CUDA STREQUAL "ON" AND NOT ALD_NVCC)
  message(FATAL_ERROR "ALD_CUDA is ON, but nvcc was not found: set CUDA_HOME, or ALD_CUDA=OFF")
endif()
if(ALD_CUDA AND ALD_NVCC)
  file(GLOB cuda_sources CONFIGURE_DEPENDS src/math/device/cuda/*.cu)
  file(GLOB cuda_headers CONFIGURE_DEPENDS src/math/device/cuda/*.cuh)
  list(GET ALD_CUDA_ARCHITECTURES -1 newest)
  set(cuda_code -gencode arch=compute_${newest},code=compute_${newest})
  foreach(each ${ALD_CUDA_ARCHITECTURES})
    list(APPEND cuda_code -gencode arch=compute_${each},code=sm_${each})
  endforeach()
  set(cuda_module ${CMAKE_BINARY_DIR}/alidade-cuda.so)
  add_custom_command(OUTPUT ${cuda_module} VERBATIM COMMENT "Compiling alidade-cuda.so"
                     DEPENDS ${cuda_sources} ${cuda_headers} src/math/device/card.h
                             include/alidade/device.h include/alidade/matrix.h
                     COMMAND ${ALD_NVCC} -O3 -std=c++17 ${cuda_code} -shared -Xcompiler
                             -fPIC,-fvisibility=hidden,-fstack-protector-strong,-fstack-clash-protection,-fcf-protection,-D_FORTIFY_SOURCE=2
                             -Xlinker -z,relro,-z,now -I${CMAKE_SOURCE_DIR}/include
                             -I${CMAKE_SOURCE_DIR}/src -o ${cuda_module} ${cuda_sources} -lcublas -lcusolver -lcusparse
                     WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  add_custom_target(alidade-cuda ALL DEPENDS ${cuda_module})
endif()
