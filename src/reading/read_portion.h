/* The rows of a file that one of several ranks works on, as one table. */
#ifndef ALD_READING_READ_PORTION_H
#define ALD_READING_READ_PORTION_H

#include "reading/portion.h"
#include "table/table.h"

/* As a reader does: arena and source of the table are set. Agreed on by all ranks. */
ald_status ald_read_portion(ald_run *run, const char *path, const ald_load_options *options,
                            ald_table *table);

#endif
