/* The module that knows MPI: a file of its own beside the program or in the folder of the libraries. */
#ifndef ALD_RANKS_MODULE_H
#define ALD_RANKS_MODULE_H

#include "base/ranks/communicator.h"

#define ALD_MODULE_FILE "alidade-mpi.so"
#define ALD_MODULE_START "ald_mpi_start"

/* Starts MPI and fills the communicator. NULL, or what went wrong. */
typedef const char *(*ald_module_start_fn)(ald_communicator *made);

#endif
