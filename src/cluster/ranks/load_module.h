/* The module that knows MPI: a file of its own beside the program or in the folder of the libraries. */
#ifndef ALD_RANKS_LOAD_MODULE_H
#define ALD_RANKS_LOAD_MODULE_H

#include "cluster/ranks/communicator.h"

#define ALD_MODULE_FILE "alidade-mpi.so"
#define ALD_MODULE_START "ald_mpi_start"

/* Starts MPI and fills the communicator. NULL, or what went wrong. */
typedef const char *(*ald_module_start_fn)(ald_communicator *made);

/* RTLD_GLOBAL: Open MPI loads its own parts at run time, which look for its symbols. NULL: `trouble` says why
 * not. */
void *ald_module_open(char *trouble, size_t size);

#endif
