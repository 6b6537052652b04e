/* Reads a table in a process of its own, with limits, for formats whose library is not to be trusted with
 * damaged files: when the child crashes, the caller gets an error. What the child sends is checked like any
 * input. */
#ifndef ALD_READING_TABLE_CHILD_H
#define ALD_READING_TABLE_CHILD_H

#include "io/reading/reader.h"

/* The same arguments as ald_reader's read_path. */
typedef ald_status (*ald_table_fn)(ald_run *run, const char *path, const ald_load_options *options,
                                   ald_table *table);

/* Forks. The child calls `read` with memory from malloc, which the C library keeps usable after a fork, and
 * nothing else of the parent's but the arguments. Numbers, sparse or dense, and the names of target columns
 * come over. */
ald_status ald_table_read_in_child(ald_run *run, ald_table_fn read, const char *path,
                                   const ald_load_options *options, ald_table *table);

#endif
