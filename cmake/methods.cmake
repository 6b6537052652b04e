# src/methods/methods.def and the files of src/methods/FAMILY must agree: every name has its file, and every file that defines a
# method is named.
set(method_folder ${CMAKE_CURRENT_SOURCE_DIR}/src/methods)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${method_folder}/methods.def)
file(STRINGS ${method_folder}/methods.def method_lines REGEX "^ALD_METHOD\\([a-z0-9_]+\\)")
string(REGEX REPLACE "ALD_METHOD\\(([a-z0-9_]+)\\)[^;]*" "\\1" ald_methods "${method_lines}")

foreach(method ${ald_methods})
  file(GLOB method_file ${method_folder}/*/${method}.c)
  if(NOT method_file)
    message(FATAL_ERROR "src/methods/methods.def names '${method}', but there is no src/methods/FAMILY/${method}.c.")
  endif()
endforeach()

file(GLOB method_files CONFIGURE_DEPENDS ${method_folder}/*/*.c)
foreach(file ${method_files})
  file(STRINGS ${file} definitions REGEX "^const ald_method ald_method_[a-z0-9_]+ *=")
  foreach(definition ${definitions})
    string(REGEX REPLACE "^const ald_method ald_method_([a-z0-9_]+).*" "\\1" method "${definition}")
    if(NOT method IN_LIST ald_methods)
      message(FATAL_ERROR "${file} defines the method '${method}': add the line ALD_METHOD(${method}) to src/methods/methods.def.")
    endif()
  endforeach()
endforeach()
