# The program for the page: alidade.js and alidade.wasm, one function `Alidade` that makes a program with a file system in
# memory. The memory grows as far as 32 bits reach; what cannot be had is an error of the library, not of the page.
target_link_options(alidade-cli PRIVATE -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=1MB
                    -sENVIRONMENT=node,worker -sMODULARIZE=1 -sEXPORT_NAME=Alidade -sEXIT_RUNTIME=1 -sINVOKE_RUN=0
                    -lnodefs.js -sEXPORTED_RUNTIME_METHODS=ENV,FS,NODEFS,callMain)

# The property grid, which node runs with the files of the machine (tests/wasm/check_grid).
file(GLOB grid_sources CONFIGURE_DEPENDS tests/methods/test_grid.c tests/verify/verify_*.c tests/verify/shared/*.c
     tests/support/*.c)
add_executable(wasm-grid EXCLUDE_FROM_ALL ${grid_sources})
target_include_directories(wasm-grid PRIVATE src src/methods cli tests)
target_link_libraries(wasm-grid PRIVATE alidade-static PkgConfig::CMOCKA ${ald_libraries})
target_link_options(wasm-grid PRIVATE -sALLOW_MEMORY_GROWTH=1 -sTOTAL_STACK=1MB -sNODERAWFS=1 -sENVIRONMENT=node)
