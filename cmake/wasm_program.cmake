# The program for the page: alidade.js and alidade.wasm, one function `Alidade` that makes a program with a file system in
# memory. The memory grows as far as 32 bits reach; what cannot be had is an error of the library, not of the page.
target_link_options(alidade-cli PRIVATE -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=1MB
                    -sENVIRONMENT=node,worker -sMODULARIZE=1 -sEXPORT_NAME=Alidade -sEXIT_RUNTIME=1 -sINVOKE_RUN=0
                    -lnodefs.js -sEXPORTED_RUNTIME_METHODS=FS,NODEFS,callMain)
