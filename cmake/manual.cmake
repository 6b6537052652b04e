# Manual pages and shell completion, written by the program itself from the tables it parses its options with.
set(manual_folder ${CMAKE_CURRENT_BINARY_DIR}/manual)
file(MAKE_DIRECTORY ${manual_folder})
set(manual_files "")

# What `alidade ARGUMENTS...` prints becomes the installed file DESTINATION/NAME.
function(ald_generated destination name)
  string(REPLACE ";" "-" stem "${ARGN}")
  set(file ${manual_folder}/${stem})
  add_custom_command(OUTPUT ${file} COMMAND alidade-cli ${ARGN} > ${file} DEPENDS alidade-cli VERBATIM
                     COMMENT "Writing ${name}")
  install(FILES ${file} DESTINATION ${destination} RENAME ${name})
  set(manual_files ${manual_files} ${file} PARENT_SCOPE)
endfunction()

ald_generated(${CMAKE_INSTALL_MANDIR}/man1 alidade.1 manual)
file(GLOB verb_files CONFIGURE_DEPENDS cli/verbs/cmd_*.c)
foreach(verb_file ${verb_files})
  get_filename_component(verb ${verb_file} NAME_WE)
  string(REPLACE "cmd_" "" verb ${verb})
  ald_generated(${CMAKE_INSTALL_MANDIR}/man1 alidade-${verb}.1 manual ${verb})
endforeach()
ald_generated(${CMAKE_INSTALL_DATADIR}/bash-completion/completions alidade completion bash)
ald_generated(${CMAKE_INSTALL_DATADIR}/zsh/site-functions _alidade completion zsh)

add_custom_target(manual ALL DEPENDS ${manual_files})
