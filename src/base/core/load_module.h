/* Modules: parts of the library that depend on something that few machines have (MPI, a card), each a file of
 * its own beside the program or in the folder of the libraries, loaded where it is asked for. */
#ifndef ALD_CORE_LOAD_MODULE_H
#define ALD_CORE_LOAD_MODULE_H

#include <stddef.h>

/* The function `entry` of the module `file`, to be copied into a pointer to a function. NULL: `trouble` says
 * why not. */
void *ald_module_entry(const char *file, const char *entry, char *trouble, size_t size);

#endif
